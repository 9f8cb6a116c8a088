internal import Encodings
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning

/// Reads certificate fingerprints for the linter, which does not need the certificates.
enum FingerprintReader {
    static func read(_ bytes: [UInt8]) -> (LintSet, LintFindings) {
        var findings = LintFindings()
        var set = LintSet(format: .wultra)
        do throws(PinSetFormatError) {
            for item in try fingerprints(bytes) { try add(item, to: &set, &findings) }
        } catch {
            let position = error.line.map { SourcePosition(line: $0, column: error.column ?? 1) }
            findings.add(.malformed, error.message, hint: error.hint, at: position)
        }
        return (set, findings)
    }

    private static func fingerprints(_ bytes: [UInt8]) throws(PinSetFormatError) -> [JSONValue] {
        let root = try WultraFormat.document(bytes)
        guard let list = try WultraFormat.members(of: root, .file).first(where: { $0.key == "fingerprints" })
        else {
            throw WultraFormat.error(.missing("fingerprints", in: .file), at: root.position)
        }
        return try WultraFormat.values(of: list.value, .key("fingerprints"))
    }

    private static func add(
        _ value: JSONValue, to set: inout LintSet, _ findings: inout LintFindings
    ) throws(PinSetFormatError) {
        let members = try WultraFormat.members(of: value, .fingerprint)
        func text(_ key: String) throws(PinSetFormatError) -> String {
            guard let member = members.first(where: { $0.key == key }) else {
                throw WultraFormat.error(.missing(key, in: .fingerprint), at: value.position)
            }
            return try WultraFormat.string(member.value, .key(key))
        }
        let (host, spelling) = (try text("name"), try text("fingerprint"))
        var pin = LintPin(spelling: spelling, pin: nil, role: .leaf, position: value.position)
        do throws(PinSpellingError) {
            pin = LintPin(spelling: spelling, pin: try Pin(spelling: spelling), role: .leaf, position: value.position)
        } catch {
            let (code, message, hint) = PinDiagnosis.explanation(of: error)
            findings.add(code, message, hint: hint, host: host, pin: spelling, at: value.position)
        }
        if case .number(let digits)? = members.first(where: { $0.key == "expires" })?.value.content {
            pin.notAfter = Int64(digits).map { Timestamp(secondsSince1970: $0) }
        }
        if let index = set.entries.firstIndex(where: { $0.host == host }) {
            set.entries[index].pins.append(pin)
        } else {
            set.entries.append(
                LintEntry(host: host, name: try? HostName.normalized(host), position: value.position, pins: [pin]))
        }
    }
}
