internal import Encodings
public import PinSetCodec
internal import Pinning

/// TLSA records of a zone (RFC 6698; RFC 7671): `_443._tcp.example.com. IN TLSA 3 1 1 …`.
///
/// The usages 0 and 2 are for CAs, 1 and 3 for the server's own key. pinctl compares the records like other pins and does not check
/// DNSSEC.
enum TLSAFormat: InputReadingCodec, InputWritingCodec {
    static let traits = FormatTraits(
        name: "tlsa", summary: "TLSA records of a DNS zone", fileName: "tlsa.zone", readingInputs: [.host],
        writingInputs: [.host], generatedFile: .lines,
        capabilities: FormatCapabilities(
            roles: Set(PinSet.AllowedRole.allCases), notes: .comments, takesAddresses: false, saysPorts: true))

    static func recognizes(_ file: FileContents) -> Bool {
        guard file.json == nil else { return false }
        if isData(file.bytes) { return true }
        for line in file.bytes.split(separator: UInt8(ascii: "\n")) {
            let words = line.prefix { $0 != UInt8(ascii: ";") }.split(whereSeparator: \.isWhiteSpace)
            for (word, next) in zip(words, words.dropFirst().map { $0.first } + [nil]) {
                let isType = word.count == 4 && word.starts(withIgnoringCase: "tlsa")
                let isNumber = word.count == 6 && word.starts(withIgnoringCase: "type52")
                // After the type there is a number or `\#`, possibly after a parenthesis.
                if isType || isNumber, next.map({ $0.isDigit || "(\\".utf8.contains($0) }) ?? false { return true }
            }
        }
        return false
    }

    /// Whether every line is the data of a record, as `dig +short` prints it: three numbers, then hexadecimal digits in one or more
    /// words.
    private static func isData(_ bytes: [UInt8]) -> Bool {
        var hasData = false
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(whereSeparator: \.isWhiteSpace)
            guard let first = words.first, first.first != UInt8(ascii: ";") else { continue }
            let digits = words.dropFirst(3).reduce(0) { $0 + $1.count }
            guard words.prefix(3).allSatisfy({ $0.count == 1 && $0.allSatisfy(\.isDigit) }), digits >= 64,
                words.dropFirst(3).allSatisfy({ $0.allSatisfy { Hex.value(of: $0) != nil } })
            else { return false }
            hasData = true
        }
        return hasData
    }

    // MARK: Reading

    private struct Host {
        let name: String
        let line: Int
        private(set) var pins = PinnedKeyList()
        /// The endpoints of the records, in the order of the file, each with its own pins.
        private(set) var services: [(endpoint: PinSet.Endpoint, pins: Set<PinSet.PinnedKey>)] = []
        private var indices: [PinSet.Endpoint: Int] = [:]

        init(name: String, line: Int) { (self.name, self.line) = (name, line) }

        /// The endpoints of an entry: none for only port 443, which is the default.
        var endpoints: [PinSet.Endpoint] {
            let endpoints = services.map(\.endpoint)
            return endpoints.map(\.port) == [TargetScheme.https.defaultPort] ? [] : endpoints
        }

        mutating func add(_ key: PinSet.PinnedKey, to endpoint: PinSet.Endpoint?) {
            pins.addUnitingRoles(key)
            guard let endpoint else { return }
            let index = indices[endpoint] ?? services.count
            if index == services.count {
                indices[endpoint] = index
                services.append((endpoint, []))
            }
            services[index].pins.insert(PinSet.PinnedKey(pin: key.pin, role: key.role))
        }
    }

    static func read(
        _ bytes: [UInt8], with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetReading {
        var warnings = ConversionWarnings()
        var hosts: [Host] = []
        var indices: [String: Int] = [:]
        for record in try TLSARecord.all(in: try ZoneFile(bytes), &warnings) {
            let (host, endpoint) = try host(of: record, inputs.host, &warnings)
            guard let key = try key(record, of: host, &warnings) else { continue }
            let index = indices[host] ?? hosts.count
            if index == hosts.count {
                indices[host] = index
                hosts.append(Host(name: host, line: record.line))
            }
            hosts[index].add(key, to: endpoint)
        }
        var entries: [PinSet.Entry] = []
        for host in hosts {
            for service in host.services where service.pins != host.services.first?.pins {
                warnings.add(.service("_\(service.endpoint.port)._tcp"), of: host.name)
            }
            entries.append(
                try entry(
                    host.name, endpoints: host.endpoints, pins: host.pins.keys,
                    at: SourcePosition(line: host.line, column: 1)))
        }
        guard !entries.isEmpty else {
            throw error(.tlsa(.noRecords(warnings.list.first)))
        }
        return PinSetReading(set: try set(entries), warnings: warnings.list)
    }

    /// The host and the port of a record name (RFC 6698, section 3): `_443._tcp.` followed by the host. The endpoint is nil for data
    /// without a name, and if pinctl cannot connect to the service.
    private static func host(
        of record: TLSARecord, _ given: String?, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> (name: String, endpoint: PinSet.Endpoint?) {
        guard let owner = record.owner else {
            guard let given else {
                throw error(.noHost(of: .record), line: record.line)
            }
            return (try name(given, record), nil)
        }
        let labels = owner.unicodeScalars.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false).map(
            Substring.init)
        guard labels.count == 3, labels[0].begins(with: "_") || labels[0] == "*", labels[1].begins(with: "_") else {
            throw error(.tlsa(.noService(owner)), line: record.line)
        }
        let host = try name(String(labels[2]), record)
        guard labels[1].lowercased() == "_tcp", let port = UInt16(String(labels[0].dropFirst())), port > 0,
            let endpoint = endpoint(of: host, at: port)
        else {
            warnings.add(.service("\(labels[0]).\(labels[1])"), of: host)
            return (host, nil)
        }
        return (host, endpoint)
    }

    /// The endpoint at a port. If the port is the default port of a protocol that a pin set can name, it is assumed to be that protocol.
    private static func endpoint(of host: String, at port: UInt16) -> PinSet.Endpoint? {
        let scheme = TargetScheme.allCases.first { $0.defaultPort == port }
        let text = scheme.map { $0 == .https ? host : "\($0.rawValue)://\(host)" } ?? "\(host):\(port)"
        return try? PinSet.Endpoint(text)
    }

    private static func name(_ text: String, _ record: TLSARecord) throws(PinSetFormatError) -> String {
        do throws(HostNameError) {
            return try HostName.normalized(text)
        } catch {
            throw Self.error(.host(error), line: record.line)
        }
    }

    /// - Returns: nil for a record that does not contain the SHA-256 of a key, or that clients ignore.
    private static func key(
        _ record: TLSARecord, of host: String, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> PinSet.PinnedKey? {
        let numbers = "\(record.usage) \(record.selector) \(record.matching)"
        let role: PinSet.AllowedRole
        switch record.usage {
        case 0, 2: role = .ca
        case 1, 3: role = .leaf
        default:
            warnings.add(.unknownRecord(numbers, line: record.line), of: host)
            return nil
        }
        let pin: Pin
        switch (record.selector, record.matching) {
        case (1, 1): pin = try self.pin(Hex.encode(record.data), at: SourcePosition(line: record.line, column: 1))
        case (1, 0):
            var reader = DERReader(record.data)
            guard (try? reader.next(.sequence)) != nil, reader.isAtEnd else {
                throw error(.tlsa(.notPublicKey(numbers: numbers)), line: record.line)
            }
            pin = Pin(subjectPublicKeyInfo: record.data)
        case (0, 0):
            do throws(CertificateError) {
                pin = try Certificate(der: record.data).pin
            } catch {
                throw Self.error(.tlsa(.notCertificate(numbers: numbers, error)), line: record.line)
            }
            warnings.add(.recordOfCertificate(numbers, line: record.line), of: host)
        default:
            let ofCertificate = record.selector == 0 && record.matching <= 2
            warnings.add(.recordWithoutPin(numbers, line: record.line, ofCertificate: ofCertificate), of: host)
            return nil
        }
        return PinSet.PinnedKey(pin: pin, role: role, note: record.comment)
    }

    // MARK: Writing

    static func write(
        _ set: PinSet, with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        var text = ""
        for entry in try traits.capabilities.writable(try set.only(inputs.host, as: format), as: format, &warnings) {
            var keys = PinnedKeyList()
            for key in entry.pins {
                if key.role == .intermediate || key.role == .root {
                    warnings.add(.roleNotSupported(key, .anyAuthority), of: entry.entry.host)
                }
                keys.addUnitingRoles(key)
            }
            for name in names(of: entry.entry) {
                for key in keys.keys {
                    let comment = PinComment(key).text.map { " ; \($0)" } ?? ""
                    for usage in usages(of: key.role) {
                        text += "\(name). IN TLSA \(usage) 1 1 \(Hex.encode(key.pin.bytes))\(comment)\n"
                    }
                }
            }
        }
        return PinSetWriting(text, warnings)
    }

    /// The names of the records, without the last dot: one for each port of each host (RFC 6698, section 3).
    private static func names(of entry: PinSet.Entry) -> [String] {
        guard !entry.endpoints.isEmpty else { return ["_443._tcp.\(entry.name)"] }
        var names: [String] = []
        for endpoint in entry.endpoints {
            let name = "_\(endpoint.port)._tcp.\(endpoint.name)"
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    private static func usages(of role: PinSet.AllowedRole) -> [Int] {
        switch role {
        case .leaf: [3]
        case .intermediate, .root, .ca: [2]
        case .any: [3, 2]
        }
    }
}

extension PinSetFormat {
    public static let tlsa = PinSetFormat(TLSAFormat.self)
}
