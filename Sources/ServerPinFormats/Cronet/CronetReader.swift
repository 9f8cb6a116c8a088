internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Reads the calls of `addPublicKeyPins(hostName, pinsSha256, includeSubdomains, expirationDate)` in Kotlin and Java (Chromium,
/// components/cronet/android/java/src/org/chromium/net/impl/CronetEngineBuilderImpl.java).
///
/// The builder throws an exception for a pin without 32 bytes. Of two calls for a host, the last one applies.
struct CronetReader {
    static let method = "addPublicKeyPins"
    /// The setting of Cronet's builder, and of the one of HttpEngine. Without a call, it is true (Chromium,
    /// components/cronet/android/java/src/org/chromium/net/impl/CronetEngineBuilderImpl.java, the constructor).
    private static let bypasses = [
        "enablePublicKeyPinningBypassForLocalTrustAnchors", "setEnablePublicKeyPinningBypassForLocalTrustAnchors",
    ]

    private var source: SourceReader
    private var warnings = ConversionWarnings()
    /// The host to use for a call whose host is unknown.
    private let host: String?
    /// The arguments of `NAME.add(…)` by name, with the tokens of the calls, because a set can be filled by statements.
    private var additions: [String: [(index: Int, value: SourceLiteral)]] = [:]
    /// The tokens of the assignments of each name, and whether all are declarations of variables, each with a type or a keyword.
    private var assignments: [String: (indices: [Int], areDeclarations: Bool)] = [:]
    /// The sets that code fills which is not read.
    private var unknownSets: Set<String> = []
    private var shared: SharedPinCount

    init(_ bytes: [UInt8], host: String?) {
        source = SourceReader(bytes, language: .java)
        shared = SharedPinCount(literals: source.literals)
        self.host = host
    }

    /// Whether the source has the method outside strings and comments.
    var hasCalls: Bool { source.source.indices(of: Self.method).contains { source.source.word($0) != nil } }

    mutating func reading() throws(PinSetFormatError) -> PinSetReading {
        if let ambiguity = source.source.ambiguity {
            throw CronetFormat.error(.ambiguousSource(ambiguity.problem), line: ambiguity.line)
        }
        var entries: [PinSet.Entry] = []
        var indices: [String: Int] = [:]
        for call in source.calls(of: "add") where source.source.isSign(call.index - 1, ".") {
            guard let name = source.source.word(call.index - 2) else { continue }
            // The set of another object.
            if source.source.isSign(call.index - 3, "."), !source.source.isWord(call.index - 4, "this") { continue }
            additions[name, default: []] += call.arguments.map { (call.index, $0.value) }
        }
        findAssignments()
        findOtherUses()
        let calls = source.calls(of: Self.method)
        try source.checkLimits(as: CronetFormat.self)
        for call in calls {
            guard let entry = try entry(call) else { continue }
            if let index = indices[entry.name] {
                warnings.add(.laterEntry(line: entries[index].position?.line), of: entry.host)
                entries[index] = entry
            } else {
                indices[entry.name] = entries.count
                entries.append(entry)
            }
        }
        addBypass(calls)
        guard !entries.isEmpty || warnings.list.contains(where: \.leavesOutUnreadPins) else {
            throw CronetFormat.noPins(
                warnings,
                example: "write pins like this: addPublicKeyPins(\"example.com\", pins, false, expirationDate)")
        }
        return PinSetReading(set: try CronetFormat.set(entries), warnings: warnings.list)
    }

    private mutating func findAssignments() {
        let source = source.source
        for index in source.tokens.indices where source.isSign(index, "=") && !source.isSign(index + 1, "=") {
            guard let name = source.word(index - 1), additions[name] != nil else { continue }
            let before = source.tokens[max(0, index - 2)]
            let isOnLine = index > 1 && before.line == source.tokens[index - 1].line
            let isDeclaration = isOnLine && (before.kind == .word || source.isSign(index - 2, ">"))
            assignments[name, default: ([], true)].indices.append(index)
            if !isDeclaration { assignments[name]?.areDeclarations = false }
        }
    }

    /// Finds sets that are filled in other ways: `NAME.apply { add(…) }`, `with(NAME) { add(…) }`, `NAME::add`.
    private mutating func findOtherUses() {
        let source = source.source
        let blocks = ["apply", "run", "also", "let"]
        for index in source.tokens.indices {
            guard let name = source.word(index), additions[name] != nil else { continue }
            let isBlock =
                source.isSign(index + 1, ".") && source.isSign(index + 3, "{")
                && blocks.contains { source.isWord(index + 2, $0) }
            let isWith =
                source.isWord(index - 2, "with") && source.isSign(index - 1, "(") && source.isSign(index + 1, ")")
            let isReference =
                source.isSign(index + 1, ":") && source.isSign(index + 2, ":") && source.isWord(index + 3, "add")
            if isBlock || isWith || isReference { unknownSets.insert(name) }
        }
    }

    /// The values that were added to the set with a name before a call. Of several variables with the name, the last one before the call
    /// counts.
    ///
    /// - Returns: nil if they are not known, because a variable gets another set.
    private func additions(to name: String, before call: Int) -> [SourceLiteral]? {
        let added = additions[name] ?? []
        guard !unknownSets.contains(name) else { return nil }
        guard let known = assignments[name], known.indices.count > 1 else {
            // The builder copies the set when it is called.
            return added.last.map { $0.index > call } ?? false ? nil : added.map(\.value)
        }
        let next = Self.position(in: known.indices.count) { known.indices[$0] < call }
        guard known.areDeclarations, next > 0 else { return nil }
        let start = known.indices[next - 1]
        let range =
            Self.position(in: added.count) {
                added[$0].index < start
            }..<Self.position(in: added.count) { added[$0].index < call }
        return added[range].map(\.value)
    }

    /// The first index in a sorted array that is not before a position.
    private static func position(in count: Int, isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Adds a warning if the pins do not apply to the CAs that a user of the device has installed.
    private mutating func addBypass(_ pinning: [SourceCall]) {
        let effect = "the pins do not apply to CAs that a user has installed on the device"
        func add(_ text: String, _ index: Int) {
            warnings.add(.uncheckedConnections("\(text), \(effect)", line: source.source.tokens[index].line))
        }
        let calls = Self.bypasses.flatMap { source.calls(of: $0) }
        for call in Self.withoutSetting(pinning, calls.map(\.index), builders: builders) {
            add("without \("\(Self.bypasses[0])(false)".quotedExcerpt)", call.index)
        }
        for call in calls {
            let value = call.arguments.first?.value
            guard value?.bool != false else { continue }
            let text = value.map(shown) ?? ""
            add(
                (value?.bool == true ? "with " : "if the argument is true in ")
                    + "\(source.source.word(call.index) ?? "")(\(text))".quotedExcerpt, call.index)
        }
    }

    /// The tokens at which the source creates builders.
    private var builders: [Int] {
        mutating get {
            source.calls(of: "Builder").map(\.index).filter { index in
                ["CronetEngine", "ExperimentalCronetEngine", "HttpEngine"].contains {
                    source.source.isSign(index - 1, ".") && source.source.isWord(index - 2, $0)
                }
            }
        }
    }

    /// The first call with pins of each builder for which the source does not call the setting. The calls between two builders belong to the
    /// first one.
    private static func withoutSetting(
        _ pinning: [SourceCall], _ settings: [Int], builders: [Int]
    ) -> [SourceCall] {
        guard let first = pinning.first, builders.count > 1 else {
            return settings.isEmpty ? Array(pinning.prefix(1)) : []
        }
        func builder(of index: Int) -> Int { position(in: builders.count) { builders[$0] < index } }
        var calls = [builder(of: first.index): first]
        for call in pinning where calls[builder(of: call.index)] == nil { calls[builder(of: call.index)] = call }
        // If each builder has a call, their order does not matter.
        guard settings.count < calls.count else { return [] }
        let set = Set(settings.map(builder))
        return calls.filter { !set.contains($0.key) }.map(\.value).sorted { $0.index < $1.index }
    }

    private mutating func entry(_ call: SourceCall) throws(PinSetFormatError) -> PinSet.Entry? {
        let line = source.source.tokens[call.index].line
        let position = source.source.position(of: call.index)
        guard let hosts = call.argument("hostName", at: 0), let pins = call.argument("pinsSha256", at: 1) else {
            warnings.add(.notRead("addPublicKeyPins needs a host and pins", line: line))
            return nil
        }
        let text = shown(hosts)
        guard let host = hosts.text ?? host else {
            warnings.add(.unknownPattern(text, line: hosts.line))
            return nil
        }
        if hosts.text == nil { warnings.add(.patternAsHost(text, line: hosts.line), of: host) }
        if let reason = Self.refusal(of: host) {
            warnings.add(.hostRejected(by: "Cronet", reason, line: hosts.line), of: host)
            return nil
        }
        let keys = try self.keys(in: pins, of: host, at: position, before: call.index)
        guard !keys.isEmpty else {
            warnings.add(.hostWithoutPins, of: host)
            return nil
        }
        var includesSubdomains = false
        if let value = call.argument("includeSubdomains", at: 2) {
            if let bool = value.bool {
                includesSubdomains = bool
            } else {
                warnings.add(.valueNotLiteral(shown(value), key: "includeSubdomains", line: value.line), of: host)
            }
        }
        var expires: Timestamp?
        if let value = call.argument("expirationDate", at: 3) { expires = self.expires(value, of: host) }
        return try CronetFormat.readableEntry(
            host, subdomains: includesSubdomains ? .all : .none, expires: expires, pins: keys.keys, at: position,
            &warnings)
    }

    /// The reason why the builder does not accept a host (`validateHostNameForPinningAndConvert`, which calls `IDN.toASCII` with
    /// `USE_STD3_ASCII_RULES`; RFC 3490, section 4.1); nil if it accepts it.
    private static func refusal(of host: String) -> String? {
        if host.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }) { return "has only digits and dots" }
        let isOther = host.utf8.contains { byte in
            !byte.isDigit && !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) && byte < 0x80
                && byte != UInt8(ascii: "-") && byte != UInt8(ascii: ".")
        }
        if isOther { return "has other characters than letters, digits and hyphens" }
        let hasHyphen = host.parts(separatedBy: ".").contains { $0.begins(with: "-") || $0.ends(with: "-") }
        return hasHyphen ? "has a label with a hyphen at its start or end" : nil
    }

    private func shown(_ literal: SourceLiteral) -> String { source.source.source(of: literal.range) }

    private mutating func keys(
        in value: SourceLiteral, of host: String, at position: SourcePosition?, before call: Int
    ) throws(PinSetFormatError) -> PinnedKeyList {
        var values = value.elements
        if value.range.count == 1, let name = source.source.word(value.range.lowerBound), additions[name] != nil {
            guard let added = additions(to: name, before: call) else {
                warnings.add(.unknownPin(name, line: value.line), of: host)
                return PinnedKeyList()
            }
            if case .name = value.content { values = [] }
            // The limit is checked before the pins are copied, because many calls can use one large set.
            var trial = shared
            try trial.add(added.count, as: CronetFormat.self, at: position)
            values += added
        }
        var keys = PinnedKeyList()
        for element in values {
            let texts = element.texts
            try shared.add(max(1, texts.count), as: CronetFormat.self, at: position)
            if texts.isEmpty { warnings.add(.unknownPin(shown(element), line: element.line), of: host) }
            // A comment belongs to the pin before it.
            let comment = texts.count == 1 ? source.source.comment(after: element.range.upperBound - 1) : nil
            for text in texts {
                guard let spelling = text.text,
                    let pin = warnings.pin(spelling, by: .android, of: host, line: text.line)
                else { continue }
                keys.add(PinSet.PinnedKey(pin: pin, note: comment))
            }
        }
        return keys
    }

    /// The end in `Date(1780000000000L)` or `Date.from(Instant.parse("2027-06-01T00:00:00Z"))`; nil if the pins do not expire.
    private mutating func expires(_ value: SourceLiteral, of host: String) -> Timestamp? {
        if value.calledName == "Date", let argument = value.elements.first, value.elements.count == 1 {
            if case .name("Long.MAX_VALUE") = argument.content { return nil }
            if let milliseconds = argument.integer {
                let time = Timestamp(secondsSince1970: milliseconds / 1000)
                return time >= CronetFormat.endOfTime ? nil : time
            }
        }
        let texts = value.texts.compactMap(\.text)
        if texts.count == 1, let time = Timestamp(rfc3339: texts[0]) { return time }
        warnings.add(.valueNotLiteral(shown(value), key: "expirationDate", line: value.line), of: host)
        return nil
    }
}
