internal import Encodings
internal import OpenSSL
package import PinSetCodec

/// The signatures of fingerprints: ECDSA on P-256 over `name&expires&fingerprint`.
extension WultraFormat {
    static func signedText(of fingerprint: Fingerprint) -> [UInt8] {
        Array("\(fingerprint.name)&\(fingerprint.expires)&\(fingerprint.fingerprint)".utf8)
    }

    static func check(_ fingerprint: Fingerprint, _ key: [UInt8]) throws(PinSetFormatError) {
        guard fingerprint.signature != nil else {
            throw error(.wultra(.notSigned(host: fingerprint.name)), at: fingerprint.place)
        }
        guard isSigned(fingerprint, by: key) else {
            throw error(.wultra(.wrongSignature(host: fingerprint.name)), at: fingerprint.place)
        }
    }

    /// - Parameter key: a `SubjectPublicKeyInfo`.
    private static func isSigned(_ fingerprint: Fingerprint, by key: [UInt8]) -> Bool {
        guard let signature = fingerprint.signature.flatMap({ try? Base64.decode($0) }) else { return false }
        let text = signedText(of: fingerprint)
        return (try? Signature.isValid(signature, of: text, subjectPublicKeyInfo: key)) == true
    }

    package static func invalidSignatures(
        in bytes: [UInt8], key: [UInt8]
    ) throws(PinSetFormatError) -> [InvalidSignature] {
        var warnings = ConversionWarnings()
        let key = try WultraKey.publicKey(ofPrivateKey: key)
        return try fingerprints(try document(bytes), &warnings).filter { !isSigned($0, by: key) }.map { fingerprint in
            InvalidSignature(
                host: fingerprint.name, fingerprint: fingerprint.fingerprint,
                isThere: fingerprint.signature != nil, line: fingerprint.place.line)
        }
    }

    /// The signatures of the replaced file that stay valid, by what they sign. Without a key, all of them stay.
    static func signatures(_ inputs: ConversionInputs) throws(PinSetFormatError) -> [[UInt8]: String] {
        guard let bytes = inputs.previous, let root = try? document(bytes) else { return [:] }
        let key: [UInt8]?
        if let file = inputs.signingKey { key = try WultraKey.publicKey(ofPrivateKey: file) } else { key = nil }
        var warnings = ConversionWarnings()
        var signatures: [[UInt8]: String] = [:]
        for fingerprint in (try? fingerprints(root, &warnings)) ?? [] {
            if let key, !isSigned(fingerprint, by: key) { continue }
            signatures[signedText(of: fingerprint)] = fingerprint.signature
        }
        return signatures
    }

    static func sign(_ fingerprint: Fingerprint, _ key: [UInt8]) throws(PinSetFormatError) -> String {
        let text = signedText(of: fingerprint)
        do throws(OpenSSLError) {
            return Base64.encode(try Signature.make(of: text, privateKey: key))
        } catch {
            throw Self.error(.wultra(.cannotSign(error.text)))
        }
    }
}
