internal import Encodings
internal import OpenSSL
internal import Pinning

/// Decodes requests, public keys, private keys and encrypted keys, and returns the public key of each.
enum KeyDecoder {
    /// Maximum size in bytes. The largest keys in use, RSA with 16,384 bits, need 10 kB.
    private static let maximumSize = 1 << 16
    /// Maximum size in bits of a DSA or DH prime. OpenSSL's computations take time in proportion to its cube.
    private static let maximumPrimeBits = 16_384

    static func outcome(
        _ body: () throws(KeyFileError.Problem) -> DecodedObject
    ) -> Result<DecodedObject, KeyFileError.Problem> {
        do throws(KeyFileError.Problem) {
            return .success(try body())
        } catch {
            return .failure(error)
        }
    }

    /// Decodes a certification request (RFC 2986, section 4), and checks that its own key signed it.
    static func request(_ bytes: [UInt8]) throws(KeyFileError.Problem) -> DecodedObject {
        let info: ArraySlice<UInt8>
        do throws(DERError) {
            var reader = DERReader(bytes)
            reader = reader.reader(of: try reader.next(.sequence))
            reader = reader.reader(of: try reader.next(.sequence))
            _ = try reader.next(.integer)
            _ = try reader.next(.sequence)
            let key = try reader.next(.sequence)
            try SubjectPublicKeyInfo.check(reader.reader(of: key))
            info = bytes[key.range]
        } catch {
            throw .der(error)
        }
        // A pin of a damaged key matches no certificate, which shows only when the backup is needed.
        let key = KeyDescription(subjectPublicKeyInfo: DERReader(Array(info)))
        guard !key.isCommon || CertificateRequest.isSigned(bytes) ?? true else { throw .damagedRequest }
        return .key(.certificateRequest, info)
    }

    /// Decodes a SubjectPublicKeyInfo.
    static func publicKey(_ bytes: [UInt8]) throws(KeyFileError.Problem) -> DecodedObject {
        do throws(DERError) {
            var reader = DERReader(bytes)
            try SubjectPublicKeyInfo.check(reader.reader(of: try reader.next(.sequence)))
            return .key(.publicKey, bytes[...])
        } catch {
            throw .der(error)
        }
    }

    /// Decodes an RSA public key in PKCS#1, which names no algorithm. Its SubjectPublicKeyInfo has the algorithm rsaEncryption with
    /// NULL parameters (RFC 3279, section 2.3.1).
    static func rsaPublicKey(_ bytes: [UInt8]) -> DecodedObject {
        let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
        let algorithm = DERWriter.sequence(DERWriter.element(0x06, rsaEncryption)[...], [0x05, 0x00])
        let key = DERWriter.element(0x03, [0] + bytes)
        return .key(.publicKey, DERWriter.sequence(algorithm[...], key[...])[...])
    }

    /// Decodes an encrypted PKCS#8 key (RFC 5958, section 3).
    static func encrypted(
        _ bytes: [UInt8], password: [UInt8]?, _ keys: PrivateKeyCollection?, _ budget: inout KeyDerivationBudget
    ) throws(KeyFileError.Problem) -> DecodedObject {
        guard bytes.count <= maximumSize else { throw .tooLarge(limit: maximumSize) }
        guard let password else { throw .needsPassword }
        return try opened(keys) { () throws(DecryptionError) in
            try PasswordEncryption.openPKCS8(bytes, password: password, budget: &budget)
        }
    }

    /// Decodes an encrypted PEM block (RFC 1421), which OpenSSL wrote before it used PKCS#8.
    static func decrypted(
        _ block: PEMBlock, password: [UInt8]?, _ keys: PrivateKeyCollection?
    ) throws(KeyFileError.Problem) -> DecodedObject {
        guard block.bytes.count <= maximumSize else { throw .tooLarge(limit: maximumSize) }
        guard let info = block.header("DEK-Info") else { throw .unsupportedEncryption(reason: "no DEK-Info header") }
        guard let password else { throw .needsPassword }
        return try opened(keys) { () throws(DecryptionError) in
            try PasswordEncryption.openPEM(block.bytes, info: info, password: password)
        }
    }

    /// Decrypts and decodes a key. If the result is not a key, the password was wrong.
    private static func opened(
        _ keys: PrivateKeyCollection?, _ decrypt: () throws(DecryptionError) -> [UInt8]
    ) throws(KeyFileError.Problem) -> DecodedObject {
        let plain: [UInt8]
        do throws(DecryptionError) {
            plain = try decrypt()
        } catch {
            throw KeyFileError.Problem(error)
        }
        var outer = DERReader(plain)
        guard let element = try? outer.next(.sequence), outer.isAtEnd else { throw .wrongPassword }
        let structure = DERStructure(outer.reader(of: element))
        switch structure {
        case .privateKeyInfo, .rsaPrivateKey, .ecPrivateKey, .dsaPrivateKey:
            return .key(.encryptedPrivateKey, try publicHalf(of: plain, structure, keys)[...])
        default:
            throw .wrongPassword
        }
    }

    /// Computes the SubjectPublicKeyInfo of a private key with OpenSSL.
    ///
    /// - Parameter keys: receives the key; nil if only its public half is needed.
    static func publicHalf(
        of bytes: [UInt8], _ structure: DERStructure, _ keys: PrivateKeyCollection?
    ) throws(KeyFileError.Problem) -> [UInt8] {
        guard bytes.count <= maximumSize else { throw .tooLarge(limit: maximumSize) }
        switch structure {
        case .rsaPrivateKey: return try traditional(bytes, .rsa, "RSA", keys)
        case .ecPrivateKey: return try traditional(bytes, .ec, "EC", keys)
        case .dsaPrivateKey: return try traditional(bytes, .dsa, "DSA", keys)
        default: return try pkcs8(bytes, keys)
        }
    }

    private static func traditional(
        _ bytes: [UInt8], _ form: PrivateKey.TraditionalForm, _ type: String, _ keys: PrivateKeyCollection?
    ) throws(KeyFileError.Problem) -> [UInt8] {
        do throws(OpenSSLError) {
            let key = try PrivateKey(traditional: bytes, form).subjectPublicKeyInfo()
            keys?.add(PrivateKeyBytes(bytes, form), publicKey: key)
            return key
        } catch {
            throw .unusableKey(type: type, reason: error.text)
        }
    }

    private static func pkcs8(
        _ bytes: [UInt8], _ keys: PrivateKeyCollection?
    ) throws(KeyFileError.Problem) -> [UInt8] {
        let info: PrivateKeyInfo
        do throws(DERError) {
            info = try PrivateKeyInfo(bytes)
        } catch {
            throw .der(error)
        }
        let type = KeyDescription(subjectPublicKeyInfo: DERReader(info.emptySubjectPublicKeyInfo))
        guard type.bits ?? 0 <= maximumPrimeBits else {
            throw .unusableKey(type: type.type, reason: "its parameters are too large")
        }
        do throws(OpenSSLError) {
            let key = try PrivateKey(pkcs8: info.withoutPublicKey).subjectPublicKeyInfo()
            keys?.add(PrivateKeyBytes(info.withoutPublicKey, nil), publicKey: key)
            return key
        } catch {
            // Without the private key, the public key in the file is enough for its pin.
            if keys == nil, let key = info.subjectPublicKeyInfo { return key }
            throw .unusableKey(type: type.type, reason: error.text)
        }
    }
}

extension KeyDescription {
    /// Whether the usual builds of OpenSSL read keys of this type and check their signatures.
    fileprivate var isCommon: Bool {
        switch type {
        case "RSA", "RSA-PSS", "Ed25519", "Ed448": true
        case "EC": ["P-256", "P-384", "P-521"].contains(curve)
        default: false
        }
    }
}

extension KeyFileError.Problem {
    init(_ error: DecryptionError) {
        self =
            switch error {
            case .needsPassword: .needsPassword
            case .wrongPassword: .wrongPassword
            case .tooCostly: .tooCostly
            case .unsupported(let error): .unsupportedEncryption(reason: error.text)
            case .malformed(let error): .unsupportedEncryption(reason: error.text)
            }
    }
}
