internal import Encodings

/// Something with a public key that was found in a file.
package struct KeyFileObject: Hashable, Sendable {
    /// What was found. For a private key that had to be decrypted, that is said.
    package let kind: Kind
    /// Its place among the objects of the file, from 1.
    package let number: Int
    /// The line of its BEGIN in a file of PEM.
    package let line: Int?
    /// The certificate, if it is one.
    package let certificate: Certificate?
    /// The `SubjectPublicKeyInfo`, tag and length included: as it stands in the file, or made from the private key.
    package let subjectPublicKeyInfo: ArraySlice<UInt8>

    package enum Kind: String, Sendable, CaseIterable {
        case certificate
        case certificateRequest = "certificate request"
        case publicKey = "public key"
        case privateKey = "private key"
        case encryptedPrivateKey = "encrypted private key"
    }

    /// The pin of its key, hashed anew at each call.
    package var pin: Pin { Pin(subjectPublicKeyInfo: subjectPublicKeyInfo) }

    /// What kind of key it has.
    package var key: KeyDescription {
        KeyDescription(subjectPublicKeyInfo: DERReader(Array(subjectPublicKeyInfo)))
    }
}
