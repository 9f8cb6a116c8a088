internal import PinSetCodec
internal import PinSetFormats
internal import PinSetMaintenance
internal import Pinning
internal import ServerPinFormats

// Seeds: *.json *.xml *.plist *.kt *.java *.txt *.zone

/// Lint. Each finding has a message and a position within the file. If the strict reader of pins.json fails, lint finds an error.
enum LintTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        let now = Timestamp(secondsSince1970: 1_795_219_200)
        let lines = 1 + bytes.count { $0 == UInt8(ascii: "\n") }
        func check(_ input: LintInput) -> Bool {
            let findings = Linter(at: now).findings(in: input)
            for finding in findings {
                precondition(!finding.message.isEmpty)
                if let line = finding.line { precondition((1...lines).contains(line)) }
            }
            return findings.contains { $0.severity == .error }
        }
        if let input = try? LintInput(bytes, with: ConversionInputs(host: "example.com")) { _ = check(input) }
        guard let input = try? LintInput(bytes, as: .pins) else { preconditionFailure("pins.json is always linted") }
        let hasError = check(input)
        if (try? PinSet(json: bytes)) == nil { precondition(hasError) }
    }
}
