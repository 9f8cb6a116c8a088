internal import Encodings
internal import PinSetCodec
internal import Pinning

/// A `CertificatePinner` as OkHttp applies it (OkHttp 5.4.0, okhttp3/CertificatePinner.kt, internal/-HostnamesCommon.kt; okio,
/// internal/-Base64.kt).
///
/// OkHttp combines the pins of all patterns that match a host. If no pattern matches, nothing is compared.
struct OkHttpModel: PlatformModel {
    enum Scope {
        /// `example.com`: only the host.
        case exact
        /// `*.example.com`: names with exactly one more label, but not the host itself.
        case one
        /// `**.example.com`: the host and all names below it.
        case all
    }

    /// One `add` call.
    struct Pattern {
        let text: String
        let scope: Scope
        /// The name as OkHttp compares it. If the pattern ends with a dot, the name does too.
        let name: String
        /// Pins other than SHA-256 with 32 bytes: SHA-1 pins, and pins of another length, which never match.
        var otherPins: [String] = []
        let position: SourcePosition?
    }

    /// The pins of one `add` call.
    struct PinList {
        private(set) var pins: Set<Pin> = []
        /// Pins other than SHA-256 with 32 bytes.
        private(set) var others: [String] = []
        /// The first text that is no pin for OkHttp.
        private(set) var rejected: String?

        init(_ texts: [String]) {
            for text in texts {
                let isSHA1 = text.hasPrefix("sha1/")
                guard isSHA1 || text.hasPrefix("sha256/"),
                    let bytes = PlatformBase64.okio(String(text.dropFirst(isSHA1 ? 5 : 7)))
                else {
                    rejected = text
                    return
                }
                if !isSHA1, let pin = Pin(digest: bytes) {
                    pins.insert(pin)
                } else {
                    others.append(text)
                }
            }
        }
    }

    /// The pins of all patterns with the same name and scope.
    private struct Group {
        let scope: Scope
        /// The spellings of the patterns, each once.
        private(set) var texts: [String]
        private var knownTexts: Set<ExactText>
        var pins: Set<Pin>
        var hasOtherPins: Bool
        var hasSHA1Pins: Bool

        init(_ pattern: Pattern, _ pins: Set<Pin>) {
            (scope, texts, knownTexts) = (pattern.scope, [pattern.text], [ExactText(pattern.text)])
            (self.pins, hasOtherPins) = (pins, !pattern.otherPins.isEmpty)
            hasSHA1Pins = pattern.otherPins.contains { $0.hasPrefix("sha1/") }
        }

        mutating func add(_ other: Group) {
            for text in other.texts where knownTexts.insert(ExactText(text)).inserted { texts.append(text) }
            pins.formUnion(other.pins)
            hasOtherPins = hasOtherPins || other.hasOtherPins
            hasSHA1Pins = hasSHA1Pins || other.hasSHA1Pins
        }
    }

    private(set) var patterns: [Pattern] = []
    /// The groups of each name, in the order of their first patterns.
    private var groups: [String: [Group]] = [:]
    /// The reason why OkHttp throws an exception, which stops the app.
    private(set) var failure: (message: String, position: SourcePosition?)?
    /// Number of patterns and pins whose value is unknown.
    var unknownValues = 0

    /// Adds the pins of an `add` call. OkHttp throws an exception for a pattern or a pin that it does not accept.
    mutating func add(_ text: String, _ pins: [String], at position: SourcePosition? = nil) {
        add(text, PinList(pins), at: position)
    }

    mutating func add(_ text: String, _ list: PinList, at position: SourcePosition? = nil) {
        guard var pattern = pattern(text, at: position) else { return }
        if let rejected = list.rejected {
            failure = failure ?? ("OkHttp does not accept the pin \(rejected.quotedExcerpt)", position)
            return
        }
        pattern.otherPins = list.others
        add(pattern, list.pins)
    }

    /// Adds pins that OkHttp accepts.
    mutating func add(_ text: String, _ pins: Set<Pin>) {
        if let pattern = pattern(text, at: nil) { add(pattern, pins) }
    }

    private mutating func pattern(_ text: String, at position: SourcePosition?) -> Pattern? {
        guard let (scope, name) = Self.parse(text) else {
            failure = failure ?? ("OkHttp does not accept the pattern \(text.quotedExcerpt)", position)
            return nil
        }
        return Pattern(text: text, scope: scope, name: name, position: position)
    }

    private mutating func add(_ pattern: Pattern, _ pins: Set<Pin>) {
        patterns.append(pattern)
        let added = Group(pattern, pins)
        let index = groups[pattern.name]?.firstIndex { $0.scope == pattern.scope }
        if let index {
            groups[pattern.name]?[index].add(added)
        } else {
            groups[pattern.name, default: []].append(added)
        }
    }

    func refusal(of _: PlatformConnection) -> PlatformRuling? {
        failure.map {
            PlatformRuling(.refusesConfig, "\($0.message): it throws an IllegalArgumentException, and the app stops")
        }
    }

    func ruling(on connection: PlatformConnection) -> PlatformRuling {
        let unknown = unknownValues > 0 ? "; pinctl does not know \(unknownValues) values of the source" : ""
        var matching = groups(connection.host).filter { $0.scope != .one }
        for (depth, parent) in connection.parents.enumerated() {
            matching += groups(parent).filter { $0.scope == .all || $0.scope == .one && depth == 0 }
        }
        guard matching.contains(where: { !$0.pins.isEmpty || $0.hasOtherPins }) else {
            return PlatformRuling(.notPinned, "no pattern matches this host\(unknown)")
        }
        let names = matching.flatMap(\.texts)
        let list = names.joined(separator: " and ")
        let decider = names.count == 1 ? "the only pattern that matches, \(list)," : "the combined list of \(list)"
        let note = matching.contains(where: \.hasSHA1Pins) ? "; pinctl does not compare its SHA-1 pins" : ""
        return connection.rulingAnywhere(anyOf: matching.map(\.pins), of: decider, note: note + unknown)
    }

    private func groups(_ name: String) -> [Group] { groups[name] ?? [] }

    /// Whether OkHttp accepts a pattern.
    static func accepts(_ pattern: String) -> Bool { parse(pattern) != nil }

    /// Parses a pattern as `CertificatePinner.Pin.init` does: an asterisk is allowed only as `*.` or `**.` at the start, before a
    /// canonical host.
    private static func parse(_ text: String) -> (Scope, String)? {
        var scope = Scope.exact
        var name = text[...]
        if name.hasPrefix("**.") {
            (scope, name) = (.all, name.dropFirst(3))
        } else if name.hasPrefix("*.") {
            (scope, name) = (.one, name.dropFirst(2))
        }
        guard !name.has("*"), let host = canonical(String(name)) else { return nil }
        return (scope, host)
    }

    /// Converts a host as `String.toCanonicalHost` does: to an IPv6 address, or to a name in lower case and A-labels. A dot at the
    /// end is kept.
    private static func canonical(_ text: String) -> String? {
        if text.has(":") {
            let isInBrackets = text.begins(with: "[") && text.ends(with: "]")
            return IPAddress(isInBrackets ? String(text.dropFirst().dropLast()) : text)?.description
        }
        let name = text.hasSuffix(".") ? String(text.dropLast()) : text
        let dot = text.hasSuffix(".") ? "." : ""
        guard !name.hasSuffix(".") else { return nil }
        if let host = try? HostName.normalized(name) { return host + dot }
        if let host = try? DomainName.normalized(name) { return host + dot }
        // In lower case, a key in base64 would not be recognized.
        guard !name.containsPrivateKey else { return nil }
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy({ (1...63).contains($0.count) }),
            name.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !"#%/:?@[\\]".utf8.contains($0) })
        else { return nil }
        return name.lowercased() + dot
    }
}

extension OkHttpModel {
    var traps: [PlatformTrap] {
        var traps: [PlatformTrap] = []
        if let failure {
            traps.append(
                PlatformTrap(
                    .stopsApp, "\(failure.message): it throws an IllegalArgumentException, which stops the app",
                    at: failure.position))
        }
        for pattern in patterns {
            if pattern.name.hasSuffix(".") {
                traps.append(
                    PlatformTrap(
                        .neverMatches, host: pattern.text,
                        "\(pattern.text.quotedExcerpt) matches only URLs with a dot after the host, because OkHttp keeps the dot",
                        hint: "write \(String(pattern.text.dropLast()).quotedExcerpt)", at: pattern.position))
            }
            if pattern.scope == .one, !groups(pattern.name).contains(where: { $0.scope != .one }) {
                traps.append(
                    PlatformTrap(
                        .unpinned, host: pattern.text,
                        "\(pattern.text.quotedExcerpt) matches names with exactly one more label, so \(pattern.name.quotedExcerpt)"
                            + " itself is not pinned",
                        hint: "add \(pattern.name.quotedExcerpt), or write \("**.\(pattern.name)".quotedExcerpt)",
                        at: pattern.position))
            }
            for pin in pattern.otherPins where !pin.hasPrefix("sha1/") {
                traps.append(
                    PlatformTrap(
                        .neverMatches, host: pattern.text,
                        "the pin \(pin.quotedExcerpt) is not 32 bytes long and never matches", at: pattern.position))
            }
        }
        return traps
    }
}
