package import Fetching
package import Pinning

extension Target {
    /// The host of an entry, at the default port.
    package init(of entry: PinSet.Entry) { self.init(named: entry.name) }

    /// A host with its name in a pin set, at the default port.
    package init(named name: String) {
        self.init(host: IPAddress(name).map { .address($0, zone: nil) } ?? .name(name))
    }
}
