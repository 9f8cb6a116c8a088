internal import Encodings
package import Pinning

/// An object with a public key in a file.
package struct KeyFileObject: Hashable, Sendable {
    /// The kind of object. An encrypted private key is a separate kind.
    package let kind: Kind
    /// The number of the object in the file, from 1.
    package let number: Int
    /// The line of BEGIN, if the object is in PEM.
    package let line: Int?
    /// The certificate; nil if the object is not a certificate.
    package let certificate: Certificate?
    /// The `SubjectPublicKeyInfo`, with tag and length, from the file or computed from the private key.
    package let subjectPublicKeyInfo: ArraySlice<UInt8>

    package enum Kind: String, Sendable, CaseIterable {
        case certificate
        case certificateRequest = "certificate request"
        case publicKey = "public key"
        case privateKey = "private key"
        case encryptedPrivateKey = "encrypted private key"
    }

    /// The pin of the key. It is computed at each access.
    package var pin: Pin { Pin(subjectPublicKeyInfo: subjectPublicKeyInfo) }

    /// The type and size of the key.
    package var key: KeyDescription {
        KeyDescription(subjectPublicKeyInfo: DERReader(Array(subjectPublicKeyInfo)))
    }
}
