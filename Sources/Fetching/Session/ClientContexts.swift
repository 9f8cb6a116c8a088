internal import OpenSSL

/// The TLS settings of one worker: one client context for each set of key types, created when it is first needed.
final class ClientContexts {
    /// A class, because a dictionary cannot contain noncopyable values.
    final class Entry {
        let context: ClientContext

        init(_ settings: ClientContext.Settings) throws(OpenSSLError) { context = try ClientContext(settings) }
    }

    private let options: ConnectionOptions
    private var entries: [Set<ServerKeyType>: Entry] = [:]

    /// Creates the context for the key types of the options.
    init(_ options: ConnectionOptions) throws(OpenSSLError) {
        self.options = options
        _ = try entry(accepting: options.keyTypes.accepted)
    }

    func entry(accepting keyTypes: Set<ServerKeyType>) throws(OpenSSLError) -> Entry {
        if let entry = entries[keyTypes] { return entry }
        let entry = try Entry(options.settings(accepting: keyTypes))
        entries[keyTypes] = entry
        return entry
    }
}
