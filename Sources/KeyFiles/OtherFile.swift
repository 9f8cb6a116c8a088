internal import Encodings
internal import Pinning

/// A file that people give in place of a pin set by mistake.
package enum OtherFile: Hashable, Sendable {
    case privateKey, publicKey, certificateRequest, pkcs7, pkcs12
    case unsupported(UnsupportedFileType)

    /// Recognizes a file by its first bytes, its PEM labels and its DER tags. No key is decoded. Nil for JSON, and for a file of another
    /// kind.
    package init?(_ bytes: [UInt8]) {
        if KeyFileText.isDER(bytes) {
            self.init(der: bytes)
            return
        }
        var isPEM = false
        for block in PEM.blocks(in: bytes) {
            isPEM = true
            let label: String
            switch block {
            case .success(let block):
                if !block.label.hasSuffix("PRIVATE KEY"), let kind = Self(der: block.bytes) {
                    self = kind
                    return
                }
                label = block.label
            case .failure(let error) where error.problem == .utf16:
                self = .unsupported(.utf16)
                return
            case .failure(let error): label = error.label
            }
            if let type = UnsupportedFileType(label: label) {
                self = .unsupported(type)
                return
            }
            if label.hasSuffix("PRIVATE KEY") {
                self = .privateKey
                return
            }
        }
        guard !isPEM, case .unsupportedFileType(let type) = KeyFileText(bytes).problem, type != .json else {
            return nil
        }
        self = .unsupported(type)
    }

    private init?(der bytes: [UInt8]) {
        var reader = DERReader(bytes)
        let element = try? reader.next(.sequence)
        switch element.map({ DERStructure(reader.reader(of: $0)) }) ?? DERStructure(ber: bytes) {
        case .privateKeyInfo, .encryptedPrivateKeyInfo, .rsaPrivateKey, .ecPrivateKey, .dsaPrivateKey:
            self = .privateKey
        case .subjectPublicKeyInfo, .rsaPublicKey: self = .publicKey
        case .certificateRequest: self = .certificateRequest
        case .pkcs7: self = .pkcs7
        case .pkcs12: self = .pkcs12
        case .revocationList: self = .unsupported(.revocationList)
        case .parameters: self = .unsupported(.parameters)
        case .certificate, .unknown: return nil
        }
    }

    /// The kind with its article.
    package var name: String {
        switch self {
        case .privateKey: "a private key"
        case .publicKey: "a public key"
        case .certificateRequest: "a certificate request"
        case .pkcs7: "a PKCS#7 file"
        case .pkcs12: "a PKCS#12 file"
        case .unsupported(let type): type.rawValue
        }
    }

    /// The next step; nil if none is known.
    package var hint: String? {
        switch self {
        case .privateKey, .publicKey: "add the pin of the key to a pin set with pinctl add --from-key FILE"
        case .certificateRequest: "add the pin of its key to a pin set with pinctl add --from-csr FILE"
        case .pkcs7, .pkcs12: "print the pins of its certificates with pinctl hash FILE"
        case .unsupported(let type):
            switch type {
            case .gzip, .bzip2, .xz, .zstandard, .zip, .utf16: type.hint
            default: nil
            }
        }
    }
}
