internal import Encodings

/// The lines of `curl --verbose` that name the other side of a connection. They differ between the versions:
///
///     * Host HOST:PORT was resolved.                     since 8.5: lib/hostip.c, since 8.20 lib/vdns/cf-dns.c
///     * Connected to HOST (ADDRESS) port PORT            up to 8.15: lib/connect.c; "(#0)" follows up to 7.88
///     * Establish HTTP proxy tunnel to HOST:PORT         lib/http_proxy.c; "Establishing" in new versions
///
/// Since 8.16, curl writes "Established connection to" in place of "Connected to", but only after the handshake, so not for a failure.
/// It writes no line about an address instead of a name.
enum CurlConnection {
    typealias Peer = (host: String, port: Int?)

    /// The lines that name a host, the ones that count most first: a tunnel goes to the host, and the other lines then name the proxy.
    /// "Host" has the port of the URL.
    private static let kinds: [@Sendable (LogLine) -> Peer?] = [tunnel, resolved, connected]

    /// The host that a line names.
    static func peer(in line: LogLine) -> Peer? {
        guard line.contains("* ") else { return nil }
        for kind in kinds {
            if let peer = kind(line) { return peer }
        }
        return nil
    }

    /// The host that the lines name. It is nil if they name several, as after a redirection or with a certificate's name that contains
    /// such a line, or if another line shows that it is not the host of the URL.
    ///
    /// - Parameters:
    ///   - lines: The lines of a run. Those after the first name of a certificate can be parts of a name.
    ///   - near: The last ones of them.
    static func host(of lines: ArraySlice<LogLine>, near: ArraySlice<LogLine>) -> Peer? {
        let start = lines.firstIndex(where: \.containsName) ?? lines.endIndex
        let before = lines[..<start]
        // The certificate of a proxy is before the tunnel.
        if before.contains(where: { $0.contains("* Proxy certificate:") }) {
            guard let tunnel = lines[start...].firstIndex(where: { tunnel($0) != nil }) else { return nil }
            return host(of: lines[tunnel...], near: near[max(tunnel, near.startIndex)...])
        }
        // With other TLS libraries than OpenSSL, the lines of a proxy's certificate have no such heading. They are
        // before the first tunnel.
        let hasTunnel = before.contains { tunnel($0) != nil }
        guard hasTunnel || !lines[start...].contains(where: { tunnel($0) != nil }) else { return nil }
        // Another run or request before that of the error. A name can contain such a line, so one after the first name does not count.
        if let end = before.lastIndex(where: isEnd), before[end...].contains(where: { peer(in: $0) != nil }) {
            return host(of: lines[(end + 1)...], near: near[max(end + 1, near.startIndex)...])
        }
        // The first URL of a command line can be that of a proxy.
        var found = hasTunnel ? nil : command(in: before)
        if let kind = kinds.first(where: { kind in before.contains { kind($0) != nil } }) {
            let peers = near.compactMap { $0.containsName ? nil : kind($0) }
            guard peers.allSatisfy({ peer in peers.first.map { $0 == peer } ?? false }) else { return nil }
            if found == nil, !before.contains(where: connectsElsewhere) { found = peers.first }
        }
        guard let found else { return nil }
        // After a redirection, curl may write nothing about the new host.
        let hosts = near.compactMap { origin(in: $0) ?? redirection(in: $0) }
        return hosts.allSatisfy { $0.lowercased() == found.host.lowercased() } ? found : nil
    }

    /// Whether curl ends a connection or keeps it for the next request.
    private static func isEnd(_ line: LogLine) -> Bool {
        ["* Closing connection", "* closing connection", " left intact"].contains(where: line.contains)
    }

    /// The host of the command lines, if it is one.
    private static func command(in lines: ArraySlice<LogLine>) -> Peer? {
        let hosts = lines.compactMap { $0.contains("curl ") ? HostSearch.url(in: $0) : nil }
        guard let first = hosts.first, hosts.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    @Sendable private static func tunnel(_ line: LogLine) -> Peer? {
        guard line.contains("* Establish"), let text = line.text(after: " proxy tunnel to ", upTo: " ") else {
            return nil
        }
        return HostSearch.authority(text)
    }

    @Sendable private static func resolved(_ line: LogLine) -> Peer? {
        guard line.contains(" was resolved."), let text = line.text(after: "* Host ", upTo: " ") else { return nil }
        // curl writes an IPv6 address without brackets, but no line about an address.
        return HostSearch.authority(text)
    }

    @Sendable private static func connected(_ line: LogLine) -> Peer? {
        // Some versions write "(nil)" for the address of --connect-to.
        guard let text = line.host(after: "* Connected to ", upTo: " "), line.contains(" port "), text != "(nil)" else {
            return nil
        }
        return (text, line.text(after: " port ", upTo: " (").flatMap { Int($0) })
    }

    /// Whether a line shows that curl connects to another host than that of the URL: `--connect-to` (lib/url.c) or a proxy of SOCKS
    /// (lib/socks.c).
    private static func connectsElsewhere(_ line: LogLine) -> Bool {
        line.contains("* Connecting to hostname: ") || line.contains("SOCKS")
    }

    /// The host of the URL in `subjectAltName: host "HOST" matched cert's …` (up to 8.16) and `subjectAltName: "HOST" matches cert's …`
    /// (lib/vtls/openssl.c).
    private static func origin(in line: LogLine) -> String? {
        guard let text = line.curlField("subjectAltName: "), text.contains(" cert's ") else { return nil }
        return text.host(after: "\"", upTo: "\"")
    }

    private static func redirection(in line: LogLine) -> String? {
        line.contains("* Issue another request to this URL: '") ? HostSearch.url(in: line)?.host : nil
    }
}

extension LogLine {
    /// The rest of a line of `curl --verbose` after an asterisk, two or more spaces and a name. The number of spaces differs between the
    /// versions and the TLS libraries.
    func curlField(_ name: String) -> LogLine? {
        for start in indices(of: name, atMost: 4) {
            let before = bytes[..<start]
            let spaces = before.reversed().prefix { $0 == UInt8(ascii: " ") }.count
            guard spaces >= 2, before.dropLast(spaces).last == UInt8(ascii: "*") else { continue }
            return LogLine(number: number, bytes: bytes[(start + name.utf8.count)...])
        }
        return nil
    }
}
