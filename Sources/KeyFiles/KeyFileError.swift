package import Encodings
package import Pinning

/// The reason why an object of a file, or the whole file, has no pin.
package struct KeyFileError: Error, Hashable, Sendable {
    /// The number of the object in the file, from 1.
    package let number: Int
    /// The line of BEGIN, if the object is in PEM.
    package let line: Int?
    package let problem: Problem

    package enum Problem: Error, Hashable, Sendable {
        /// The file is empty.
        case empty
        /// The file contains only white space.
        case whiteSpace
        /// A known type of file without a public key.
        case unsupportedFileType(UnsupportedFileType)
        /// Not DER, PEM, base64 or another known type.
        case unrecognized
        /// Base64 of bytes without a known structure.
        case unrecognizedBase64
        /// DER without a known structure.
        case unrecognizedStructure
        /// A PEM block with an unknown label and without a known structure.
        case unrecognizedLabel(String)
        /// The number of missing bytes, according to the length of the outermost element.
        case truncated(missing: Int)
        /// The number of bytes after the object.
        case trailingBytes(Int)
        /// Malformed DER.
        case der(DERError)
        case certificate(CertificateError)
        case pem(PEMError)
        /// The object is encrypted, and no password was given.
        case needsPassword
        /// The password is wrong, or the encrypted bytes are damaged. In some formats these two cannot be distinguished.
        case wrongPassword
        /// Checking a password would take more computation than legitimate files need.
        case tooCostly
        /// The file is larger than the maximum for its type, in bytes.
        case tooLarge(limit: Int)
        /// OpenSSL cannot derive the public key from a private key. `reason` is OpenSSL's text.
        case unusableKey(type: String, reason: String)
        /// OpenSSL cannot decode a PKCS#7 or PKCS#12 file. `reason` is OpenSSL's text.
        case damaged(Container, reason: String)
        /// A certificate request whose signature is not by its own key.
        case damagedRequest
        /// OpenSSL does not support the encryption. `reason` is OpenSSL's text.
        case unsupportedEncryption(reason: String)
        /// A PKCS#7 or PKCS#12 file without certificates and keys.
        case nothingInside(Container)
    }

    package enum Container: String, Sendable {
        case pkcs7 = "PKCS#7"
        case pkcs12 = "PKCS#12"
    }
}

extension KeyFileError {
    /// The reason as a sentence, without the name of the file.
    package var message: String {
        switch problem {
        case .empty: "the file is empty"
        case .whiteSpace: "the file contains only white space"
        case .unsupportedFileType(let format): "this is \(format.rawValue): expected a certificate or a key"
        case .unrecognized: "this is neither a certificate nor a key: not DER, PEM or base64 of either"
        case .unrecognizedBase64: "this is base64, but not of a certificate or key"
        case .unrecognizedStructure: "this is DER, but neither a certificate nor a key"
        case .unrecognizedLabel(let label):
            "the PEM block \(label.quotedExcerpt) contains neither a certificate nor a key"
        case .truncated(let missing): "truncated: \(Self.bytes(missing, "more ")) expected"
        case .trailingBytes(let count): "\(Self.bytes(count)) after the end of the object"
        case .der(let error): "\(error)"
        case .certificate(let error): "\(error)"
        case .pem(let error): "\(error)"
        case .needsPassword: "a password is needed"
        case .wrongPassword: "the password is wrong, or the encrypted part is damaged"
        case .tooCostly: "trying a password would take too long: too many rounds of key derivation"
        case .tooLarge(let limit): "too large: at most \(limit) bytes are expected"
        case .unusableKey(let type, let reason): "cannot derive the public key of this \(type) private key: \(reason)"
        case .damaged(let container, let reason): "the \(container.rawValue) file is damaged: \(reason)"
        case .damagedRequest: "the certificate request is damaged: its signature does not match its key"
        case .unsupportedEncryption(let reason): "OpenSSL does not support this encryption: \(reason)"
        case .nothingInside(let container): "there is no certificate or key in this \(container.rawValue) file"
        }
    }

    /// The next step, if there is one.
    package var hint: String? {
        switch problem {
        case .unsupportedFileType(let format): format.hint
        case .damagedRequest: "copy or create the request again"
        case .unusableKey: "use the certificate or the public key instead"
        case .der(let error) where error.isBER, .certificate(.malformed(_, let error)) where error.isBER:
            "convert the file to DER: clients would compute another pin than the one of this file"
        default: nil
        }
    }

    private static func bytes(_ count: Int, _ more: String = "") -> String {
        "\(count) \(more)byte\(count == 1 ? "" : "s")"
    }
}

extension KeyFileError: CustomStringConvertible {
    package var description: String { message }
}
