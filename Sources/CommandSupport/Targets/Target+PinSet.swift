package import Arguments
package import Fetching
package import Pinning

extension Target {
    /// The host of an entry, at the default port of a scheme.
    package init(of entry: PinSet.Entry, scheme: TargetScheme = .https) { self.init(named: entry.name, scheme: scheme) }

    /// The targets of an entry: its endpoints, or otherwise its host at the default port of a scheme.
    package static func all(of entry: PinSet.Entry, scheme: TargetScheme) -> [Target] {
        entry.endpoints.isEmpty ? [Target(of: entry, scheme: scheme)] : entry.endpoints.map { Target($0) }
    }

    /// The targets of all entries, each once: an endpoint of an entry can be the host of another one.
    package static func all(of set: PinSet, scheme: TargetScheme) -> [Target] {
        var known: Set<Target> = []
        return set.entries.flatMap { all(of: $0, scheme: scheme) }.filter { known.insert($0).inserted }
    }

    /// An endpoint of an entry.
    package init(_ endpoint: PinSet.Endpoint) {
        self.init(
            host: IPAddress(endpoint.name).map { .address($0, zone: nil) } ?? .name(endpoint.name), port: endpoint.port,
            startTLS: endpoint.scheme.startTLS)
    }

    /// The endpoint in a pin set for this target's port and protocol, without a default port: "smtp://mail.example.com".
    ///
    /// - Parameter name: the host of the entry, which differs from the target's host if a server name was given.
    package func endpointText(for name: String) -> String {
        let host = IPAddress(name).map { Host.address($0, zone: nil) } ?? .name(name)
        let text = Target(host: host, port: port, startTLS: startTLS).description
        let scheme = startTLS.flatMap { TargetScheme(name: $0.rawValue) } ?? .https
        return port == scheme.defaultPort ? String(text.dropLast(":\(port)".utf8.count)) : text
    }

    /// A host by its name in a pin set, at the default port of a scheme.
    package init(named name: String, scheme: TargetScheme = .https) {
        self.init(
            host: IPAddress(name).map { .address($0, zone: nil) } ?? .name(name), port: scheme.defaultPort,
            startTLS: scheme.startTLS)
    }
}

extension TargetFlags {
    /// The host of the command line, for a file that does not name its own, such as a header or a string; nil if it has not exactly one host.
    package static func onlyHost(in values: Values) -> String? {
        let given = values[hosts]
        guard let host = given.first, given.count == 1, host.isSingle else { return nil }
        return host.first.identity.text
    }

    /// How a command with hosts takes the host of such a file.
    package static let stepForHost = "name the one HOST that the pins are for"

    /// The targets with the endpoints of the set in place of hosts without a scheme and a port. `--servername` names another host than
    /// that of the entry, and `--connect-to` only one server.
    package static func ranges(of ranges: [TargetRange], in set: PinSet, _ values: Values) -> [TargetRange] {
        let endpoints = ranges.map { $0.endpoints(in: set) }
        let isOneServer = values.contains(ConnectionFlags.connectTo) && endpoints.contains { $0.count > 1 }
        return isOneServer || values.contains(ConnectionFlags.serverName) ? ranges : endpoints.flatMap { $0 }
    }
}

extension TargetRange {
    /// The endpoints that the set names for a host without a scheme and a port; otherwise only the range.
    fileprivate func endpoints(in set: PinSet) -> [TargetRange] {
        guard isBareHost, let entry = set.entry(for: first.identity.text) else { return [self] }
        let name = first.identity.text
        let endpoints = entry.name == name ? entry.endpoints : entry.endpoints.filter { $0.name == name }
        return endpoints.isEmpty ? [self] : endpoints.map { TargetRange(Target($0)) }
    }
}
