import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// One row of a table of verdicts: a pin set, a host, and the expected verdict of the platform.
///
/// An entry is written `HOST [one|all] [until=TIME] [report] | PIN...`; a pin is `KEY[:ROLE[:STATE]]`, where the keys of the
/// chain are `leaf`, `intermediate` and `root`, and `spare`, `spare2` are in no chain.
struct PlatformCase: Sendable, CustomTestStringConvertible {
    let entries: [String]
    let host: String
    let verdict: PlatformVerdict.Verdict
    /// A part of the expected rule text.
    let rule: String
    var chain = ["leaf", "intermediate", "root"]
    var isTrusted = true
    var now = "2026-11-21T12:00:00Z"

    init(
        _ entries: String..., host: String = "example.com", is verdict: PlatformVerdict.Verdict, _ rule: String = "",
        chain: [String] = ["leaf", "intermediate", "root"], isTrusted: Bool = true, now: String = "2026-11-21T12:00:00Z"
    ) {
        (self.entries, self.host, self.verdict, self.rule) = (entries, host, verdict, rule)
        (self.chain, self.isTrusted, self.now) = (chain, isTrusted, now)
    }

    var testDescription: String { "\(entries.joined(separator: "; ")) for \(host): \(verdict.rawValue)" }

    func check(_ platform: Platform, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let verdict = platform.configuration(of: try set).verdict(on: try connection())
        #expect(verdict.platform == platform)
        #expect(verdict.verdict == self.verdict, "\(verdict.rule)", sourceLocation: sourceLocation)
        #expect(verdict.rule.contains(rule), "\(verdict.rule)", sourceLocation: sourceLocation)
        #expect(!verdict.rule.isEmpty && !verdict.rule.hasSuffix("."), sourceLocation: sourceLocation)
    }

    func connection(key: KeyDescription? = nil) throws -> PlatformConnection {
        let links = chain.enumerated().map { position, name in
            let role: Role = position == 0 ? .leaf : position == chain.count - 1 ? .root : .intermediate
            let certificate = ChainPin(role: role, position: position, pin: Self.pin(name))
            return PlatformConnection.Link(certificate: certificate, key: key)
        }
        return PlatformConnection(
            host: host, chain: links, isTrusted: isTrusted, at: try #require(Timestamp(rfc3339: now)))
    }

    var set: PinSet { get throws { try PinSet(entries: entries.map(Self.entry)) } }

    private static func entry(_ text: String) throws -> PinSet.Entry {
        let halves = text.split(separator: "|").map { $0.split(separator: " ").map(String.init) }
        let (words, pins) = (try #require(halves.first), try #require(halves.last))
        var subdomains = PinSet.Subdomains.none
        var expires: Timestamp?
        for word in words.dropFirst() where word != "report" {
            if word.hasPrefix("until=") {
                let time: Timestamp = try #require(Timestamp(rfc3339: String(word.dropFirst(6))))
                expires = time
            } else {
                subdomains = try #require(PinSet.Subdomains(rawValue: word))
            }
        }
        return try PinSet.Entry(
            host: try #require(words.first), subdomains: subdomains, expires: expires,
            enforce: !words.contains("report"),
            pins: try pins.map(key))
    }

    private static func key(_ text: String) throws -> PinSet.PinnedKey {
        let parts = text.split(separator: ":").map(String.init)
        let role = parts.count > 1 ? try #require(PinSet.AllowedRole(rawValue: parts[1])) : .any
        let state = parts.count > 2 ? try #require(PinSet.State(rawValue: parts[2])) : .active
        return PinSet.PinnedKey(pin: pin(parts[0]), role: role, state: state)
    }

    static func pin(_ name: String) -> Pin { Pin(subjectPublicKeyInfo: Array(name.utf8)) }
}
