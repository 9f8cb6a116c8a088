package import Fetching
package import Pinning

extension Target {
    /// The host of an entry, at the default port of a scheme.
    package init(of entry: PinSet.Entry, scheme: TargetScheme = .https) { self.init(named: entry.name, scheme: scheme) }

    /// A host by its name in a pin set, at the default port of a scheme.
    package init(named name: String, scheme: TargetScheme = .https) {
        self.init(
            host: IPAddress(name).map { .address($0, zone: nil) } ?? .name(name), port: scheme.defaultPort,
            startTLS: scheme.startTLS)
    }
}
