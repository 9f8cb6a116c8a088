/// The one spelling by which hosts are compared.
package enum HostName {
    /// `text` in lower case without the dot that may end it (RFC 4343; RFC 1034, section 3.1); an IP address in its
    /// recommended spelling (RFC 5952), without brackets.
    ///
    /// International names are given as A-labels (`xn--…`, RFC 5890, section 2.3.2.1). An underscore is allowed, for the DNS
    /// allows it and names with one are met.
    package static func normalized(_ text: String) throws(HostNameError) -> String {
        do throws(HostNameError.Reason) {
            return try normalized(Array(text.utf8))
        } catch {
            throw HostNameError(host: text, reason: error)
        }
    }

    private static func normalized(_ text: [UInt8]) throws(HostNameError.Reason) -> String {
        guard !text.isEmpty else { throw .empty }
        if let address = IPAddress(text: text[...]) ?? bracketed(text) { return address.description }
        try refuseWhatIsNoName(text)
        var name = text
        if name.last == UInt8(ascii: ".") { name.removeLast() }
        for (index, byte) in name.enumerated() where (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) {
            name[index] = byte | 0x20
        }
        let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        for label in labels {
            guard !label.isEmpty else { throw .emptyLabel }
            // RFC 1035, section 2.3.4.
            guard label.count <= 63 else { throw .longLabel(label.count) }
        }
        guard name.count <= 253 else { throw .long(name.count) }
        // No top-level domain is all digits, so this is an address with a mistake (RFC 3696, section 2).
        if let last = labels.last, last.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            throw .address
        }
        return String(decoding: name, as: UTF8.self)
    }

    private static func bracketed(_ text: [UInt8]) -> IPAddress? {
        guard text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]"), text.count > 2,
            let address = IPAddress(text: text.dropFirst().dropLast()), address.isV6
        else { return nil }
        return address
    }

    /// Finds what people write instead of a host before looking at single characters.
    private static func refuseWhatIsNoName(_ text: [UInt8]) throws(HostNameError.Reason) {
        if text.contains(where: { $0 == UInt8(ascii: " ") || (0x09...0x0d).contains($0) }) { throw .whiteSpace }
        if text.indices.contains(where: { text[$0...].starts(with: "://".utf8) }) { throw .scheme }
        if text.contains(UInt8(ascii: "/")) { throw .path }
        if text.starts(with: "*.".utf8) || text.starts(with: "**.".utf8) { throw .wildcard }
        if text.first == UInt8(ascii: "[") {
            let end = text.firstIndex(of: UInt8(ascii: "]")) ?? text.endIndex - 1
            throw bracketed(Array(text[...end])) != nil ? .port : .address
        }
        if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            let port = text[(colon + 1)...]
            throw port.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? .port : .address
        }
        for (offset, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                continue
            case 0x80...: throw .notASCII
            default: throw .character(offset: offset)
            }
        }
    }
}
