import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Platforms that are configured in code or over the network.
@Suite struct ChainRulesTests {
    @Test(arguments: [
        PlatformCase(
            "example.com all | root:leaf", is: .accepts, "the evaluator of example.com has the pin of the root"),
        PlatformCase("example.com | spare", is: .rejects, "no pin"),
        PlatformCase("example.com | root", host: "example.org", is: .notPinned, "allHostsMustBeEvaluated: false"),
        PlatformCase("example.com all | root", host: "a.example.com", is: .notPinned, "evaluators are for exact hosts"),
    ])
    func alamofire(row: PlatformCase) throws { try row.check(.alamofire) }

    @Test(arguments: [
        PlatformCase("example.com one | root:leaf", host: "b.a.example.com", is: .accepts, "with includeSubdomains"),
        PlatformCase("example.com | root", host: "a.example.com", is: .notPinned, "does not include subdomains"),
        // The expiry is exact to the second.
        PlatformCase("example.com until=2026-06-01T18:00:00Z | spare", is: .rejects, now: "2026-06-01T18:00:00Z"),
        PlatformCase(
            "example.com until=2026-06-01T18:00:00Z | spare", is: .notPinned, "expired at", now: "2026-06-01T18:00:01Z"),
    ])
    func cronet(row: PlatformCase) throws { try row.check(.cronet) }

    @Test(arguments: [
        PlatformCase(
            "example.com one | root:leaf", host: "b.a.example.com", is: .accepts, "with include_subdomains"),
        // Only the closest entry applies, even if it hides another entry that covers the host.
        PlatformCase(
            "a.example.com | spare", "example.com all | root", host: "b.a.example.com", is: .notPinned, "a.example.com"),
        PlatformCase("a.example.com all | spare", "example.com all | root", host: "b.a.example.com", is: .rejects),
        PlatformCase("a.example.com | root", "example.com all | spare", host: "a.example.com", is: .accepts),
    ])
    func chromium(row: PlatformCase) throws { try row.check(.chromium) }

    @Test(arguments: [
        PlatformCase("a.example.com | spare", "example.com all | root", host: "b.a.example.com", is: .notPinned),
        PlatformCase("a.example.com all | spare", "example.com all | root", host: "b.a.example.com", is: .rejects),
    ])
    func cronetHasTheRuleOfChromium(row: PlatformCase) throws { try row.check(.cronet) }

    @Test(arguments: [
        // One pin in the chain and one not in it.
        PlatformCase("example.com | root:leaf spare", is: .accepts, "one that is not in the chain"),
        PlatformCase("example.com | root leaf", is: .notPinned, "no pin outside this chain"),
        PlatformCase("example.com | spare spare2", is: .notPinned, "a browser that has stored it before rejects"),
        PlatformCase("example.com | root", is: .refusesConfig, "two pins"),
        // The browser received the header of the parent domain from that domain.
        PlatformCase("example.com one | root spare", host: "b.a.example.com", is: .accepts, "includeSubDomains"),
        PlatformCase("example.com all | spare spare2", host: "a.example.com", is: .rejects),
        PlatformCase("example.com | root spare", host: "a.example.com", is: .notPinned, "no header"),
        PlatformCase("example.com report | spare spare2", is: .accepts, "reports the mismatch"),
        PlatformCase("example.com report | root spare", is: .accepts, "nothing to report"),
    ])
    func hpkp(row: PlatformCase) throws { try row.check(.hpkp) }

    @Test(arguments: [
        PlatformCase("example.com | leaf", is: .accepts, "only the leaf"),
        PlatformCase("example.com | spare:leaf leaf:leaf", is: .accepts),
        PlatformCase("example.com | root intermediate", is: .rejects, "curl exits with status 90, wget with 5"),
        PlatformCase("example.com | leaf:ca root:root", is: .notPinned, "every pin of example.com is of a CA"),
        PlatformCase(
            "example.com | root:root spare:leaf:backup", is: .notPinned, "no active pin of example.com is of the leaf"),
        PlatformCase("example.com one | leaf", host: "a.example.com", is: .accepts),
        PlatformCase("example.com one | leaf", host: "b.a.example.com", is: .notPinned, "--pinnedpubkey is not used"),
        PlatformCase("a.example.com | leaf", "example.com all | spare", host: "a.example.com", is: .accepts),
    ])
    func curl(row: PlatformCase) throws { try row.check(.curl) }

    @Test(arguments: [
        PlatformCase("example.com | leaf", is: .accepts, "the leaf certificate"),
        PlatformCase("example.com | root", is: .rejects, "the leaf certificate"),
        PlatformCase("example.com | root:root", is: .notPinned, "is of a CA"),
        PlatformCase("example.com | root:root spare:leaf:backup", is: .notPinned, "no active pin"),
        PlatformCase("example.com all | leaf", host: "a.example.com", is: .notPinned, "covers no subdomains"),
        PlatformCase("example.com until=2026-06-01T18:00:00Z | leaf", is: .accepts, now: "2026-06-01T18:00:00Z"),
        PlatformCase(
            "example.com until=2026-06-01T18:00:00Z | leaf", is: .rejects, "expired", now: "2026-06-01T18:00:01Z"),
    ])
    func wultra(row: PlatformCase) throws { try row.check(.wultra) }
}
