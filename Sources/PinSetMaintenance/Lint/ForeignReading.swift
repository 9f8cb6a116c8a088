internal import Encodings
internal import PinSetFormats
internal import Pinning

/// Reads the other platforms' formats for a linter: by their own readers, whose errors become findings.
enum ForeignReading {
    static func read(
        _ bytes: [UInt8], as format: PinSetFormat, with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> (LintSet, LintFindings) {
        let codec = format.codec
        guard codec.traits.isReadable else { throw codec.unreadable() }
        var findings = LintFindings()
        var set = LintSet(format: format)
        let places = PinPlaces(bytes)
        for suspect in places.suspects {
            findings.add(
                suspect.code, suspect.message, hint: suspect.hint, pin: suspect.spelling,
                at: SourcePosition(line: suspect.line, column: 1)
            )
        }
        do throws(PinSetFormatError) {
            let reading = try PinSet.read(places.repaired(bytes), as: format, with: inputs)
            var next: [String: Int] = [:]
            set.entries = reading.set.entries.map { LintEntry($0, places, &next) }
        } catch {
            // What only the command line can mend is no fault of the file.
            guard error.need == nil else { throw error }
            let position = error.line.map { SourcePosition(line: $0, column: error.column ?? 1) }
            findings.add(.malformed, error.message, hint: error.hint, at: position)
        }
        return (set, findings)
    }
}

extension LintEntry {
    /// - Parameter next: how often each pin was met already, so that each finds its own place.
    fileprivate init(_ entry: PinSet.Entry, _ places: PinPlaces, _ next: inout [String: Int]) {
        var pins: [LintPin] = []
        for key in entry.pins {
            let text = key.pin.base64
            let count = next[text, default: 0]
            next[text] = count + 1
            let position =
                key.position ?? places.line(of: key.pin, number: count).map { SourcePosition(line: $0, column: 1) }
            let suspect = places.suspect(behind: key.pin)
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

/// Where pins stand in a text, whatever its format: not every reader keeps the places.
private struct PinPlaces {
    /// Of each digest, the lines from 1.
    private var lines: [[UInt8]: [Int]] = [:]
    private(set) var suspects: [Suspect] = []
    /// What stands in the file in the place of each pin that stands in for it.
    private var spellings: [Pin: String] = [:]

    struct Suspect {
        let code: LintCode
        let message: String
        let hint: String?
        let spelling: String
        let line: Int
        /// Where it stands in the text.
        let range: Range<Int>
        /// A pin that stands in its place, so that the reader goes on.
        let standIn: Pin
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

    /// The same text with a pin wherever something stands in the place of one that no reader takes.
    func repaired(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for suspect in suspects { bytes.replaceSubrange(suspect.range, with: suspect.standIn.base64.utf8) }
        return bytes
    }

    /// What stands in the file in the place of this pin; nil for a pin of the file itself.
    func suspect(behind pin: Pin) -> String? { spellings[pin] }

    /// - Parameter end: the character behind the run.
    private mutating func add(_ run: ArraySlice<UInt8>, _ end: UInt8, _ line: Int) {
        if run.count == 64, let digest = try? Hex.decode(Array(run)) { lines[digest, default: []].append(line) }
        guard end == UInt8(ascii: "=") else { return }
        let spelling = String(decoding: run.suffix(Self.length - 1), as: UTF8.self) + "="
        do throws(PinSpellingError) {
            let pin = try Pin(spelling: spelling)
            lines[pin.bytes, default: []].append(line)
        } catch {
            guard Self.isPin(run) else { return }
            let (code, message, hint) = PinSuspicion.explanation(of: error)
            let range = run.endIndex - (Self.length - 1)..<run.endIndex + 1
            let standIn = Pin(subjectPublicKeyInfo: Array("stands in for \(suspects.count)".utf8))
            lines[standIn.bytes] = [line]
            spellings[standIn] = spelling
            suspects.append(
                Suspect(
                    code: code, message: message, hint: hint, spelling: spelling, line: line, range: range,
                    standIn: standIn)
            )
        }
    }

    private static let length = 44

    /// Whether so much base64 before a `=` can only be meant as a pin: a slash belongs to the alphabet, and to prefixes.
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
