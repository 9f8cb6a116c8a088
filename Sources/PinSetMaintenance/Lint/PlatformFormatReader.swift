internal import Encodings
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning

/// Reads platform formats for lint. Errors of the formats' readers become findings.
enum PlatformFormatReader {
    static func read(
        _ bytes: [UInt8], as format: PinSetFormat, with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> (LintSet, LintFindings) {
        let codec = format.codec
        guard codec.traits.isReadable else { throw codec.unreadable() }
        var findings = LintFindings()
        var set = LintSet(format: format)
        let positions = PinPositions(bytes)
        for suspect in positions.suspects {
            findings.add(
                suspect.code, suspect.message, hint: suspect.hint, pin: suspect.spelling,
                at: SourcePosition(line: suspect.line, column: 1)
            )
        }
        do throws(PinSetFormatError) {
            let reading = try PinSet.read(positions.repaired(bytes), as: format, with: inputs)
            set.hasUnreadValues = reading.warnings.contains(where: \.isUnread)
            var next: [String: Int] = [:]
            set.entries = reading.set.entries.map { LintEntry($0, positions, &next) }
            for warning in reading.warnings { findings.add(warning, in: format) }
        } catch {
            // If only other arguments can fix the error, it is not a fault of the file.
            guard error.need == nil else { throw error }
            let position = error.line.map { SourcePosition(line: $0, column: error.column ?? 1) }
            findings.add(.malformed, error.message, hint: error.hint, at: position)
        }
        return (set, findings)
    }
}

extension LintFindings {
    /// The elements of a network security configuration.
    private static let elements = [
        "base-config", "domain-config", "domain", "pin-set", "pin", "trust-anchors", "certificates", "debug-overrides",
        "trustkit-config",
    ]

    /// Adds a reader's warning if it is about a mistake in the file or about a part that was not read. Other warnings only say what
    /// a pin set cannot represent.
    mutating func add(_ warning: ConversionWarning, in format: PinSetFormat) {
        func add(_ code: LintCode, _ message: String? = nil, hint: String? = nil, line: Int? = nil, pin: String? = nil)
        {
            let position = line.map { SourcePosition(line: $0, column: 1) }
            self.add(code, message ?? warning.message, hint: hint, host: warning.host, pin: pin, at: position)
        }
        switch warning.reason {
        case .pinSpelling(let text, let pin, let prefix, let line, let effect):
            self.add(
                .invalidPin, warning.message, hint: "write \((prefix + pin.base64).quotedExcerpt)",
                severity: effect == nil ? .warning : nil, host: warning.host, pin: text,
                at: line.map { SourcePosition(line: $0, column: 1) })
        case .pinLeftOut(let error, let line, _):
            let (code, message, hint) = PinDiagnosis.explanation(of: error)
            add(code, message, hint: hint, line: line, pin: error.spelling)
        case .sha1Pin(let text):
            let source =
                format.traits.hashes == .publicKey
                ? "public key, which pinctl fetch prints" : "certificate, which pinctl inspect prints"
            add(.wrongDigest, hint: "use the SHA-256 of the \(source)", pin: text)
        case .misspelledKey(_, let expected, let line):
            add(.neverMatches, hint: "write \(expected.quotedExcerpt)", line: line)
        case .pinWithoutPrefix(let text, let line):
            let pin = (try? Pin(spelling: text))?.base64
            add(.invalidPin, hint: "write \("sha256/\(pin ?? "…")".quotedExcerpt)", line: line, pin: text)
        case .hostNeverMatches(let error, let line):
            // The hint of the error is for pins.json.
            let hint = error.reason == .wildcard ? format.step(inPlaceOf: error.host) : error.hint
            add(.unreachablePattern, hint: hint, line: line)
        case .patternLeftOut(_, let line, _), .hostRejected(_, _, let line): add(.unreachablePattern, line: line)
        case .hostBlocked(let line): add(.neverMatches, line: line)
        case .valueIgnored(_, _, _, let line): add(.keyNeverMatches, line: line)
        case .dayNotRead(_, _, let line, _): add(.invalidDate, line: line)
        case .fileRejected(_, _, let line): add(.malformed, line: line)
        case .headerIgnored(let line): add(.malformed, line: line)
        case .uncheckedConnections(let text, let line): add(.unpinnedHost, text, line: line)
        case .pinsOfOtherType(_, let line): add(.unpinnedHost, line: line)
        case .valueNotLiteral(_, _, let line): add(.unreadValue, line: line)
        case .unknownPattern(_, let line), .unknownPin(_, let line): add(.unreadValue, line: line)
        // The models of these platforms find the hosts themselves, and say what the platforms do.
        case .hostWithoutPins where ![.apple, .expo, .trustkit].contains(format):
            add(.unpinnedHost, "the host has no pins", hint: "add pins, or remove the host")
        case .notTrueOrFalse: add(.misreadValue, hint: "write true or false, without quotes")
        case .duplicateHeader(let line): add(.duplicateHost, line: line)
        case .headerInComment(let line): add(.unpinnedHost, line: line)
        case .notRead(_, let line), .unknownRecord(_, let line), .recordWithoutPin(_, let line, _),
            .recordsNotRead(_, let line), .includeNotRead(_, let line):
            add(.unreadValue, line: line)
        case .laterEntry(let line): add(.unreadValue, line: line)
        case .otherFormatInFile(let other):
            add(
                .unreadValue,
                "the file also has pins in the format \(other.rawValue.quotedExcerpt), which were not checked",
                hint: "run pinctl lint with --from-format \(other.rawValue), too")
        case .unknownKey(let key):
            add(.unknownKey, "the key \(key.quotedExcerpt) is not known in this place", hint: "check its spelling")
        case .unknownElement(let name):
            // Android skips elements that it does not know, and later versions know others.
            let near = Self.elements.first { EditDistance.between($0, name.lowercased(), atMost: 2) != nil }
            guard let near else { break }
            add(
                .unknownKey, "the element \("<\(name)>".quotedExcerpt) is not known in this place",
                hint: "if <\(near)> is meant, correct the spelling")
        case .nothingPinned: add(.nothingPinned)
        case .nothingRead: add(.nothingRead)
        default: break
        }
    }
}

extension LintEntry {
    /// - Parameter next: for each pin, the number of earlier occurrences, so that every occurrence gets its own position.
    fileprivate init(_ entry: PinSet.Entry, _ positions: PinPositions, _ next: inout [String: Int]) {
        var pins: [LintPin] = []
        for key in entry.pins {
            let text = key.pin.base64
            let count = next[text, default: 0]
            next[text] = count + 1
            let position =
                key.position ?? positions.line(of: key.pin, number: count).map { SourcePosition(line: $0, column: 1) }
            let suspect = positions.suspect(behind: key.pin)
            pins.append(
                LintPin(
                    spelling: suspect ?? text, pin: suspect == nil ? key.pin : nil, role: key.role, state: key.state,
                    label: key.label,
                    notAfter: key.notAfter, position: position
                )
            )
        }
        self.init(
            host: entry.host, name: entry.name, position: entry.position ?? pins.first?.position,
            subdomains: entry.subdomains, expires: entry.expires, enforce: entry.enforce, pins: pins
        )
    }
}

/// Positions of pins in a text of any format, because some readers do not record them.
private struct PinPositions {
    /// The numbers of the lines that contain each digest, from 1.
    private var lines: [[UInt8]: [Int]] = [:]
    private(set) var suspects: [Suspect] = []
    /// The spelling in the file that each substitute pin replaces.
    private var spellings: [Pin: String] = [:]

    struct Suspect {
        let code: LintCode
        let message: String
        let hint: String?
        let spelling: String
        let line: Int
        /// The byte range of the spelling in the text.
        let range: Range<Int>
        /// The substitute pin, which lets the reader continue.
        let substitute: Pin
    }

    init(_ bytes: [UInt8]) {
        var line = 1
        var start = 0
        for offset in 0...bytes.count {
            let byte = offset < bytes.count ? bytes[offset] : UInt8(ascii: "\n")
            if Self.isBase64(byte) { continue }
            if offset - start >= Self.length - 1 { add(bytes[start..<offset], byte, line) }
            start = offset + 1
            if byte == UInt8(ascii: "\n") { line += 1 }
        }
    }

    func line(of pin: Pin, number: Int) -> Int? {
        guard let lines = lines[pin.bytes] else { return nil }
        return lines.indices.contains(number) ? lines[number] : lines.last
    }

    /// The text with each spelling that no reader accepts replaced by a substitute pin.
    func repaired(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for suspect in suspects { bytes.replaceSubrange(suspect.range, with: suspect.substitute.base64.utf8) }
        return bytes
    }

    /// The spelling in the file that this substitute pin replaces; nil if the pin is in the file.
    func suspect(behind pin: Pin) -> String? { spellings[pin] }

    /// - Parameter end: the byte that follows the run.
    private mutating func add(_ run: ArraySlice<UInt8>, _ end: UInt8, _ line: Int) {
        if run.count == 64, let digest = try? Hex.decode(Array(run)) { lines[digest, default: []].append(line) }
        guard end == UInt8(ascii: "=") else { return }
        let spelling = String(decoding: run.suffix(Self.length - 1), as: UTF8.self) + "="
        do throws(PinSpellingError) {
            let pin = try Pin(spelling: spelling)
            lines[pin.bytes, default: []].append(line)
        } catch {
            guard Self.isPin(run) else { return }
            let (code, message, hint) = PinDiagnosis.explanation(of: error)
            let range = run.endIndex - (Self.length - 1)..<run.endIndex + 1
            let substitute = Pin(subjectPublicKeyInfo: Array("substitute \(suspects.count)".utf8))
            lines[substitute.bytes] = [line]
            spellings[substitute] = spelling
            suspects.append(
                Suspect(
                    code: code, message: message, hint: hint, spelling: spelling, line: line, range: range,
                    substitute: substitute)
            )
        }
    }

    private static let length = 44

    /// Whether the base64 text before a `=` can only be a pin. A slash is not enough to decide: it belongs to the alphabet and to
    /// the prefixes of pins.
    private static func isPin(_ run: ArraySlice<UInt8>) -> Bool {
        let before = run.dropLast(length - 1)
        return before.isEmpty || before.elementsEqual("sha256/".utf8) || before.elementsEqual("sha256//".utf8)
            || before.elementsEqual("/".utf8)
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
