internal import Encodings
public import PinSetCodec
internal import Pinning

/// The value of `curl --pinnedpubkey` and `wget --pinnedpubkey`: `sha256//…;sha256//…`.
///
/// Both programs compare only the server's own key. The string contains no host. So the host is an input, or it is in a comment on
/// the line before, which pinctl writes if the set has several hosts.
enum CurlFormat: InputReadingCodec, InputWritingCodec {
    static let traits = FormatTraits(
        name: "curl", summary: "the value of curl --pinnedpubkey", fileName: "pinnedpubkey.txt",
        readingInputs: [.host], writingInputs: [.host], generatedFile: .lines,
        comparesLeafOnly: true, platforms: [.curl], lintRules: [.leafPinsOnly],
        capabilities: FormatCapabilities(roles: Set(PinSet.AllowedRole.allCases)))

    static func recognizes(_ file: FileContents) -> Bool {
        guard file.json == nil else { return false }
        return lines(of: file.bytes).contains { line in
            let value = unquoted(value(in: line.text))
            return value.starts(with: prefix) && !isOtherSpelling(value)
        }
    }

    private static let prefix = Array("sha256//".utf8)

    /// Whether the value is a pin in OkHttp's form: "sha256/" and a pin that begins with a slash.
    private static func isOtherSpelling(_ value: ArraySlice<UInt8>) -> Bool {
        let pin = value.dropFirst(prefix.count - 1).prefix { !"\"':;,".utf8.contains($0) }
        return (try? Pin(spelling: String(decoding: pin, as: UTF8.self))) != nil
    }

    // MARK: Reading

    /// Reads the pins that curl and wget compare. A part of a string that never matches is left out with a warning: curl up to 8.17
    /// compares each part between `sha256//` and the next `;sha256//` as one text (lib/vtls/vtls.c, Curl_pin_peer_pubkey; 7.88.1 was
    /// run).
    static func read(
        _ bytes: [UInt8], with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetReading {
        var entries: [PinSet.Entry] = []
        var warnings = ConversionWarnings()
        var hasPins = false
        for line in lines(of: bytes) {
            let place = SourcePosition(line: line.number, column: 1)
            let value = value(in: line.text)
            guard value.starts(with: prefix) else {
                throw error(.curl(unquoted(value).starts(with: prefix) ? .singleQuotes : .noPrefix), at: place)
            }
            guard let host = line.host ?? inputs.host else {
                throw error(.noHost(of: .pins), line: line.number)
            }
            for part in value.split(separator: UInt8(ascii: ";")) {
                let pin = try pin(String(decoding: part.trimmed, as: UTF8.self), at: place)
                // The pins of a set are checked later, but a part can be left out.
                guard !KnownPrivateKeys.include(pin.bytes) else { throw error(.privateKey(.privateKey), at: place) }
                hasPins = true
            }
            if isCommand(line.text), line.text.split(whereSeparator: \.isWhiteSpace).contains(where: isNext) {
                warnings.add(
                    .uncheckedConnections(
                        "for the transfers after \"--next\", curl does not use the options before it", line: line.number
                    ),
                    of: host)
            }
            if ["=", ":"].contains(where: { line.text.starts(with: "--\(option)\($0)".utf8) }),
                !line.text.contains(where: \.isWhiteSpace)
            {
                warnings.add(
                    .uncheckedConnections(
                        "in a configuration file, curl ignores an option with two hyphens and an equals sign or a colon",
                        line: line.number),
                    of: host)
            }
            let pins = comparedPins(of: line.string, line: line.number, host: host, &warnings)
            if !pins.isEmpty { entries.append(try entry(host, pins: pins, at: place)) }
        }
        guard hasPins else {
            throw error(.curl(.noPins))
        }
        if let first = lines(of: bytes).first?.number, let line = lineOfNext(in: bytes, after: first) {
            warnings.add(
                .uncheckedConnections(
                    "for the transfers after \"next\", curl does not use the options before it", line: line))
        }
        return PinSetReading(set: try set(entries), warnings: warnings.list)
    }

    /// The pins of a string that curl can match. Each other part of the string causes a warning.
    private static func comparedPins(
        of string: [UInt8], line: Int, host: String, _ warnings: inout ConversionWarnings
    ) -> [PinSet.PinnedKey] {
        // A string that does not begin with the prefix is the name of a file.
        let pieces = string.starts(with: prefix) ? CurlModel.pieces(of: string) : [string[...]]
        var pins = PinnedKeyList()
        for piece in pieces where !piece.isEmpty {
            let text = String(decoding: piece, as: UTF8.self)
            if let pin = try? Pin(spelling: text), pin.base64 == text {
                pins.add(PinSet.PinnedKey(pin: pin, role: .leaf))
            } else {
                warnings.add(.partNeverMatches(text, line: line), of: host)
            }
        }
        return pins.keys
    }

    private struct Line {
        let number: Int
        /// Without white space around it.
        let text: ArraySlice<UInt8>
        /// The host in the comment before the line.
        let host: String?
        /// The string as the program receives it.
        let string: [UInt8]
    }

    /// The lines with strings. If one has the option, those with other options are left out: they are of a configuration file or a script.
    private static func lines(of bytes: [UInt8]) -> [Line] {
        let hasOption = bytes.contains(ignoringCase: option)
        var lines: [Line] = []
        var host: String?
        let all = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in all.enumerated() {
            let text = line.trimmed
            guard let first = text.first else { continue }
            guard first != UInt8(ascii: "#") else {
                host = HostText.commented(text) ?? host
                continue
            }
            defer { host = nil }
            for command in commands(in: line) {
                let text = command.trimmed
                guard !hasOption || lastOption(in: text) != nil || unquoted(text).starts(with: prefix) else {
                    continue
                }
                lines.append(Line(number: index + 1, text: text, host: host, string: string(in: command)))
            }
        }
        return lines
    }

    /// The line of the option in a configuration file after which curl begins with no options (curl(1), `--next`).
    private static func lineOfNext(in bytes: [UInt8], after first: Int) -> Int? {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let index = lines.indices.dropFirst(first).first { index in
            isNext(lines[index].trimmed) || lines[index].trimmed.elementsEqual("next".utf8)
        }
        return index.map { $0 + 1 }
    }

    private static func isNext(_ word: ArraySlice<UInt8>) -> Bool {
        word.elementsEqual("--next".utf8) || word.elementsEqual("-:".utf8)
    }

    private static let option = "pinnedpubkey"

    /// The string of a line as the program receives it. If the string is the only text on its line, white space around it is part of
    /// the string.
    private static func string(in line: ArraySlice<UInt8>) -> [UInt8] {
        let text = line.trimmed
        let value = value(in: text)
        guard value.count == text.count else { return Array(value) }
        return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }

    /// The strings of a file as the program receives them. Each comes with its host and its line.
    static func strings(in bytes: [UInt8]) -> [(host: String?, text: [UInt8], line: Int)] {
        lines(of: bytes).map { ($0.host, $0.string, $0.number) }
    }

    /// The pins of a line. The line can be the string alone, an option of curl's configuration file (`pinnedpubkey = "…"`), or a
    /// command.
    private static func value(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let option = lastOption(in: line) else { return unquoted(line) }
        let after = line[option.upperBound...]
        // An option with hyphens has no sign between blanks.
        let isDashed = line[..<option.lowerBound].last == UInt8(ascii: "-") && after.first?.isWhiteSpace ?? false
        let rest = after.drop {
            $0.isWhiteSpace || !isDashed && ($0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":"))
        }
        guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            quote == UInt8(ascii: "\"") || !isSetting(line, option)
        else {
            let isCommand = isCommand(line[..<option.lowerBound])
            return rest.prefix { !$0.isWhiteSpace && !(isCommand && ";&|<>)".utf8.contains($0)) }
        }
        return rest.dropFirst().prefix { $0 != quote }
    }

    /// The last option in a line, which counts (curl(1), wget(1)).
    private static func lastOption(in line: ArraySlice<UInt8>) -> Range<Int>? {
        guard let first = line.firstRange(ignoringCase: option) else { return nil }
        let before = line[..<first.lowerBound]
        // A comment of curl can begin with a slash or an asterisk, too (src/tool_parsecfg.c).
        if let sign = before.trimmed.first, ";/*".utf8.contains(sign), !isCommand(before) { return nil }
        // The value of another option.
        let words = before.split(maxSplits: 2, whereSeparator: \.isWhiteSpace).dropFirst()
        if let sign = words.first, sign.elementsEqual("=".utf8) || sign.elementsEqual(":".utf8) { return nil }
        var (last, next) = (Range<Int>?.none, Optional(first))
        while let found = next {
            if beginsOption(line[..<found.lowerBound]) { last = found }
            next = line[found.upperBound...].firstRange(ignoringCase: option)
        }
        return last
    }

    /// Whether the text before the name of the option is not a part of another name. The option for the proxy has another name with the same
    /// end. curl 7.88.1 ignores a line of its configuration file with any other character before the name, such as a byte order mark or a
    /// no-break space.
    private static func beginsOption(_ before: ArraySlice<UInt8>) -> Bool {
        guard let last = before.last else { return true }
        let isOneHyphen = last == UInt8(ascii: "-") && before.dropLast().last != UInt8(ascii: "-")
        return last < 0x80 && !isOneHyphen
    }

    /// Whether the line is `pinnedpubkey = VALUE` in a configuration file of curl, in which only double quotation marks are removed (7.88.1
    /// was run). Without the space, it can be a variable of a script.
    private static func isSetting(_ line: ArraySlice<UInt8>, _ option: Range<Int>) -> Bool {
        line[option].elementsEqual(Self.option.utf8) && option.lowerBound == line.startIndex
            && option.upperBound < line.endIndex && line[option.upperBound].isWhiteSpace
    }

    private static func isCommand(_ text: ArraySlice<UInt8>) -> Bool {
        ["curl ", "wget "].contains { text.firstRange(ignoringCase: $0) != nil }
    }

    /// The commands of a line with the option, without a comment at the end. In a shell, `;`, `&` and `|` outside quotation marks separate
    /// them. A line of a configuration file is one command.
    private static func commands(in line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        guard line.firstRange(ignoringCase: option) != nil else { return [line] }
        let isCommand = isCommand(line)
        var commands: [ArraySlice<UInt8>] = []
        var start = line.startIndex
        var quote: UInt8?
        var isStart = true
        for (index, byte) in zip(line.indices, line) {
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "#"), isStart {
                return commands + [line[start..<index]]
            } else if isCommand, ";&|".utf8.contains(byte) {
                commands.append(line[start..<index])
                start = index + 1
            }
            isStart = byte.isWhiteSpace || isCommand && ";&|".utf8.contains(byte)
        }
        return commands + [line[start...]]
    }

    private static func unquoted(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.count > 1, let quote = text.first, quote == text.last,
            quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        else { return text }
        return text.dropFirst().dropLast()
    }

    // MARK: Writing

    static func write(
        _ set: PinSet, with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        let lines = try set.written(as: Self.self, comparing: .leaf, host: inputs.host, &warnings)
        let isOfSeveral = inputs.host == nil && set.entries.count > 1
        var text = ""
        for line in lines {
            if isOfSeveral { text += "# \(line.host)\n" }
            text += line.keys.map { "sha256//\($0.pin.base64)" }.joined(separator: ";") + "\n"
        }
        return PinSetWriting(text, warnings)
    }
}

extension PinSetFormat {
    public static let curl = PinSetFormat(CurlFormat.self)
}
