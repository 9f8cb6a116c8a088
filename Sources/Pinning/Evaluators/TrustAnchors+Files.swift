public import Encodings

extension TrustAnchors {
    /// Reads the certificates of a file: one in DER, or any number in PEM.
    ///
    /// The trust settings in blocks with the label `TRUSTED CERTIFICATE` apply: no chain ends in a certificate that its settings
    /// reject for servers (openssl-x509(1), "Trust settings").
    ///
    /// - Parameter bytes: the contents of a `.der`, `.cer`, `.crt` or `.pem` file, which determine the format. Other PEM blocks are
    ///   skipped.
    /// - Throws: ``TrustAnchorsError`` if the file has no certificates, or if one cannot be read. If such a CA were skipped, the
    ///   only sign would be a chain that does not validate.
    public init(file bytes: [UInt8]) throws(TrustAnchorsError) { self.init(anchors: try Self.anchors(in: bytes)) }

    /// Reads the certificates of several files, for example of a folder. Duplicates are skipped.
    ///
    /// - Throws: ``TrustAnchorsError``, as for one file.
    public init(files: some Sequence<[UInt8]>) throws(TrustAnchorsError) {
        var all: [TrustAnchor] = []
        var known: Set<TrustAnchor> = []
        for bytes in files {
            for anchor in try Self.anchors(in: bytes) where known.insert(anchor).inserted { all.append(anchor) }
        }
        self.init(anchors: all)
    }

    private static func anchors(in bytes: [UInt8]) throws(TrustAnchorsError) -> [TrustAnchor] {
        guard bytes.first != 0x30 else {
            do throws(CertificateError) {
                return [TrustAnchor(try Certificate(der: bytes))]
            } catch {
                throw .certificate(error, line: nil)
            }
        }
        var found: [TrustAnchor] = []
        for result in PEM.blocks(in: bytes) {
            switch result {
            case .failure(let error): throw .pem(error)
            case .success(let block):
                do throws(CertificateError) {
                    guard let anchor = try block.trustAnchor() else { continue }
                    found.append(anchor)
                } catch {
                    throw .certificate(error, line: block.line)
                }
            }
        }
        guard !found.isEmpty else { throw .none }
        return found
    }
}

/// The reason why trust anchors cannot be read from a file.
public enum TrustAnchorsError: Error, Hashable, Sendable {
    /// The file has no certificate.
    case none
    /// A malformed block of PEM.
    case pem(PEMError)
    /// A certificate cannot be read; in PEM, the line of its block.
    case certificate(CertificateError, line: Int?)
}

extension TrustAnchorsError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .none: "there is no certificate in PEM or DER"
        case .pem(let error): "\(error)"
        case .certificate(let error, nil): "\(error)"
        case .certificate(let error, let line?): "at line \(line): \(error)"
        }
    }
}
