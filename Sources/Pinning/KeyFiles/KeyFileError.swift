package import Encodings

/// Why an object of a file, or the file as a whole, gives no pin.
package struct KeyFileError: Error, Hashable, Sendable {
    /// Its place among the objects of the file, from 1.
    package let number: Int
    /// The line of its BEGIN in a file of PEM.
    package let line: Int?
    package let problem: Problem

    package enum Problem: Error, Hashable, Sendable {
        /// No bytes at all.
        case empty
        /// White space and nothing else.
        case whiteSpace
        /// A format that is known, and that pins are not made of.
        case unsupportedFileType(UnsupportedFileType)
        /// Neither DER nor PEM nor base64, and nothing else that is known.
        case unrecognized
        /// Base64 of something that is none of the things with a key.
        case unrecognizedBase64
        /// DER whose structure is none of those with a key.
        case unrecognizedStructure
        /// A PEM label that is not known, around contents that are not either.
        case unrecognizedLabel(String)
        /// The outermost element says that there are more bytes than there are.
        case truncated(missing: Int)
        /// This many bytes follow the object.
        case trailingBytes(Int)
        /// It is meant to be DER, and is not.
        case der(DERError)
        case certificate(CertificateError)
        case pem(PEMError)
        /// It is encrypted, and no password was given: with one it may open.
        case needsPassword
        /// It is encrypted under another password than the one given. Some formats cannot tell that from damage.
        case wrongPassword
        /// Trying one password would take more work than any honest file asks for.
        case tooCostly
        /// More bytes than a file of this kind ever has.
        case tooLarge(limit: Int)
        /// A private key from which OpenSSL cannot derive the public key. Reason: OpenSSL's.
        case unusableKey(type: String, reason: String)
        /// A PKCS#7 or PKCS#12 file that OpenSSL cannot read. Reason: OpenSSL's.
        case damaged(Container, reason: String)
        /// Encrypted in a way that OpenSSL does not know. Reason: OpenSSL's.
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
    /// One sentence, without the file's name.
    package var message: String {
        switch problem {
        case .empty: "the file is empty"
        case .whiteSpace: "there is nothing but white space"
        case .unsupportedFileType(let format): "this is \(format.rawValue); a certificate or a key is expected"
        case .unrecognized: "this is neither a certificate nor a key: not DER, PEM or base64 of either"
        case .unrecognizedBase64: "this is base64, but of neither a certificate nor a key"
        case .unrecognizedStructure: "this is DER, but neither a certificate nor a key"
        case .unrecognizedLabel(let label): "the PEM block \(label.quotedExcerpt) holds neither a certificate nor a key"
        case .truncated(let missing): "cut short: \(Self.bytes(missing, "more ")) expected"
        case .trailingBytes(let count): "\(Self.bytes(count)) after the end of the object"
        case .der(let error): "\(error)"
        case .certificate(let error): "\(error)"
        case .pem(let error): "\(error)"
        case .needsPassword: "a password is needed"
        case .wrongPassword: "the password is wrong, or the encrypted part is damaged"
        case .tooCostly: "a password could not be tried in reasonable time: too many rounds of key derivation"
        case .tooLarge(let limit): "too large: at most \(limit) bytes are expected"
        case .unusableKey(let type, let reason): "no public key can be had from this \(type) private key: \(reason)"
        case .damaged(let container, let reason): "the \(container.rawValue) file is damaged: \(reason)"
        case .unsupportedEncryption(let reason): "encrypted in a way that OpenSSL cannot undo here: \(reason)"
        case .nothingInside(let container): "there is no certificate or key in this \(container.rawValue) file"
        }
    }

    /// What to do next, where there is something.
    package var hint: String? {
        switch problem {
        case .unsupportedFileType(let format): format.hint
        case .unusableKey: "give the certificate or the public key instead: they need no decoding"
        case .der(let error) where error.isBER, .certificate(.malformed(_, let error)) where error.isBER:
            "the pin of a file that is not DER would not be the one that clients compute"
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
