internal import COpenSSL

/// A PKCS#12 file (`PKCS12*`), in DER or BER: certificates and keys under a password (RFC 7292).
@safe package struct PKCS12Store: ~Copyable {
    private let store: OpaquePointer

    /// What a store holds, in its order.
    package struct Contents: Sendable {
        /// Certificates in DER.
        package var certificates: [[UInt8]] = []
        /// Private keys as PKCS#8 `PrivateKeyInfo`.
        package var privateKeys: [[UInt8]] = []
    }

    init(takingOwnership store: OpaquePointer) {
        unsafe self.store = store
    }

    deinit {
        unsafe PKCS12_free(store)
    }

    /// Reads a file that must be all of `bytes`. Nothing is decrypted yet.
    package init(_ bytes: [UInt8]) throws(ContainerError) {
        OpenSSLError.clear()
        let (store, read) = unsafe bytes.decoded { unsafe d2i_PKCS12(nil, &$0, $1) }
        guard let store = unsafe store else { throw .malformed(OpenSSLError.drain()) }
        guard read == bytes.count else {
            unsafe PKCS12_free(store)
            throw .trailingBytes(bytes.count - read)
        }
        unsafe self.init(takingOwnership: store)
    }

    /// Opens it. With no password, and after the password that was given, the two passwords of no characters are tried: many
    /// stores have one of those.
    ///
    /// Where the store has an integrity check, that alone decides whether the password is right; a store that passes it and
    /// still does not open is damaged.
    package func open(password: [UInt8]?) throws(DecryptionError) -> Contents {
        let store = unsafe self.store
        return try LegacyContext.retrying { () throws(DecryptionError) in
            var budget = KeyDerivationBudget()
            var passwords: [[UInt8]?] = [nil, []]
            if let password { passwords.insert(password, at: 0) }
            var failure: DecryptionError = password == nil ? .needsPassword : .wrongPassword
            if unsafe PKCS12_mac_present(store) == 1 {
                guard let right = try unsafe Self.firstRight(of: passwords, for: store, &budget) else { throw failure }
                passwords = [right]
                failure = .malformed(OpenSSLError(entries: []))
            }
            var bags = PKCS12Bags(passwords: passwords, failure: failure, budget: budget)
            try unsafe bags.read(store)
            return bags.contents
        }
    }

    /// The first password that the integrity check accepts. The outer nil says none, the inner one the absent password.
    private static func firstRight(
        of passwords: [[UInt8]?], for store: OpaquePointer, _ budget: inout KeyDerivationBudget
    ) throws(DecryptionError) -> [UInt8]?? {
        for password in passwords where try unsafe isRight(password, for: store, &budget) { return .some(password) }
        return .none
    }

    private static func isRight(
        _ password: [UInt8]?, for store: OpaquePointer, _ budget: inout KeyDerivationBudget
    ) throws(DecryptionError) -> Bool {
        var rounds: UnsafePointer<ASN1_INTEGER>?
        unsafe PKCS12_get0_mac(nil, nil, nil, &rounds, store)
        try budget.spend(unsafe KeyDerivationBudget.number(rounds))
        OpenSSLError.clear()
        let isRight = unsafe PasswordEncryption.withPassword(password) { text, length in
            unsafe PKCS12_verify_mac(store, text, length) == 1
        }
        guard !isRight else { return true }
        let error = OpenSSLError.drain()
        guard !error.isUnsupported else { throw .unsupported(error) }
        return false
    }
}
