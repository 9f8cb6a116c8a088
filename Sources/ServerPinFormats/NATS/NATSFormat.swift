internal import Encodings
public import PinSetCodec
internal import Pinning

/// `pinned_certs` in a `tls` block of a NATS server's configuration: the SHA-256 of the peer's key as 64 hexadecimal digits.
///
/// With any other text, the server does not start (nats-server 2.14.5, 1787eee, server/opts.go, server/auth.go
/// `matchesPinnedCert`). The block contains no host, so pinctl writes the host as a comment.
enum NATSFormat: InputReadingCodec, InputWritingCodec {
    static let traits = FormatTraits(
        name: "nats", summary: "pinned_certs of a NATS server", fileName: "nats-tls.conf",
        readingInputs: [.host], writingInputs: [.host], comparesLeafOnly: true, platforms: [.nats],
        lintRules: [.leafPinsOnly],
        capabilities: FormatCapabilities(roles: Set(PinSet.AllowedRole.allCases)))

    private static let key = NATSKeys.pins

    static func recognizes(_ file: FileContents) -> Bool {
        file.json == nil && file.bytes.contains(ignoringCase: key)
    }

    // MARK: Reading

    static func read(
        _ bytes: [UInt8], with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetReading {
        var warnings = ConversionWarnings()
        let source = SourceText(bytes, language: .configuration)
        let comments = CommandLines(bytes).lines.compactMap { line in
            line.commentedHost.map { (line: line.number, name: $0) }
        }
        var hosts = HostPinList()
        var places = PlacesOfHosts(usedBy: "a connection of nats-server")
        var comment = comments.startIndex
        let keys = NATSKeys(source, hosts: comments)
        for index in source.tokens.indices where isKey(index, in: source) {
            let block = source.openBracket(around: index)
            if let block, !(source.closingBracket(of: block).map { source.isSign($0, "}") } ?? false) {
                warnings.add(
                    .fileRejected(by: "nats-server", "the block is not closed", line: source.tokens[block].line))
            }
            if let reason = unreadReason(keys.use(of: index)) {
                warnings.add(.notRead(reason, line: source.tokens[index].line))
                continue
            }
            var open = index + 1
            if source.isSign(open, ":") || source.isSign(open, "=") { open += 1 }
            let position = source.position(of: index)
            guard source.isSign(open, "["), let end = source.closingBracket(of: open) else {
                warnings.add(.unknownPin(source.source(of: open..<open + 1), line: source.tokens[index].line))
                continue
            }
            while comment + 1 < comments.count, comments[comment + 1].line < source.tokens[index].line { comment += 1 }
            let written = comments.indices.contains(comment) && comments[comment].line < source.tokens[index].line
            guard let host = written ? comments[comment].name : inputs.host else { throw missingHost(at: position) }
            var item = open + 1
            var digests: Set<[UInt8]> = []
            while item < end {
                if source.isSign(item, "$") {
                    // A variable, whose value can be in the environment (nats-server, "Configuration", "Variables").
                    let name = source.source(of: item..<min(item + 2, end))
                    warnings.add(.unknownPin(name, line: source.tokens[item].line), of: host)
                    item += 1
                } else if !source.isSign(item, ",") {
                    let key = try pin(at: item, in: source)
                    digests.insert(key.pin.bytes)
                    hosts.add(key, of: host, at: position)
                }
                item += 1
            }
            if let position { places.add(digests, of: host, at: position, &warnings) }
        }
        let entries = try hosts.entries(as: self)
        guard !entries.isEmpty else { throw noPins(warnings, example: "write pins like this: \(key): [\"…\"]") }
        for index in source.tokens.indices where isInclude(index, in: source) {
            warnings.add(
                .includeNotRead(directive: source.word(index) ?? "include", line: source.tokens[index].line))
        }
        return PinSetReading(set: try set(entries), warnings: warnings.list)
    }

    /// Whether a token is the key, as a word or in quotes, in any case.
    private static func isKey(_ index: Int, in source: SourceText) -> Bool {
        let token = source.tokens[index]
        return switch token.kind {
        case .word:
            token.range.count == key.utf8.count && source.bytes[token.range].starts(withIgnoringCase: key)
        case .text(let text?): text.count == key.utf8.count && text[...].starts(withIgnoringCase: key)
        case .text(nil), .sign: false
        }
    }

    /// Whether a token is the keyword `include`, in any case: the start of a line or of a map, without quotes and before white space
    /// (conf/lex.go `keyCheckKeyword`).
    private static func isInclude(_ index: Int, in source: SourceText) -> Bool {
        let token = source.tokens[index]
        guard token.kind == .word, token.range.count == 7,
            source.bytes[token.range].starts(withIgnoringCase: "include"),
            token.range.upperBound < source.bytes.count, source.bytes[token.range.upperBound].isWhiteSpace
        else { return false }
        let isFirst = index == 0 || source.tokens[index - 1].line < token.line
        return isFirst && !source.isSign(index - 1, ":") && !source.isSign(index - 1, "=")
            || ["{", "}", ",", ";"].contains { source.isSign(index - 1, $0) }
    }

    private static func unreadReason(_ use: NATSKeys.Use) -> String? {
        switch use {
        case .read: nil
        case .replaced(let name): "nats-server uses only the last \(name.quotedExcerpt) of several"
        case .ambiguous(let name): "nats-server uses any of several spellings of \(name.quotedExcerpt)"
        case .noSetting:
            "nats-server reads \(key.quotedExcerpt) only in the \("tls".quotedExcerpt) block of the file or of a listener, and not of one"
                + " of its remotes or gateways"
        }
    }

    private static func pin(at index: Int, in source: SourceText) throws(PinSetFormatError) -> PinSet.PinnedKey {
        var text = source.word(index) ?? ""
        if case .text(let bytes?) = source.tokens[index].kind { text = String(decoding: bytes, as: UTF8.self) }
        let position = source.position(of: index)
        guard text.utf8.count == 64, text.utf8.allSatisfy({ Hex.value(of: $0) != nil }) else {
            throw rejected(
                text, by: "nats-server", expected: "the SHA-256 of the public key, 64 hexadecimal digits",
                at: position ?? SourcePosition(line: 1, column: 1))
        }
        return PinSet.PinnedKey(pin: try pin(text, at: position), role: .leaf)
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
            text += "# host: \(host)\ntls {\n  \(key): [\n"
            for key in keys { text += "    \"\(Hex.encode(key.pin.bytes))\",\n" }
            text += "  ]\n}\n"
        }
        return PinSetWriting(text, warnings)
    }
}

extension PinSetFormat {
    public static let nats = PinSetFormat(NATSFormat.self)
}
