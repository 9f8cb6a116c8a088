/// Files that have pins: certificates, requests, keys, and the containers of these.
package enum KeyFile {
    /// The objects of a file, in its order, each with its pin or with the reason why it has none.
    ///
    /// What the file is follows from its contents alone: DER; PEM with any text around it; base64 of either, in lines of any
    /// length. There is always at least one object or reason. Certificates and keys of a PKCS#12 file come certificates
    /// first, and a private key whose certificate is among them is not listed again. Parameters and revocation lists in
    /// PEM are passed over where there is something else beside them.
    ///
    /// - Parameter password: what encrypted keys and PKCS#12 files are opened with. Without one they fail with
    ///   `needsPassword` (if they need one: many PKCS#12 files have an empty password), and can be read again.
    package static func read(_ bytes: [UInt8], password: [UInt8]? = nil) -> [Result<KeyFileObject, KeyFileError>] {
        // The common case by far costs one walk.
        if bytes.first == 0x30, let certificate = try? Certificate(der: bytes) {
            return [.success(DecodedObject.certificate(certificate).object(number: 1, line: nil))]
        }
        var reader = KeyFileReader(password: password)
        reader.readFile(bytes)
        return reader.results
    }
}

/// An object before its place is known.
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
