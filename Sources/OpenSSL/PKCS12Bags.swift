internal import COpenSSL

/// Collects the contents of the bags of a PKCS#12 store (RFC 7292, section 4.2).
struct PKCS12Bags {
    private(set) var contents = PKCS12Store.Contents()
    /// The passwords to try. After one of them succeeds, only that one.
    private var passwords: [[UInt8]?]
    /// The error if no password decrypts the contents.
    private let failure: DecryptionError
    private(set) var budget: KeyDerivationBudget

    /// Maximum nesting depth of bags. Common programs do not nest them.
    private static let maximumDepth = 4

    init(passwords: [[UInt8]?], failure: DecryptionError, budget: KeyDerivationBudget) {
        self.passwords = passwords
        self.failure = failure
        self.budget = budget
    }

    mutating func read(_ store: OpaquePointer) throws(DecryptionError) {
        OpenSSLError.clear()
        guard let safes = unsafe PKCS12_unpack_authsafes(store) else { throw .malformed(OpenSSLError.drain()) }
        defer { unsafe OPENSSL_sk_pop_free(safes) { unsafe PKCS7_free($0?.assumingMemoryBound(to: PKCS7.self)) } }
        for index in unsafe 0..<max(0, OPENSSL_sk_num(safes)) {
            guard let pointer = unsafe OPENSSL_sk_value(safes, index) else { continue }
            let safe = unsafe UnsafeMutablePointer<PKCS7>(mutating: pointer.assumingMemoryBound(to: PKCS7.self))
            let bags: OpaquePointer
            switch unsafe OBJ_obj2nid(safe.pointee.type) {
            case NID_pkcs7_data:
                OpenSSLError.clear()
                guard let plain = unsafe PKCS12_unpack_p7data(safe) else { throw .malformed(OpenSSLError.drain()) }
                unsafe bags = plain
            case NID_pkcs7_encrypted:
                unsafe bags = try decrypt(safe)
            default:
                // These bags are encrypted with a public key, so a password cannot decrypt them.
                continue
            }
            defer { unsafe OPENSSL_sk_pop_free(bags) { unsafe PKCS12_SAFEBAG_free(OpaquePointer($0)) } }
            try unsafe read(bags: bags, depth: 0)
        }
    }

    private mutating func read(bags: OpaquePointer, depth: Int) throws(DecryptionError) {
        guard depth < Self.maximumDepth else { return }
        for index in unsafe 0..<max(0, OPENSSL_sk_num(bags)) {
            guard let bag = unsafe OPENSSL_sk_value(bags, index).map({ OpaquePointer($0) }) else { continue }
            switch unsafe PKCS12_SAFEBAG_get_nid(bag) {
            case NID_certBag where unsafe PKCS12_SAFEBAG_get_bag_nid(bag) == NID_x509Certificate:
                guard let certificate = unsafe PKCS12_SAFEBAG_get1_cert(bag) else { continue }
                defer { unsafe X509_free(certificate) }
                guard let der = unsafe [UInt8](encodedBy: { unsafe i2d_X509(certificate, &$0) }) else { continue }
                contents.certificates.append(der)
            case NID_keyBag:
                let key = unsafe PKCS12_SAFEBAG_get0_p8inf(bag)
                guard let der = unsafe [UInt8](encodedBy: { unsafe i2d_PKCS8_PRIV_KEY_INFO(key, &$0) }) else {
                    continue
                }
                contents.privateKeys.append(der)
            case NID_pkcs8ShroudedKeyBag:
                guard let encrypted = unsafe PKCS12_SAFEBAG_get0_pkcs8(bag) else { continue }
                contents.privateKeys.append(try unsafe decrypt(key: encrypted))
            case NID_safeContentsBag:
                guard let inner = unsafe PKCS12_SAFEBAG_get0_safes(bag) else { continue }
                try unsafe read(bags: inner, depth: depth + 1)
            default:
                continue
            }
        }
    }

    private mutating func decrypt(_ safe: UnsafeMutablePointer<PKCS7>) throws(DecryptionError) -> OpaquePointer {
        let algorithm = unsafe safe.pointee.d.encrypted?.pointee.enc_data?.pointee.algorithm
        for password in passwords {
            if let algorithm = unsafe algorithm { try unsafe budget.spend(on: algorithm) }
            OpenSSLError.clear()
            let bags = unsafe PasswordEncryption.withPassword(password) { text, length in
                unsafe PKCS12_unpack_p7encdata(safe, text, length)
            }
            if let bags = unsafe bags {
                passwords = [password]
                return unsafe bags
            }
            let error = OpenSSLError.drain()
            if error.isUnsupported { throw .unsupported(error) }
        }
        throw failure
    }

    private mutating func decrypt(key: OpaquePointer) throws(DecryptionError) -> [UInt8] {
        for password in passwords {
            do throws(DecryptionError) {
                let plain = try unsafe PasswordEncryption.open(key, password: password, budget: &budget)
                passwords = [password]
                return plain
            } catch {
                guard case .wrongPassword = error else { throw error }
            }
        }
        throw failure
    }
}
