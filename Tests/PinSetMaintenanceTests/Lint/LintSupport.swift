import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import ServerPinFormats

/// Helpers that lint pin sets in tests.
enum Lint {
    static let now = Timestamp(rfc3339: "2026-11-21T00:00:00Z") ?? Timestamp(secondsSince1970: 0)

    /// Two unknown pins: the SHA-256 of "a" and of "b".
    static let a = "ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs="
    static let b = "PiPoFgA5WUoziU9lZOGxNIu9egCI1CxKy3PurtWcAJ0="
    static let rootX1 = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    static let rootX2 = "diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="

    static func findings(
        _ text: String, as format: PinSetFormat? = nil, host: String? = nil, days: Int = 30,
        chains: [String: CertificateChain] = [:]
    ) throws -> [LintFinding] {
        let input = try LintInput(Array(text.utf8), as: format, with: ConversionInputs(host: host))
        return Linter(at: now, expiringWithin: days).findings(in: input, chains: chains)
    }

    static func codes(
        _ text: String, as format: PinSetFormat? = nil, host: String? = nil, days: Int = 30,
        chains: [String: CertificateChain] = [:]
    ) throws -> [LintCode] {
        try findings(text, as: format, host: host, days: days, chains: chains).map(\.code)
    }

    /// A set with these members of `hosts`.
    static func hosts(_ members: String...) -> String {
        "{ \"version\": 1, \"hosts\": { \(members.joined(separator: ",\n")) } }"
    }

    /// A set of one host with these pins, each as JSON.
    static func pins(_ pins: String..., more: String = "") -> String {
        hosts("\"example.com\": { \(more)\"pins\": [\(pins.joined(separator: ",\n"))] }")
    }

    static func key(_ pin: String, _ more: String = "") -> String { "{ \"sha256\": \"\(pin)\"\(more) }" }
    static func key(_ pin: String, role: String) -> String { key(pin, ", \"role\": \"\(role)\"") }
    static func backup(_ pin: String) -> String { key(pin, ", \"state\": \"backup\"") }
}
