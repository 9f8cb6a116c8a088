internal import Encodings
public import PinSetCodec
internal import Pinning

/// `tls_pubkey_pinset` of the upstream servers in stubby.yml (stubby 14416f9, version 0.4.3; getdns f8c95b4, version 1.7.3).
///
/// The host is `tls_auth_name`, or `address_data` if that is missing. A pin is `digest: "sha256"` and base64 of 32 bytes.
enum StubbyFormat: PinSetCodec {
    static let traits = FormatTraits(
        name: "stubby", summary: "tls_pubkey_pinset of stubby.yml", fileName: "stubby.yml",
        platforms: [.stubby], capabilities: FormatCapabilities())

    private static let serversKey = "upstream_recursive_servers"
    private static let pinsKey = "tls_pubkey_pinset"

    static func recognizes(_ file: FileContents) -> Bool {
        file.json == nil && file.bytes.contains(ignoringCase: pinsKey)
    }

    // MARK: Reading

    static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        var warnings = ConversionWarnings()
        var hosts = HostPinList()
        var places = PlacesOfHosts(usedBy: "a server of getdns")
        var others: [(name: String, line: Int)] = []
        for document in try documents(bytes, inExcerptOf: serversKey, &warnings) {
            addUncheckedConnections(of: document, &warnings)
            for server in document[serversKey]?.sequence ?? [] {
                guard let pinset = server[pinsKey] else {
                    if let name = server["tls_auth_name"]?.text { others.append((name, server.position.line)) }
                    continue
                }
                guard let name = server["tls_auth_name"]?.text ?? server["address_data"]?.text.flatMap(HostText.host)
                else {
                    throw error(.missing("address_data", in: .member(of: .key(serversKey))), at: server.position)
                }
                if name.ends(with: ".") {
                    // The name of a certificate has no dot at its end.
                    warnings.add(.hostSpelling(written: String(name.dropLast()), line: server.position.line), of: name)
                }
                var digests: Set<[UInt8]> = []
                for pin in pinset.sequence ?? [pinset] {
                    guard let key = try key(pin, &warnings) else { continue }
                    hosts.add(key, of: name, at: server.position)
                    digests.insert(key.pin.bytes)
                }
                // getdns compares no pin with an empty list.
                guard !digests.isEmpty else {
                    others.append((name, server.position.line))
                    continue
                }
                places.add(digests, of: name, at: server.position, &warnings)
            }
        }
        let entries = try hosts.entries(as: self)
        guard !entries.isEmpty else {
            throw noPins(warnings, example: "write pins like this: \(pinsKey): [{digest: \"sha256\", value: \"…\"}]")
        }
        let names = Set(entries.map(\.name))
        for other in others where (try? HostName.normalized(other.name)).map(names.contains) ?? false {
            warnings.add(
                .uncheckedConnections(
                    "this server has no pin in \(pinsKey.quotedExcerpt), so getdns compares none", line: other.line),
                of: other.name)
        }
        return PinSetReading(set: try set(entries), warnings: warnings.list)
    }

    /// getdns requires a match only in its strict profile: `GETDNS_AUTHENTICATION_REQUIRED` with TLS as the only transport. Otherwise
    /// it tolerates a failed verification (src/stub.c, `tls_create_object` and `tls_do_handshake`; src/request-internal.c).
    private static func addUncheckedConnections(of document: YAMLValue, _ warnings: inout ConversionWarnings) {
        guard let servers = document[serversKey] else { return }
        func add(_ cause: String, at value: YAMLValue) {
            warnings.add(
                .uncheckedConnections(
                    "\(cause), getdns also connects to a server if no pin matches", line: value.position.line))
        }
        // The names are spellings of numbers (src/const-info.c).
        if let value = document["tls_authentication"] {
            if let text = value.text, !["GETDNS_AUTHENTICATION_REQUIRED", "1301"].contains(text) {
                add("with \("tls_authentication: \(text)".quotedExcerpt)", at: value)
            }
        } else {
            add("without \("tls_authentication: GETDNS_AUTHENTICATION_REQUIRED".quotedExcerpt)", at: servers)
        }
        if let value = document["dns_transport_list"] {
            let isOther = (value.sequence ?? [value]).contains { transport in
                transport.text.map { !["GETDNS_TRANSPORT_TLS", "1202"].contains($0) } ?? false
            }
            if isOther { add("with another transport than TLS in \("dns_transport_list".quotedExcerpt)", at: value) }
        } else {
            add("without TLS as the only transport in \("dns_transport_list".quotedExcerpt)", at: servers)
        }
    }

    private static func key(
        _ pin: YAMLValue, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> PinSet.PinnedKey? {
        guard let digest = pin["digest"]?.text, let value = pin["value"], let text = value.text else {
            warnings.add(.notRead("a pin needs \"digest\" and \"value\"", line: pin.position.line))
            return nil
        }
        // In getdns's own syntax, a text has quotation marks and base64 has none (seen with stubby 1.6.0, which does not start).
        let mistake =
            !value.isPlain
            ? "the value of a pin is in quotation marks"
            : pin["digest"]?.isPlain == true
                ? "\"sha256\" is not in quotation marks" : nil
        if let mistake { warnings.add(.fileRejected(by: "stubby", mistake, line: value.position.line)) }
        guard digest == "sha256" else {
            throw rejected(digest, by: "getdns", expected: "\"sha256\"", at: pin.position)
        }
        return PinSet.PinnedKey(pin: try barePin(text, at: value.position))
    }

    // MARK: Writing

    static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        let entries = try traits.capabilities.writable(set, as: format, &warnings)
        // Without these two settings, getdns tolerates a server without a pinned key.
        var text = """
            tls_authentication: GETDNS_AUTHENTICATION_REQUIRED
            dns_transport_list:
              - GETDNS_TRANSPORT_TLS
            \(serversKey):\(entries.isEmpty ? " []" : "")

            """
        for entry in entries {
            if IPAddress(entry.host) == nil {
                text += "  # Add address_data, the IP address of the server.\n"
                text += "  - tls_auth_name: \(quoted(entry.host))\n"
            } else {
                text += "  - address_data: \(quoted(entry.host))\n"
            }
            text += "    \(pinsKey):\n"
            for key in entry.pins {
                text += "      - digest: \"sha256\"\n        value: \(key.pin.base64)\n"
            }
        }
        return PinSetWriting(text, warnings)
    }
}

extension YAMLValue {
    /// Whether the value is a text without quotation marks.
    fileprivate var isPlain: Bool { if case .scalar(_, isPlain: true) = content { true } else { false } }
}

extension PinSetFormat {
    public static let stubby = PinSetFormat(StubbyFormat.self)
}
