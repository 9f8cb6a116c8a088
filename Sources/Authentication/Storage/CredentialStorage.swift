internal import Encodings
internal import Synchronization

/// The credentials of one or more sessions.
///
/// Host, port, protocol, realm and proxy must be equal for a credential to be found. Credentials for the session are in memory.
/// Permanent passwords are also in a file. A `.netrc` file is only read, and its entries have the lowest priority: they apply to all
/// ports and realms of a host, and never to a proxy. A session uses them only for the scheme, host and port of the URL of its task,
/// never after a redirect to another one.
public final class CredentialStorage: Sendable {
    private struct State: ~Copyable {
        var credentials: [CredentialLocation: [String: Credential]] = [:]
        /// The user names of the default credentials.
        var defaults: [CredentialLocation: String] = [:]
    }

    private let state: Mutex<State>
    private let netrc: Netrc?
    private let file: (any CredentialFile)?

    /// A storage in memory.
    ///
    /// - Parameter netrc: logins that are only read.
    public init(netrc: Netrc? = nil) {
        self.netrc = netrc
        file = nil
        state = Mutex(State())
    }

    /// A storage with permanent passwords.
    ///
    /// - Parameter file: the file with the permanent passwords, which need not exist.
    /// - Throws: ``CredentialStorageError`` if the file cannot be read, or other users can read it.
    public init(netrc: Netrc? = nil, file: any CredentialFile) throws(CredentialStorageError) {
        self.netrc = netrc
        self.file = file
        var state = State()
        if let bytes = try file.read() {
            for record in try CredentialRecord.records(in: bytes) {
                let user = record.password.user
                let credential = Credential(record.password, persistence: .permanent)
                state.credentials[record.location, default: [:]][user] = credential
                if record.isDefault { state.defaults[record.location] = user }
            }
        }
        self.state = Mutex(state)
    }

    /// All credentials for a protection space, by user name.
    public func credentials(for space: ProtectionSpace) -> [String: Credential] {
        var found = state.withLock { $0.credentials[space.location, default: [:]] }
        if let login = login(for: space, user: nil), let user = login.user, found[user] == nil { found[user] = login }
        return found
    }

    /// The credential that the default handling uses: the default of the space, otherwise its only credential, otherwise the login of
    /// the `.netrc` file; nil for none.
    public func defaultCredential(for space: ProtectionSpace) -> Credential? {
        defaultCredential(for: space, usesNetrc: true)
    }

    /// - Parameter usesNetrc: whether a login of the `.netrc` file may be used.
    package func defaultCredential(for space: ProtectionSpace, usesNetrc: Bool) -> Credential? {
        let stored: Credential? = state.withLock { state in
            let all = state.credentials[space.location, default: [:]]
            if let user = state.defaults[space.location] { return all[user] }
            return all.count == 1 ? all.first?.value : nil
        }
        return stored ?? (usesNetrc ? login(for: space, user: nil) : nil)
    }

    /// The credential of a user; nil for none.
    public func credential(of user: String, for space: ProtectionSpace) -> Credential? {
        state.withLock { $0.credentials[space.location]?[user] } ?? login(for: space, user: user)
    }

    /// Stores a credential as its persistence requires. A client certificate and server trust are not stored.
    ///
    /// - Throws: ``CredentialStorageError`` if the file cannot be written; then the credential is in memory only.
    public func set(_ credential: Credential, for space: ProtectionSpace) throws(CredentialStorageError) {
        try change(for: space, credential, isDefault: false)
    }

    /// Stores a credential and makes it the default of the space.
    ///
    /// - Throws: ``CredentialStorageError``, as for ``set(_:for:)``.
    public func setDefault(_ credential: Credential, for space: ProtectionSpace) throws(CredentialStorageError) {
        try change(for: space, credential, isDefault: true)
    }

    /// Removes the credential of a user from memory and from the file.
    ///
    /// - Throws: ``CredentialStorageError`` if the file cannot be written.
    public func remove(user: String, for space: ProtectionSpace) throws(CredentialStorageError) {
        let location = space.location
        let old = state.withLock { state in
            if state.defaults[location] == user { state.defaults[location] = nil }
            return state.credentials[location]?.removeValue(forKey: user)
        }
        if old?.persistence == .permanent { try save() }
    }

    private func change(
        for space: ProtectionSpace, _ credential: Credential, isDefault: Bool
    ) throws(CredentialStorageError) {
        guard credential.persistence != .none, let user = credential.user, credential.hasPassword else { return }
        let location = space.location
        // Without a file, a permanent credential lasts as long as the storage.
        let stored = file == nil ? credential.with(.forSession) : credential
        let old = state.withLock { state in
            if isDefault { state.defaults[location] = user }
            return state.credentials[location, default: [:]].updateValue(stored, forKey: user)
        }
        if stored.persistence == .permanent || old?.persistence == .permanent { try save() }
    }

    private func save() throws(CredentialStorageError) {
        guard let file else { return }
        let records = state.withLock { state in
            state.credentials.flatMap { location, credentials in
                credentials.values.filter { $0.persistence == .permanent }.compactMap { credential in
                    credential.password.map {
                        CredentialRecord(
                            location: location, password: $0, isDefault: state.defaults[location] == $0.user)
                    }
                }
            }
        }
        var bytes = CredentialRecord.file(of: records)
        defer { CredentialRecord.wipe(&bytes) }
        try file.replace(with: bytes)
    }

    private func login(for space: ProtectionSpace, user: String?) -> Credential? {
        guard !space.isProxy, [.default, .httpBasic, .httpDigest].contains(space.authenticationMethod) else {
            return nil
        }
        return netrc?.credential(for: space.host, user: user)
    }
}
