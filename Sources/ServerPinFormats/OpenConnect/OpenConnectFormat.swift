internal import Encodings
public import PinSetCodec
internal import Pinning

/// The option `--servercert` of openconnect 8.10 and later, in commands and in configuration files.
///
/// The value is the SHA-256 of the server's key, as `pin-sha256:` with base64 or as `sha256:` with hexadecimal digits. A shorter
/// text of at least four characters matches as a prefix of the hash (openconnect ca7bc36, library.c
/// `openconnect_check_peer_cert_hash`).
enum OpenConnectFormat: InputReadingCodec, InputWritingCodec {
    static let traits = FormatTraits(
        name: "openconnect", summary: "--servercert of openconnect, as a configuration file",
        fileName: "openconnect.conf", hasUniqueFileName: false, readingInputs: [.host], writingInputs: [.host],
        comparesLeafOnly: true, platforms: [.openconnect], lintRules: [.leafPinsOnly],
        capabilities: FormatCapabilities(roles: Set(PinSet.AllowedRole.allCases)))

    private static let prefix = "pin-sha256:"
    /// The start of each text of a SHA-256, and the number of characters of the hash.
    private static let kinds = [(prefix, 44), ("sha256:", 64)]

    static func recognizes(_ file: FileContents) -> Bool {
        guard file.json == nil else { return false }
        return file.bytes.contains(ignoringCase: "servercert")
            && (file.bytes.contains(ignoringCase: prefix) || file.bytes.contains(ignoringCase: "sha256:"))
            || file.bytes.contains(ignoringCase: "openconnect") && file.bytes.contains(ignoringCase: prefix)
    }

    // MARK: Reading

    static func read(
        _ bytes: [UInt8], with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetReading {
        var warnings = ConversionWarnings()
        var hosts = HostPinList()
        var places = PlacesOfHosts(usedBy: "a command")
        let lines = CommandLines(bytes).lines
        // A configuration file has one server, whose line can be anywhere.
        var host = lines.lazy.compactMap(server).first
        // The lines with --cafile, and the host of a command; nil for an option of a configuration file.
        var anchors: [(line: Int, host: String?)] = []
        for line in lines {
            host = line.commentedHost ?? host
            if let option = abbreviation(in: line) {
                warnings.add(
                    .notRead(
                        "\(option.quotedExcerpt) is an abbreviation of --servercert, and its value is a pin, too",
                        line: line.number))
            }
            let hasAnchors = !line.values(of: "cafile").isEmpty
            if hasAnchors, !isCommand(line) { anchors.append((line.number, nil)) }
            let hashes = setting(in: line).map { [$0] } ?? hashes(in: line)
            let keys = hashes.compactMap { key($0, line: line.number, &warnings) }
            guard !keys.isEmpty else { continue }
            let operand = operand(of: line, &warnings)
            if hasAnchors, isCommand(line) { anchors.append((line.number, operand ?? host ?? inputs.host)) }
            let position = SourcePosition(line: line.number, column: 1)
            guard let name = operand ?? host ?? inputs.host else { throw missingHost(at: position) }
            for key in keys { hosts.add(key, of: name, at: position) }
            // Each line of a configuration file adds a pin.
            if isCommand(line) { places.add(Set(keys.map(\.pin.bytes)), of: name, at: position, &warnings) }
        }
        let entries = try hosts.entries(as: self)
        guard !entries.isEmpty else { throw noPins(warnings, example: "write pins like this: servercert=pin-sha256:…") }
        for (line, host) in anchors {
            warnings.add(
                .uncheckedConnections(
                    "with \"cafile\", openconnect accepts a chain that validates and compares no pin", line: line),
                of: host)
        }
        return PinSetReading(set: try set(entries), warnings: warnings.list)
    }

    /// The value of `server` in a line of a configuration file.
    private static func server(in line: CommandLines.Line) -> String? {
        guard !isCommand(line), line.words.first.map({ $0 == "server" || $0.begins(with: "server=") }) ?? false else {
            return nil
        }
        return line.values(of: "server").first.flatMap(HostText.host)
    }

    /// An abbreviation of `--servercert` in a command (getopt_long(3)). Shorter ones can mean `--server`.
    private static func abbreviation(in line: CommandLines.Line) -> String? {
        guard isCommand(line) else { return nil }
        return line.words.lazy.map { String($0.before(anyOf: "=")) }
            .first { $0.begins(with: "--serverc") && !$0.isSame(as: "--servercert") && "--servercert".begins(with: $0) }
    }

    private static func isCommand(_ line: CommandLines.Line) -> Bool {
        line.words.contains { $0 == "openconnect" || $0.ends(with: "/openconnect") }
    }

    /// The value of `servercert` in a line of a configuration file: all the text after the name, blanks and one "=", so also quotation
    /// marks, a comment and blanks at the end (main.c `next_option`).
    private static func setting(in line: CommandLines.Line) -> String? {
        let name = "servercert".utf8
        var value = line.source.dropFirst(name.count)
        guard line.source.starts(with: name), let next = value.first, " \t=".utf8.contains(next) else { return nil }
        var hasEquals = false
        while let next = value.first,
            next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") || !hasEquals && next == UInt8(ascii: "=")
        {
            if next == UInt8(ascii: "=") { hasEquals = true }
            value.removeFirst()
        }
        // openconnect requires a value.
        return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
    }

    /// Returns the values of `--servercert`. If there are none, returns all words that begin with the prefix of a pin.
    private static func hashes(in line: CommandLines.Line) -> [String] {
        let values = line.values(of: "servercert")
        return values.isEmpty ? line.words.filter { $0.begins(with: prefix) } : values
    }

    /// - Returns: nil for a hash that is not a pin; a warning is added.
    private static func key(
        _ text: String, line: Int, _ warnings: inout ConversionWarnings
    ) -> PinSet.PinnedKey? {
        guard !text.has("$") else {
            warnings.add(.unknownPin(text, line: line))
            return nil
        }
        var digest: [UInt8]?
        if let encoded = text.without(prefix: prefix) {
            // A missing "=" is accepted, because openconnect compares the text as a prefix of the hash.
            digest = try? Base64.decode(Array(encoded.utf8.count == 43 ? (encoded + "=").utf8 : encoded.utf8))
        } else if text.begins(with: "sha256:") {
            digest = try? Hex.decode(Array(text.utf8.dropFirst("sha256:".utf8.count)))
        } else if text.begins(with: "sha1:") || !text.has(":") {
            warnings.add(.sha1Pin(text))
            return nil
        }
        // openconnect compares the whole text as a prefix of the hash, and knows no other kind of hash.
        guard kinds.contains(where: { text.begins(with: $0) && text.utf8.count <= $0.utf8.count + $1 }) else {
            warnings.add(.neverMatches(text, line: line))
            return nil
        }
        guard let digest, digest.count == 32, let pin = try? Pin(spelling: Base64.encode(digest)) else {
            warnings.add(
                .notRead(
                    "\(text.quotedExcerpt) is shorter than a SHA-256, and openconnect compares it as a prefix",
                    line: line)
            )
            return nil
        }
        return PinSet.PinnedKey(pin: pin, role: .leaf)
    }

    /// Options of openconnect 9.12 whose value can be the next word (main.c, `long_options`).
    private static let optionsWithValue: Set<String> = [
        "--authgroup", "--base-mtu", "--cafile", "--cert-expire-warning", "--certificate", "--compression", "--config",
        "--cookie", "--csd-user", "--csd-wrapper", "--dtls-ciphers", "--dtls-local-port", "--dtls12-ciphers",
        "--external-browser", "--force-dpd", "--force-trojan", "--form-entry", "--gnutls-debug", "--gnutls-priority",
        "--http-auth", "--interface", "--key-password", "--local-hostname", "--mca-certificate", "--mca-key",
        "--mca-key-password", "--mtu", "--openssl-ciphers", "--os", "--pid-file", "--protocol", "--proxy",
        "--proxy-auth", "--queue-len", "--reconnect-timeout", "--request-ip", "--resolve", "--script", "--server",
        "--servercert", "--setuid", "--sni", "--sslkey", "--token-mode", "--token-secret", "--user", "--useragent",
        "--usergroup", "--version-string", "--xmlconfig", "-C", "-F", "-P", "-Q", "-U", "-c", "-e", "-g", "-i", "-k",
        "-m", "-p", "-s", "-u", "-x",
    ]

    /// The server of a command: the value of `--server`, or its last word that is neither an option nor a value.
    private static func operand(of line: CommandLines.Line, _ warnings: inout ConversionWarnings) -> String? {
        guard let program = line.words.firstIndex(where: { $0 == "openconnect" || $0.ends(with: "/openconnect") })
        else {
            return nil
        }
        // A long option can be abbreviated (getopt_long(3)).
        let operands = line.operands(after: program) { word in
            optionsWithValue.contains(word)
                || word.begins(with: "--") && optionsWithValue.contains { $0.begins(with: word) }
        }
        guard let operand = line.values(of: "server").last ?? operands.last else { return nil }
        guard !operand.has("$") else {
            warnings.add(.unknownPattern(operand, line: line.number))
            return nil
        }
        return HostText.host(in: operand)
    }

    // MARK: Writing

    static func write(
        _ set: PinSet, with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        var text = ""
        let hosts = try set.written(as: Self.self, comparing: .leaf, host: inputs.host, &warnings)
        if hosts.count > 1 { warnings.add(.hostsNotToldApart(count: hosts.count)) }
        for (host, keys) in hosts {
            text += "# host: \(host)\n"
            for key in keys { text += "servercert=\(prefix)\(key.pin.base64)\n" }
        }
        return PinSetWriting(text, warnings)
    }
}

extension PinSetFormat {
    public static let openconnect = PinSetFormat(OpenConnectFormat.self)
}
