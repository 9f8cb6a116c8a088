internal import Encodings
internal import OpenSSL
package import Pinning

/// A new key that has no certificate yet, to be pinned as a backup.
package struct BackupKey: ~Copyable {
    /// The type of a key. The raw value is its name on a command line.
    package enum Kind: String, Sendable, CaseIterable {
        /// P-256.
        case ec
        case ecP384 = "ec-p384"
        /// 3072 bits, which have the strength of P-256 (NIST SP 800-57, part 1, table 2).
        case rsa
        case rsa4096 = "rsa-4096"
        case ed25519
    }

    package let pin: Pin
    package let description: KeyDescription
    private let key: PrivateKey

    private init(_ key: consuming PrivateKey, subjectPublicKeyInfo info: [UInt8]) {
        self.key = key
        pin = Pin(subjectPublicKeyInfo: info[...])
        description = KeyDescription(subjectPublicKeyInfo: DERReader(info))
    }

    package static func generate(_ kind: Kind) throws(BackupKeyError) -> BackupKey {
        do throws(OpenSSLError) {
            let key = try PrivateKey.generate(kind.algorithm)
            let info = try key.subjectPublicKeyInfo()
            return BackupKey(key, subjectPublicKeyInfo: info)
        } catch {
            throw .generation(reason: error.text)
        }
    }

    /// Calls a closure with the key in PKCS#8 and PEM, and then wipes these bytes from memory.
    ///
    /// - Parameter password: the password to encrypt the key with; nil to leave it unencrypted.
    package borrowing func withPEM<Value>(
        password: [UInt8]?, _ body: ([UInt8]) -> Value
    ) throws(BackupKeyError) -> Value {
        do throws(OpenSSLError) {
            guard let password else { return try key.pem().withBytes(body) }
            return try key.pem(password: password).withBytes(body)
        } catch {
            throw .encoding(reason: error.text)
        }
    }

    /// A certificate request for hosts, in PEM, signed by the key. The first host is the common name unless it is too long for one.
    package borrowing func request(for hosts: [CertificateHost]) throws(BackupKeyError) -> [UInt8] {
        // RFC 5280, appendix A.1: ub-common-name.
        let commonName = hosts.first.flatMap { $0.text.utf8.count <= 64 ? $0.text : nil }
        do throws(OpenSSLError) {
            return try CertificateRequest.signed(by: key, commonName: commonName, names: hosts.map(\.name)).pem()
        } catch {
            throw .request(reason: error.text)
        }
    }
}

extension BackupKey.Kind {
    fileprivate var algorithm: PrivateKey.Algorithm {
        switch self {
        case .ec: .ec(curve: "P-256")
        case .ecP384: .ec(curve: "P-384")
        case .rsa: .rsa(bits: 3072)
        case .rsa4096: .rsa(bits: 4096)
        case .ed25519: .ed25519
        }
    }
}
