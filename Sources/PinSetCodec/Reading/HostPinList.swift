package import Encodings
package import Pinning

/// Hosts with their pins, in the order in which a reader finds them. Each host and each of its pins occurs once.
package struct HostPinList {
    private struct Host {
        let name: String
        let position: SourcePosition?
        var pins: PinnedKeyList
    }

    private var hosts: [Host] = []
    private var indices: [String: Int] = [:]

    package var isEmpty: Bool { hosts.isEmpty }

    package init() {}

    /// Adds a pin to a host. The position is that of the host's first pin.
    package mutating func add(_ key: PinSet.PinnedKey, of host: String, at position: SourcePosition?) {
        let name = (try? HostName.normalized(host)) ?? host
        if let index = indices[name] {
            hosts[index].pins.add(key)
        } else {
            indices[name] = hosts.count
            hosts.append(Host(name: host, position: position, pins: PinnedKeyList(key)))
        }
    }

    /// The entries of a file in the format.
    ///
    /// - Throws: if a host is not a host name or an IP address.
    package func entries(as codec: (some PinSetCodec).Type) throws(PinSetFormatError) -> [PinSet.Entry] {
        var entries: [PinSet.Entry] = []
        for host in hosts { entries.append(try codec.entry(host.name, pins: host.pins.keys, at: host.position)) }
        return entries
    }
}
