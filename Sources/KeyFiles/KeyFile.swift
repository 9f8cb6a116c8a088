internal import Pinning

/// Reads files with public keys: certificates, requests, keys, and containers of these.
package enum KeyFile {
    /// Reads the objects of a file, in its order, each with its public key or an error.
    ///
    /// The contents determine the format: DER, PEM (also with other text), or base64 of either, in lines of any length. The result
    /// has at least one element. For a PKCS#12 file, certificates come before keys, and a private key is left out if its
    /// certificate is in the file. In PEM, parameters and revocation lists are skipped if there is another object.
    ///
    /// - Parameters:
    ///   - password: the password for encrypted keys and PKCS#12 files. If it is nil, reading them fails
    ///     with `needsPassword`, except for PKCS#12 files with an empty password, which are common.
    ///   - keys: receives the private keys; nil if only their public halves are needed.
    package static func read(
        _ bytes: [UInt8], password: [UInt8]? = nil, keys: PrivateKeyCollection? = nil
    ) -> [Result<KeyFileObject, KeyFileError>] {
        // A single certificate in DER is by far the most common case, and is read only once.
        if bytes.first == 0x30, let certificate = try? Certificate(der: bytes) {
            return [.success(DecodedObject.certificate(certificate).object(number: 1, line: nil))]
        }
        var reader = KeyFileReader(password: password, keys: keys)
        reader.readFile(bytes)
        return reader.results
    }
}

/// An object of a key file, without its number and line.
struct DecodedObject {
    let kind: KeyFileObject.Kind
    let certificate: Certificate?
    let subjectPublicKeyInfo: ArraySlice<UInt8>

    static func certificate(_ certificate: Certificate) -> DecodedObject {
        DecodedObject(
            kind: .certificate, certificate: certificate, subjectPublicKeyInfo: certificate.subjectPublicKeyInfo)
    }

    static func key(_ kind: KeyFileObject.Kind, _ subjectPublicKeyInfo: ArraySlice<UInt8>) -> DecodedObject {
        DecodedObject(kind: kind, certificate: nil, subjectPublicKeyInfo: subjectPublicKeyInfo)
    }

    func object(number: Int, line: Int?) -> KeyFileObject {
        KeyFileObject(
            kind: kind, number: number, line: line, certificate: certificate,
            subjectPublicKeyInfo: subjectPublicKeyInfo)
    }
}
