internal import Encodings
package import KeyFiles
public import Pinning

/// A client certificate with its private key.
public struct ClientIdentity: Sendable {
    package let credential: ClientCredential

    /// The reason why files contain no client certificate with its key. No description contains bytes of the files.
    public enum Failure: Error, Hashable, Sendable {
        /// No certificate was found.
        case noCertificate
        /// No private key was found.
        case noKey
        /// The private key belongs to another certificate.
        case keyOfAnother
        /// A file cannot be read; the reason as a sentence.
        case unreadable(String)
    }

    /// Reads a certificate, its key, and its issuers as far as they are in the file.
    ///
    /// - Parameters:
    ///   - certificateFile: the contents of a file in PEM or DER, or of a PKCS#12 file.
    ///   - keyFile: the contents of the file with the private key; nil if `certificateFile` contains it.
    ///   - password: the password of an encrypted key or of a PKCS#12 file, in UTF-8.
    public init(certificateFile: [UInt8], keyFile: [UInt8]? = nil, password: [UInt8]? = nil) throws(Failure) {
        let keys = PrivateKeyCollection()
        let objects = try Self.objects(in: certificateFile, password, keyFile == nil ? keys : nil)
        if let keyFile { _ = try Self.objects(in: keyFile, password, keys) }
        do throws(ClientCredential.Problem) {
            credential = try ClientCredential(objects.compactMap(\.certificate), keys.keys)
        } catch {
            switch error {
            case .noCertificate: throw .noCertificate
            case .noKey: throw .noKey
            case .keyOfAnother: throw .keyOfAnother
            }
        }
    }

    package init(_ credential: ClientCredential) { self.credential = credential }

    /// The client's certificate, then its issuers.
    public var certificates: [Certificate] { credential.certificates }

    private static func objects(
        in file: [UInt8], _ password: [UInt8]?, _ keys: PrivateKeyCollection?
    ) throws(Failure) -> [KeyFileObject] {
        var objects: [KeyFileObject] = []
        for result in KeyFile.read(file, password: password, keys: keys) {
            do throws(KeyFileError) {
                objects.append(try result.get())
            } catch {
                throw .unreadable(error.message)
            }
        }
        return objects
    }
}

extension ClientIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        "the client certificate \((certificates.first?.subject?.displayName ?? "").quotedExcerpt)"
    }

    public var debugDescription: String { description }

    /// Only the description, so that `dump` and a debugger show no key.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
