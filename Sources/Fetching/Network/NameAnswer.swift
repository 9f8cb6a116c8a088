internal import CSystem

/// The answer of a name server about the addresses of a name (RFC 1035, section 4).
///
/// getaddrinfo(3) of glibc leaves out each address that it cannot read, and reports no error.
package enum NameAnswer {
    /// The reason why an answer may lack an address.
    package enum Problem: Error, Equatable {
        /// No name server answered, or the answer is an error.
        case missing
        /// The answer is truncated, over TCP too (RFC 2181, section 9).
        case truncated
        /// The answer, or an address in it, cannot be read.
        case malformed
    }

    /// Why the answers about a name may lack an address.
    struct Failure: Error {
        let problem: Problem
        /// The complete name.
        let name: String
        /// AF_INET or AF_INET6.
        let family: Int32

        /// A clause.
        var text: String {
            let noun = "\(family == AF_INET6 ? "IPv6" : "IPv4") addresses of \(name)"
            return switch problem {
            case .missing: "the name server gave no answer, or an error, about the \(noun)"
            case .truncated: "the answer about the \(noun) is truncated"
            case .malformed: "the answer about the \(noun) is malformed"
            }
        }
    }

    /// The addresses of a name in the answers of the name servers.
    package struct Addresses: Equatable, Sendable {
        /// All addresses in complete answers, with the port 0; empty if the name servers know no addresses, because the name can be in a
        /// file.
        package let known: [Endpoint]
        /// Why the answers may lack an address, as a clause; nil if they do not.
        package let reason: String?
        /// See ``Findings/otherNames``.
        package let otherNames: Set<AddressFamily>

        init(known: [Endpoint] = [], reason: String? = nil, otherNames: Set<AddressFamily> = []) {
            (self.known, self.reason, self.otherNames) = (known, reason, otherNames)
        }
    }

    /// Asks the name servers for the addresses of a name. See ``find(_:_:)``.
    static func addresses(of name: String, _ family: AddressFamily) -> Addresses {
        let found = find(name, family, asksEveryName: true)
        return Addresses(known: found.addresses, reason: found.failure?.text, otherNames: found.otherNames)
    }

    /// What the name servers' answers about a name contain.
    struct Findings {
        /// With the port 0.
        var addresses: [Endpoint] = []
        /// Why the answers may lack an address; nil if they do not.
        var failure: Failure?
        /// The families of which the name has no address, and for which getaddrinfo(3), if it is asked for this family alone, continues
        /// with the next complete name: that of another host.
        var otherNames: Set<AddressFamily> = []
    }

    /// Asks the name servers for the addresses of a name. Blocks until they have answered, which can last for ever:
    /// ``NameAnswerCheck`` limits the time.
    ///
    /// If the name is not complete, the domains of resolv.conf(5) complete it, as in getaddrinfo(3). After an error, getaddrinfo(3)
    /// continues with the next complete name; here, an error about a name before the one that exists is a failure.
    ///
    /// - Parameters:
    ///   - family: the addresses to ask for; ``AddressFamily/any`` asks for both.
    ///   - asksEveryName: whether an error about any complete name is a failure if none of them has an address of either family. Otherwise
    ///     only an error that a search reports is one: it hides an error about a name behind the answer about the last one.
    /// - Returns: The addresses, with the port 0: those of all lines of /etc/hosts, and those of the name servers of each family of which
    ///   the file has none; of both families if nsswitch.conf(5) has the name servers before the file. Empty if the name servers know no
    ///   addresses, if name resolution uses no name servers, and with a C library other than glibc from version 2.34 on.
    static func find(_ name: String, _ family: AddressFamily, asksEveryName: Bool = false) -> Findings {
        // RFC 6761, section 6.3, and RFC 6762, section 3: name servers do not know the addresses of these names.
        guard name != "localhost", ![".localhost", ".local"].contains(where: name.hasSuffix) else { return Findings() }
        let (files, servers) = unsafe (pinctl_place_of_service("files"), pinctl_place_of_service("dns"))
        let local = files > 0 ? endpointsInHostsFile(name, family) : []
        // If the name servers come first, the file is read if they do not know the name.
        guard servers > 0, let asked = servers < files ? family : family.without(local) else {
            return Findings(addresses: local)
        }
        var findings = ask(about: name, asked, asksEveryName: asksEveryName)
        findings.addresses += local
        return findings
    }

    /// The addresses that the name servers know.
    private static func ask(about name: String, _ family: AddressFamily, asksEveryName: Bool) -> Findings {
        let all = [(AddressFamily.ipv4, AF_INET), (.ipv6, AF_INET6)]
        let families = all.filter { family == .any || family == $0.0 }
        let names = completions(of: name)
        var found: (answer: [UInt8], family: Int32)?
        /// The place of the name that was found in the search.
        var place = names.count + 1
        var findings = Findings()
        // getaddrinfo(3) uses the first complete name that has an address of any family.
        for (_, number) in families where place > 0 {
            do throws(Problem) {
                guard let answer = try answer(about: name, number, searches: true),
                    case let next = self.place(ofNameIn: answer, in: names), next < place
                else { continue }
                (found, place) = ((answer, number), next)
            } catch {
                findings.failure = findings.failure ?? Failure(problem: error, name: name, family: number)
            }
        }
        if found == nil {
            // systemd-resolved answers such a question with an error.
            guard name.contains(".") || pinctl_asks_only_resolved() == 0 else { return Findings() }
            guard asksEveryName, findings.failure == nil else { return findings }
            // An address of the other family shows which name is complete.
            for (other, number) in all where found == nil && family != .any && other != family {
                found = (try? answer(about: name, number, searches: true)).map { ($0, number) }
            }
        }
        // The questions that failed are asked again.
        findings.failure = nil
        var complete: String?
        if let found {
            do throws(Problem) { complete = try self.name(in: found.answer) } catch {
                return Findings(failure: Failure(problem: error, name: name, family: found.family))
            }
        }
        // The answers about both families must be about the same complete name.
        let earlier = names.prefix { $0.lowercased() != complete?.lowercased() }
        for asked in earlier + [complete].compactMap(\.self) {
            for (kind, number) in families {
                do throws(Problem) {
                    let bytes =
                        if let found, asked == complete, number == found.family {
                            found.answer
                        } else {
                            try answer(about: asked, number, searches: false)
                        }
                    let addresses =
                        try bytes.map { bytes throws(Problem) in try self.addresses(in: bytes, number) } ?? []
                    findings.addresses += addresses
                    if asked == complete, addresses.isEmpty, earlier.count + 1 < names.count {
                        findings.otherNames.insert(kind)
                    }
                } catch {
                    findings.failure = findings.failure ?? Failure(problem: error, name: asked, family: number)
                }
            }
        }
        return findings
    }

    /// The addresses of one family in the answer of the name server about a name; nil if the answer has no records.
    ///
    /// - Parameter family: AF_INET or AF_INET6.
    static func addresses(inAnswerAbout name: String, _ family: Int32) throws(Problem) -> [Endpoint]? {
        guard let answer = try answer(about: name, family, searches: true) else { return nil }
        return try addresses(in: answer, family)
    }

    /// The complete names that a search asks about, in its order (`__res_context_search` in resolv/res_query.c of glibc).
    private static func completions(of name: String) -> [String] {
        var names = searchDomains.map { domain in
            // The dot of the root can be before or after the domain.
            let domain = domain.split(separator: ".").joined(separator: ".")
            return domain.isEmpty ? name : "\(name).\(domain)"
        }
        let isFirst = name.count { $0 == "." } >= pinctl_dots_of_complete_name()
        names.insert(name, at: isFirst ? 0 : names.count)
        return names
    }

    /// The index of the name of an answer in the names of a search; the number of names if they do not contain it.
    private static func place(ofNameIn answer: [UInt8], in names: [String]) -> Int {
        guard let name = try? name(in: answer).lowercased() else { return names.count }
        return names.firstIndex { $0.lowercased() == name } ?? names.count
    }

    /// The domains that complete names, in their order.
    private static var searchDomains: [String] {
        var domains: [String] = []
        while let domain = unsafe pinctl_search_domain(Int32(domains.count)) {
            domains.append(unsafe String(cString: domain))
        }
        guard let list = unsafe pinctl_search_list() else { return domains }
        defer { unsafe free(list) }
        let all = unsafe String(cString: list).split { $0 == " " || $0 == "\t" }.map(String.init)
        return all.count > domains.count ? all : domains
    }

    /// The addresses of all lines of /etc/hosts with a name.
    private static func endpointsInHostsFile(_ name: String, _ family: AddressFamily) -> [Endpoint] {
        var endpoints: [Endpoint] = []
        for number in 0...Int32(AddressLimits.maximumAddresses) {
            var found: Int32 = 0
            let address = unsafe [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
                unsafe buffer.initialize(repeating: 0)
                let isLine = unsafe pinctl_line_in_hosts_file(name, number, &found, buffer.baseAddress) != 0
                count = !isLine ? 0 : found == AF_INET6 ? 16 : 4
            }
            guard let endpoint = Endpoint(address: address, port: 0) else { return endpoints }
            if family == .any || family == (found == AF_INET6 ? .ipv6 : .ipv4) { endpoints.append(endpoint) }
        }
        return endpoints
    }

    /// Whether the configuration of the resolver makes every name seem to have no IPv6 addresses (`no-aaaa` of resolv.conf(5)).
    package static var hidesIPv6: Bool { pinctl_hides_ipv6() != 0 }

    /// - Parameters:
    ///   - family: AF_INET or AF_INET6.
    ///   - searches: whether the domains of resolv.conf(5) complete the name. Then an answer without records counts as no answer.
    /// - Returns: nil if the name does not exist.
    /// - Throws: ``Problem/missing``; ``Problem/malformed`` for an answer without records.
    private static func answer(
        about name: String, _ family: Int32, searches: Bool
    ) throws(Problem) -> [UInt8]? {
        var code: Int32 = 0
        var length = 0
        let answer = unsafe [UInt8](unsafeUninitializedCapacity: maximumSize) { buffer, count in
            count = buffer.count
            length = Int(
                unsafe pinctl_query_name(
                    name, family, searches ? 1 : 0, buffer.baseAddress, Int32(clamping: count), &code))
        }
        let isHeader = length == Reader.headerSize && code == NO_DATA
        if length > 0, !isHeader { return Array(answer.prefix(length)) }
        guard code == HOST_NOT_FOUND || code == NO_DATA else { throw .missing }
        try checkCode(ofAnswerWithoutAddresses: answer)
        return isHeader ? Array(answer.prefix(length)) : nil
    }

    /// Checks that an answer in which glibc found no addresses is not an error. glibc reads only the lower 4 bits of the code, in the
    /// header: the code BADVERS (16) looks like an answer without addresses, and BADMODE (19) as if the name did not exist.
    ///
    /// - Parameter answer: the answer, which can have zeros behind it.
    static func checkCode(ofAnswerWithoutAddresses answer: [UInt8]) throws(Problem) {
        try checkHeader(of: answer)
        var reader = Reader(answer)
        try reader.skip(4)
        let questions = try reader.number()
        let records = try reader.number() + reader.number() + reader.number()
        for _ in 0..<questions {
            try reader.skipName()
            try reader.skip(4)
        }
        for _ in 0..<records { _ = try reader.record() }
    }

    /// Checks that the header is that of a response (QR) to a standard query, whose operation code is 0 (RFC 1035, section 4.1.1). glibc
    /// compares only the number and the question of an answer with those that it sent.
    ///
    /// - Throws: ``Problem/missing`` for an answer without an error and without answers if the name server neither knows the name (AA)
    ///   nor asks others (RA). It is a referral to other name servers, and does not say that the name has no addresses (RFC 2308, section
    ///   2.2). glibc asks the next name server after such an answer, but only over UDP, and not if it has additional records (`send_dg`
    ///   in resolv/res_send.c).
    static func checkHeader(of answer: [UInt8]) throws(Problem) {
        let header = answer.prefix(Reader.headerSize)
        guard header.count == Reader.headerSize else { throw .malformed }
        // A look-up that sent no question leaves only zeros.
        guard header.contains(where: { $0 != 0 }) else { return }
        guard answer[2] & responseBit != 0, answer[2] & operationBits == 0 else { throw .malformed }
        let hasAnswers = answer[6] != 0 || answer[7] != 0
        let isKnown = answer[2] & authorityBit != 0 || answer[3] & recursionBit != 0
        guard hasAnswers || isKnown || answer[3] & codeBits != 0 else { throw .missing }
    }

    /// The addresses of a family in an answer.
    ///
    /// - Throws: the problem, if the answer may lack an address of the family.
    static func addresses(in answer: [UInt8], _ family: Int32) throws(Problem) -> [Endpoint] {
        try checkHeader(of: answer)
        var reader = Reader(answer)
        try reader.skip(2)
        guard try reader.next() & truncationBit == 0 else { throw .truncated }
        try reader.skip(1)
        let questions = try reader.number()
        let records = try reader.number()
        // The header of an answer without records is all that is known of it.
        guard records > 0 else { return [] }
        let otherRecords = try reader.number() + reader.number()
        for _ in 0..<questions {
            try reader.skipName()
            try reader.skip(4)
        }
        let (type, length) = family == AF_INET6 ? (28, 16) : (1, 4)
        var addresses: [Endpoint] = []
        for _ in 0..<records {
            let record = try reader.record()
            guard record.type == type else { continue }
            guard record.data.count == length, let address = Endpoint(address: record.data, port: 0) else {
                throw .malformed
            }
            addresses.append(address)
        }
        for _ in 0..<otherRecords { _ = try reader.record() }
        // A wrong number in the header hides records.
        guard reader.isAtEnd else { throw .malformed }
        return addresses
    }

    /// The name in the first question of an answer, as text.
    static func name(in answer: [UInt8]) throws(Problem) -> String {
        var reader = Reader(answer)
        try reader.skip(Reader.headerSize)
        var labels: [String] = []
        while case let length = try reader.next(), length > 0 {
            // A pointer or a label with other characters than those of a host name is no name that a host name completes to.
            guard length < 64, let label = String(validating: try reader.bytes(Int(length)), as: UTF8.self),
                label.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "\\") })
            else { throw .malformed }
            labels.append(label)
        }
        guard !labels.isEmpty else { throw .malformed }
        return labels.joined(separator: ".")
    }

    /// The bit QR in the third byte.
    private static let responseBit: UInt8 = 0x80
    /// The bits of the operation code in the third byte.
    private static let operationBits: UInt8 = 0x78
    /// The bit AA in the third byte.
    private static let authorityBit: UInt8 = 4
    /// The bit RA in the fourth byte.
    private static let recursionBit: UInt8 = 0x80
    /// The bits of the response code in the fourth byte.
    private static let codeBits: UInt8 = 0x0F
    /// The bit TC in the third byte.
    private static let truncationBit: UInt8 = 2
    /// Maximum size of an answer over TCP (RFC 1035, section 4.2.2).
    private static let maximumSize = 1 << 16
}

extension AddressFamily {
    /// The family that remains without those of some addresses; nil if none does.
    fileprivate func without(_ addresses: [Endpoint]) -> AddressFamily? {
        let hasIPv4 = self == .ipv6 || addresses.contains { !$0.isIPv6 }
        let hasIPv6 = self == .ipv4 || addresses.contains { $0.isIPv6 }
        return switch (hasIPv4, hasIPv6) {
        case (false, false): .any
        case (false, true): .ipv4
        case (true, false): .ipv6
        case (true, true): nil
        }
    }
}
