public import Encodings
internal import OpenSSL

/// A certificate revocation list (RFC 5280, section 5).
public struct RevocationList: Hashable, Sendable {
    /// The whole list in DER.
    public let der: [UInt8]

    /// The reason why bytes are not a revocation list.
    public enum Failure: Error, Hashable, Sendable {
        /// The file contains no list.
        case none
        /// The file contains a malformed block of PEM.
        case pem(PEMError)
        /// OpenSSL cannot decode the list. The string is OpenSSL's error text.
        case malformed(String)
    }

    /// - Throws: ``Failure``.
    public init(der: [UInt8]) throws(Failure) {
        do throws(OpenSSLError) {
            _ = try RevocationLists.decoding([der])
        } catch {
            throw .malformed(error.text)
        }
        self.der = der
    }

    /// Reads the lists of a file: one in DER, or any number in PEM. Other PEM blocks are skipped.
    ///
    /// - Throws: ``Failure`` if the file has no list, or if a list cannot be read.
    public static func all(in bytes: [UInt8]) throws(Failure) -> [RevocationList] {
        guard !DERReader.isSequence(bytes) else { return [try RevocationList(der: bytes)] }
        var lists: [RevocationList] = []
        for result in PEM.blocks(in: bytes) {
            switch result {
            case .failure(let error): throw .pem(error)
            case .success(let block) where block.label == "X509 CRL": lists.append(try RevocationList(der: block.bytes))
            case .success: continue
            }
        }
        guard !lists.isEmpty else { throw .none }
        return lists
    }
}

extension RevocationList.Failure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .none: "there is no revocation list in PEM or DER"
        case .pem(let error): "\(error)"
        case .malformed(let text): "not a revocation list: \(text)"
        }
    }
}
