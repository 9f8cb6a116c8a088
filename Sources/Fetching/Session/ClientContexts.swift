internal import CertificateProbe
internal import OpenSSL

/// The TLS settings of one worker: one client context for each set of key types, created when it is first needed.
final class ClientContexts {
    /// A class, because an array cannot contain noncopyable values.
    final class Entry {
        let keyTypes: Set<ServerKeyType>
        let context: ClientContext
        /// The settings of probes; nil if sessions do not stop at the server's certificate, or if a probe cannot send their ClientHello.
        let probe: CertificateProbe.Settings?

        init(accepting keyTypes: Set<ServerKeyType>, _ options: ConnectionOptions) throws(OpenSSLError) {
            self.keyTypes = keyTypes
            context = try ClientContext(options.settings(accepting: keyTypes))
            probe = options.readsCertificateOnly ? CertificateProbe.Settings(context) : nil
        }
    }

    private let options: ConnectionOptions
    /// An array, because there are few entries. At run time, the first use of a dictionary with such keys costs a search in the
    /// conformances of the program: 1 % of the work for one host.
    private var entries: [Entry] = []

    /// Creates the context for the key types of the options.
    init(_ options: ConnectionOptions) throws(OpenSSLError) {
        self.options = options
        _ = try entry(accepting: options.keyTypes.accepted)
    }

    func entry(accepting keyTypes: Set<ServerKeyType>) throws(OpenSSLError) -> Entry {
        if let known = entries.first(where: { $0.keyTypes == keyTypes }) { return known }
        let entry = try Entry(accepting: keyTypes, options)
        entries.append(entry)
        return entry
    }
}
