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
        guard !DERReader.isSequence(bytes) else {
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
        try requireReadableTrustSettings(in: bytes)
        guard !found.isEmpty else { throw .none }
        return found
    }

    /// Reads the certificates of a system's bundle in PEM. Those without trust settings that cannot be read are skipped.
    ///
    /// - Throws: ``TrustAnchorsError`` for a certificate with trust settings that cannot be read. The settings may reject a certificate
    ///   of which the bundle or a folder has a copy without settings. OpenSSL reads more encodings, such as BER.
    package static func readable(in bytes: [UInt8]) throws(TrustAnchorsError) -> [TrustAnchor] {
        var found: [TrustAnchor] = []
        for case .success(let block) in PEM.blocks(in: bytes) {
            do throws(CertificateError) {
                if let anchor = try block.trustAnchor() { found.append(anchor) }
            } catch {
                if block.label == trustSettingsLabel { throw .certificate(error, line: block.line) }
            }
        }
        try requireReadableTrustSettings(in: bytes)
        return found
    }

    /// Whether a system's bundle contains trust settings.
    ///
    /// - Throws: ``TrustAnchorsError`` as ``readable(in:)``. Only a bundle with trust settings is decoded.
    package static func hasTrustSettings(inBundle bytes: [UInt8]) throws(TrustAnchorsError) -> Bool {
        guard PEM.contains(label: trustSettingsLabel, in: bytes) else { return false }
        _ = try readable(in: bytes)
        return true
    }

    /// - Throws: ``TrustAnchorsError`` for a block with trust settings that is not readable as PEM.
    package static func requireReadableTrustSettings(in bytes: [UInt8]) throws(TrustAnchorsError) {
        if let error = PEM.firstError(inBlocksLabeled: trustSettingsLabel, in: bytes) { throw .pem(error) }
    }

    /// The label of a certificate with trust settings (openssl-x509(1)).
    private static let trustSettingsLabel = "TRUSTED CERTIFICATE"
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
