package import Fetching

/// Addresses of hosts that this machine hides from a run. Applications on other machines use them.
package enum HiddenAddresses {
    /// Warnings for a run that contacts every address of its hosts.
    ///
    /// - Parameter proxies: the kinds of the proxies of the names that may be contacted; nil for a direct connection.
    package static func warnings(_ options: ConnectionOptions, proxies: [Proxy.Kind?]) -> [String] {
        guard options.asksEveryAddress, options.family == .any, options.connectTo == nil else { return [] }
        var warnings: [String] = []
        if NameAnswer.hidesIPv6, proxies.contains(where: { $0 == nil || $0 == .socks5 }) {
            warnings.append(
                "the resolver option no-aaaa hides the IPv6 addresses of the hosts: pinctl does not contact them")
        }
        if proxies.contains(.socks4) {
            warnings.append(
                "a SOCKS 4 proxy cannot connect to the IPv6 addresses of the hosts: pinctl does not contact them")
        }
        return warnings
    }
}
