internal import Encodings

/// Normalizes hosts, which are DNS names or IP addresses.
package enum HostName {
    /// Returns a DNS name in A-labels, as ``DomainName`` does, or an IP address in the form of RFC 5952, without brackets.
    ///
    /// All readers of hosts call it, so that no report and no written file can have a host with a private key.
    ///
    /// - Throws: ``HostNameError``, with a reason for common mistakes such as a URL, and for a private key in any spelling of a host.
    package static func normalized(_ text: String) throws(HostNameError) -> String {
        // The first check, because an error about a part of a key would not show that it is one, and an IPv6 address can have its bytes.
        if let kind = text.privateKeyKind { throw HostNameError(host: text, reason: .name(DomainNameError(kind))) }
        let bytes = Array(text.utf8)
        if let address = IPAddress(text: bytes[...]) ?? bracketed(bytes[...]) { return address.description }
        if let reason = reasonForRefusal(bytes) { throw HostNameError(host: text, reason: reason) }
        do {
            return try DomainName.normalized(text)
        } catch {
            throw HostNameError(host: text, reason: .name(error))
        }
    }

    private static func bracketed(_ text: ArraySlice<UInt8>) -> IPAddress? {
        guard text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]"), text.count > 2,
            let address = IPAddress(text: text.dropFirst().dropLast()), address.isV6
        else { return nil }
        return address
    }

    /// The reason why a text is not a host, judged by its characters; nil if it may be a host name.
    private static func reasonForRefusal(_ text: [UInt8]) -> HostNameError.Reason? {
        if let colon = text.firstIndex(of: UInt8(ascii: ":")), text[colon...].starts(with: "://".utf8) {
            return .scheme
        }
        if text.contains(UInt8(ascii: "/")) { return .path }
        if text.starts(with: "*.".utf8) || text.starts(with: "**.".utf8) { return .wildcard }
        if text.first == UInt8(ascii: "[") {
            let end = text.firstIndex(of: UInt8(ascii: "]")) ?? text.startIndex
            return bracketed(text[...end]) != nil ? .port : .address
        }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let isPort = text[(colon + 1)...].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isPort ? .port : .address
    }
}
