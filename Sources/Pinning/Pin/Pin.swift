internal import Encodings
internal import OpenSSL

/// A pin: the SHA-256 of a certificate's DER `SubjectPublicKeyInfo` (RFC 7469, section 2.4).
///
/// It is neither the hash of the key's bit string alone nor the hash of the certificate.
public struct Pin: Hashable, Sendable {
    /// The digest, 32 bytes.
    public let bytes: [UInt8]

    /// The pin of a public key.
    ///
    /// - Parameter spki: the `SubjectPublicKeyInfo` exactly as in the certificate, with tag and length.
    public init(subjectPublicKeyInfo spki: some Collection<UInt8>) {
        bytes = Digest.sha256(spki)
    }

    /// Creates a pin from a known digest; nil unless it has 32 bytes.
    public init?(digest: some Collection<UInt8>) {
        guard digest.count == 32 else { return nil }
        bytes = Array(digest)
    }

    /// The digest in base64 with padding (RFC 4648, section 4): 44 characters.
    public var base64: String { Base64.encode(bytes) }
}

extension Pin: CustomStringConvertible {
    public var description: String { base64 }
}
