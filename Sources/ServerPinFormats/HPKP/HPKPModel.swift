internal import Encodings
internal import PinSetCodec
internal import Pinning

/// The headers as a browser stores them that implements RFC 7469. The RFC calls storing "noting".
///
/// A browser ignores a header that does not conform. Chromium up to version 71 (net/http/http_security_headers.cc) and Firefox up
/// to 71 (security/manager/ssl/nsSiteSecurityService.cpp) are less strict than the RFC about duplicate directives and about a value
/// of `includeSubDomains`.
struct HPKPModel: PlatformModel {
    /// A header with its host.
    struct Header {
        let host: String
        let isReportOnly: Bool
        let includesSubdomains: Bool
        let pins: Set<Pin>
        /// The reason why a browser ignores the header; nil if it notes the header.
        let fault: String?
        let position: SourcePosition?
    }

    /// The first header of each host. A browser ignores other headers (section 2.3.1).
    private let headers: [String: Header]
    let traps: [PlatformTrap]
    /// The results for hosts for which no header can be written.
    var retired: [String: PlatformRuling] = [:]

    init(_ all: [Header]) {
        var headers: [String: Header] = [:]
        var traps: [PlatformTrap] = []
        for header in all where headers[header.host] == nil {
            headers[header.host] = header
            let isAddress = IPAddress(header.host) != nil
            guard let fault = header.fault ?? (isAddress ? "the host is an IP address" : nil) else { continue }
            traps.append(
                PlatformTrap(
                    .unpinned, host: header.host,
                    "browsers ignore the header of \(header.host.quotedExcerpt): \(fault)",
                    at: header.position))
        }
        (self.headers, self.traps) = (headers, traps)
    }

    func refusal(of connection: PlatformConnection) -> PlatformRuling? {
        guard !connection.isAddress else { return nil }
        if let ruling = retired[connection.host] { return ruling }
        guard let header = header(for: connection) ?? headers[connection.host], header.fault == nil,
            header.pins.count < 2
        else { return nil }
        return PlatformRuling(
            .refusesConfig, "a header needs two pins, one of them a backup, but that of \(header.host) has one")
    }

    func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard !connection.isAddress else {
            return PlatformRuling(.notPinned, "browsers ignore a header from an IP address")
        }
        guard let header = header(for: connection) else {
            if let fault = headers[connection.host]?.fault {
                return PlatformRuling(.notPinned, "browsers ignore the header of \(connection.host): \(fault)")
            }
            if let closest = noted(connection.parents), covers(connection.parents) {
                return PlatformRuling(
                    .notPinned,
                    "only the closest host with a header, \(closest.host), applies, and its header does not include subdomains"
                )
            }
            return PlatformRuling(.notPinned, "there is no header for this host")
        }
        let name = "the header of \(connection.shown(header.host, subdomains: "includeSubDomains"))"
        guard !header.isReportOnly else {
            let finding =
                connection.hit(header.pins) == nil
                ? "reports the mismatch and blocks nothing" : "finds nothing to report"
            return PlatformRuling(.accepts, "\(name) is report-only, and \(finding)")
        }
        guard header.host == connection.host else { return connection.rulingAnywhere(header.pins, of: name) }
        guard let hit = connection.hit(header.pins) else {
            return PlatformRuling(
                .notPinned,
                "\(name) has no pin of this chain, so browsers ignore it; a browser that has stored it before rejects the chain"
            )
        }
        let seen = Set(connection.chain.map(\.certificate.pin))
        guard header.pins.contains(where: { !seen.contains($0) }) else {
            return PlatformRuling(.notPinned, "\(name) has no pin outside this chain, so browsers ignore it")
        }
        return PlatformRuling(
            .accepts, "\(name) has the pin of the \(hit.certificate.role.rawValue), and one that is not in the chain")
    }

    /// The header that applies: that of the host itself, otherwise that of the closest parent domain with a noted header, if it
    /// includes subdomains (Chromium, net/http/transport_security_state.cc, GetDynamicPKPState).
    private func header(for connection: PlatformConnection) -> Header? {
        if let own = headers[connection.host], own.fault == nil { return own }
        guard let closest = noted(connection.parents), closest.includesSubdomains else { return nil }
        return closest
    }

    private func covers(_ names: [String]) -> Bool {
        names.contains { headers[$0].map { $0.fault == nil && $0.includesSubdomains && !$0.isReportOnly } ?? false }
    }

    /// The noted header of the first of these names that has one. Report-only headers are not noted (section 2.3.2).
    private func noted(_ names: [String]) -> Header? {
        names.lazy.compactMap { headers[$0] }.first { $0.fault == nil && !$0.isReportOnly }
    }
}

extension HPKPModel.Header {
    init(_ header: HPKPHeader, host: String) {
        self.init(
            host: host, isReportOnly: header.isReportOnly,
            includesSubdomains: header.directives.contains { $0.name == "includesubdomains" },
            pins: Set(
                header.directives.filter { $0.name == "pin-sha256" }.compactMap { directive in
                    directive.value.flatMap { try? Base64.decode($0) }.flatMap { Pin(digest: $0) }
                }),
            fault: header.fault, position: SourcePosition(line: header.line, column: 1))
    }
}
