public import Encodings

extension TrustAnchors {
    /// The certificates of one file, or of several joined: one in DER, or any number in PEM.
    ///
    /// The trust settings in blocks with the label `TRUSTED CERTIFICATE` apply: no chain ends in a certificate that its settings
    /// reject for servers (openssl-x509(1), "Trust settings").
    ///
    /// - Parameter bytes: of a `.der`, `.cer`, `.crt` or `.pem` file. Contents decide, not names; what PEM holds beside
    ///   certificates is left out.
    /// - Throws: ``TrustAnchorsError`` for a file without certificates and for one that cannot be read whole: an authority that
    ///   was left out in silence would show only as a chain that does not validate.
    public init(file bytes: [UInt8]) throws(TrustAnchorsError) { self.init(anchors: try Self.anchors(in: bytes)) }

    /// The certificates of several files, a folder's for example, each once.
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

/// Why a file gives no trust anchors.
public enum TrustAnchorsError: Error, Hashable, Sendable {
    /// It holds no certificate.
    case none
    /// A malformed block of PEM.
    case pem(PEMError)
    /// A certificate that cannot be read; the line of its block in PEM.
    case certificate(CertificateError, line: Int?)
}

extension TrustAnchorsError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .none: "there is no certificate, in PEM or in DER"
        case .pem(let error): "\(error)"
        case .certificate(let error, nil): "\(error)"
        case .certificate(let error, let line?): "at line \(line): \(error)"
        }
    }
}
