internal import COpenSSL

/// A PKCS#12 file in DER or BER (RFC 7292), with certificates and password-encrypted keys: a `PKCS12`.
@safe package struct PKCS12Store: ~Copyable {
    private let store: OpaquePointer

    /// The contents of a store, in file order.
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

    /// Decodes a file without decrypting it. Trailing bytes are an error.
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

    /// Decrypts the contents. Tries the given password, then no password and the empty password, because many stores use these.
    ///
    /// If the store has a MAC, only the MAC decides whether a password is correct. If decryption fails with a password that the MAC
    /// accepts, the store is damaged.
    ///
    /// - Parameter budget: the work that is left for the file with the store.
    package func open(password: [UInt8]?, budget: inout KeyDerivationBudget) throws(DecryptionError) -> Contents {
        let store = unsafe self.store
        let initial = budget
        return try LegacyContext.retrying { () throws(DecryptionError) in
            budget = initial
            var passwords: [[UInt8]?] = [nil, []]
            if let password { passwords.insert(password, at: 0) }
            var failure: DecryptionError = password == nil ? .needsPassword : .wrongPassword
            if unsafe PKCS12_mac_present(store) == 1 {
                guard let right = try unsafe Self.firstAccepted(of: passwords, for: store, &budget) else {
                    throw failure
                }
                passwords = [right]
                failure = .malformed(OpenSSLError(entries: []))
            }
            var bags = PKCS12Bags(passwords: passwords, failure: failure, budget: budget)
            defer { budget = bags.budget }
            try unsafe bags.read(store)
            return bags.contents
        }
    }

    /// The first password that the MAC accepts. The outer nil means that none was accepted; the inner nil means no password.
    private static func firstAccepted(
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
