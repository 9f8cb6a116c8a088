internal import Encodings
internal import PinSetCodec
internal import Pinning

/// Collects the pins that a text uses for a `CertificatePinner`. If a pattern or a pin cannot be read, a warning is added and
/// reading continues.
struct OkHttpReader {
    var warnings = ConversionWarnings()
    private var patterns = OkHttpPatterns()
    /// The host to use for pins whose pattern is unknown.
    private let host: String?
    /// The first line with pins whose pattern is unknown.
    private var lineWithoutHost: Int?
    /// Whether a pattern and a pin were found, including those that a pin set cannot contain.
    private var hasFound = false

    init(host: String?) { self.host = host }

    /// - Throws: if the text has no pin, or if pins have no host.
    func reading() throws(PinSetFormatError) -> PinSetReading {
        var warnings = warnings
        let entries = try patterns.entries(&warnings)
        if entries.isEmpty {
            if let lineWithoutHost { throw OkHttpFormat.error(.noHost(of: .pins), line: lineWithoutHost) }
            guard hasFound else { throw OkHttpFormat.error(.okHttp(.noPins(warnings.list.first))) }
        }
        return PinSetReading(set: try OkHttpFormat.set(entries), warnings: warnings.list)
    }

    mutating func read(_ source: OkHttpSource) throws(PinSetFormatError) {
        try source.checkLimits()
        if source.builders > 1 { warnings.add(.builders(source.builders)) }
        for pinning in source.otherPinnings {
            warnings.add(.pinsOfOtherType(pinning.type, line: pinning.line), of: pinning.pattern.text)
        }
        for pinning in source.pinnings {
            var pattern = pinning.pattern.text
            if pattern == nil, pinning.pins.contains(where: \.isPin) {
                pattern = host
                if let host {
                    warnings.add(.patternAsHost(pinning.pattern.source, line: pinning.pattern.line), of: host)
                } else {
                    lineWithoutHost = lineWithoutHost ?? pinning.pattern.line
                }
            }
            warn(ofDotIn: pinning.pattern)
            guard let pattern else {
                warnings.add(.unknownPattern(pinning.pattern.source, line: pinning.pattern.line))
                continue
            }
            try add(pinning.pins, of: pattern, line: pinning.pattern.line) { source.note(on: $0) }
        }
        if source.pinnings.isEmpty { try read(literals: source.literalPins) { source.note(on: $0) } }
    }

    /// Reads pins from a file that contains no code.
    mutating func read(pinnings: [OkHttpSource.Pinning]) throws(PinSetFormatError) {
        for pinning in pinnings {
            guard let pattern = pinning.pattern.text else { continue }
            warn(ofDotIn: pinning.pattern)
            try add(pinning.pins, of: pattern, line: pinning.pattern.line) { _ in nil }
        }
        if !pinnings.isEmpty { warnings.add(.codeNotRead) }
    }

    /// Adds a warning about a dot at the end of a pattern. OkHttp keeps the dot, so the pattern matches only URLs with it (OkHttp 5.4.0,
    /// internal/-HostnamesCommon.kt, `toCanonicalHost`).
    private mutating func warn(ofDotIn pattern: OkHttpValue) {
        guard let text = pattern.text, text.ends(with: ".") else { return }
        let prefix = ["**.", "*."].first { text.begins(with: $0) } ?? ""
        let host = String(text.dropFirst(prefix.count))
        // For any other name, the pattern is left out with a warning.
        guard (try? HostName.normalized(host)) != nil else { return }
        warnings.add(.hostSpelling(written: String(text.dropLast()), line: pattern.line), of: host)
    }

    /// Reads pins that are not arguments of a call: constants that another file uses.
    mutating func read(
        literals: [OkHttpValue], note: (Int) -> String? = { _ in nil }
    ) throws(PinSetFormatError) {
        guard let first = literals.first else { return }
        guard let host else {
            lineWithoutHost = first.line
            return
        }
        warnings.add(.pinsWithoutCall(count: literals.count), of: host)
        try add(literals, of: host, line: first.line, note: note)
    }

    private mutating func add(
        _ pins: [OkHttpValue], of pattern: String, line: Int, note: (Int) -> String?
    ) throws(PinSetFormatError) {
        var keys: [PinSet.PinnedKey] = []
        var pinsOnLine: [Int: Int] = [:]
        for pin in pins { pinsOnLine[pin.line, default: 0] += 1 }
        for pin in pins {
            guard let text = pin.text else {
                warnings.add(.unknownPin(pin.source, line: pin.line), of: pattern)
                continue
            }
            // A comment belongs to the pin before it if the line has only one pin.
            let isAlone = pinsOnLine[pin.line] == 1
            if let key = key(text, of: pattern, line: pin.line, note: isAlone ? note(pin.line) : nil) {
                keys.append(key)
            }
        }
        try add(keys, of: pattern, line: line)
        if keys.isEmpty, !pins.isEmpty { warnings.add(.patternWithoutPins, of: pattern) }
    }

    mutating func add(
        _ keys: [PinSet.PinnedKey], of pattern: String, line: Int
    ) throws(PinSetFormatError) {
        guard !keys.isEmpty else { return }
        hasFound = true
        do throws(PinSetFormatError) {
            try patterns.add(pattern, keys, line: line)
        } catch {
            // A private key in place of a host.
            if case .host = error.reason { throw error }
            warnings.add(.patternLeftOut(pattern, line: line, isRejected: !OkHttpModel.accepts(pattern)))
        }
    }

    /// - Returns: nil for a pin that a set cannot contain; a warning is added.
    mutating func key(_ text: String, of host: String, line: Int, note: String?) -> PinSet.PinnedKey? {
        hasFound = true
        guard !text.hasPrefix("sha1/") else {
            warnings.add(.sha1Pin(text), of: host)
            return nil
        }
        guard text.hasPrefix("sha256/") else {
            warnings.add(.pinWithoutPrefix(text, line: line), of: host)
            return nil
        }
        guard let pin = warnings.pin(text, after: "sha256/", by: .okHttp, of: host, line: line) else { return nil }
        return PinSet.PinnedKey(pin: pin, note: note)
    }
}
