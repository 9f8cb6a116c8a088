/// Results of the last validations with one trust store.
///
/// Many servers send the same chain, for example all those of one content delivery network. A result is valid only for the same
/// second, so a validation with the cache has the result that it has without.
struct ValidationCache {
    /// The hosts for which a result is valid.
    enum Host: Equatable {
        /// No name constraints of a CA limit the hosts.
        case any
        /// This host, or no host.
        case only(String?)
    }

    private struct Entry {
        /// The certificates that the server sent, in its order.
        let certificates: [Certificate]
        let host: Host
        let path: ValidatedPath
    }

    /// The time at which the certificates of the entries were validated.
    private var secondsSince1970: Int64 = .min
    private var entries = RecentValues<Entry>(maximum: 8)

    /// Maximum size of the certificates of an entry in bytes. Longer chains are not kept: real ones have a few kilobytes.
    private static let maximumSize = 32 << 10

    /// - Parameter moment: the time of the validation, in seconds since 1970.
    mutating func result(for certificates: [Certificate], host: String?, at moment: Int64) -> ValidatedPath? {
        if moment != secondsSince1970 { entries.removeAll() }
        return entries.values.first { entry in
            entry.certificates == certificates && (entry.host == .any || entry.host == .only(host))
        }?.path
    }

    mutating func add(_ path: ValidatedPath, for certificates: [Certificate], host: Host, at moment: Int64) {
        if moment != secondsSince1970 { entries.removeAll() }
        secondsSince1970 = moment
        guard certificates.reduce(0, { $0 + $1.der.count }) <= Self.maximumSize else { return }
        entries.add(Entry(certificates: certificates, host: host, path: path))
    }
}
