import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

@Suite struct AndroidRulesTests {
    @Test(arguments: [
        // The platform ignores the role of a pin.
        PlatformCase("example.com | root:leaf", is: .accepts, "has the pin of the root"),
        PlatformCase("example.com | leaf:ca", is: .accepts, "has the pin of the leaf"),
        PlatformCase("example.com | spare", is: .rejects, "has no pin of this chain"),
        // One pin is enough for the platform. Only its lint requires a backup.
        PlatformCase("example.com | intermediate", is: .accepts),
        // The platform covers subdomains at every depth, even if the set covers only one more label.
        PlatformCase(
            "example.com one | root", host: "b.a.example.com", is: .accepts, "example.com with includeSubdomains"),
        PlatformCase("example.com | root", host: "a.example.com", is: .notPinned, "no domain-config"),
        // An exact entry applies first, then the longest entry with subdomains; the others do not apply.
        PlatformCase(
            "a.example.com | spare", "example.com all | root", host: "a.example.com", is: .rejects, "a.example.com"),
        PlatformCase("a.example.com all | root", "example.com all | spare", host: "b.a.example.com", is: .accepts),
        PlatformCase("a.example.com | spare", "example.com all | root", host: "b.a.example.com", is: .accepts),
    ])
    func appliesTheLongestConfig(row: PlatformCase) throws {
        try row.check(.android)
    }

    /// The pins expire at midnight in the time zone of the device: between 10:00 UTC on the previous day (UTC+14) and 12:00 UTC on
    /// the day (UTC-12).
    @Test(arguments: [
        PlatformCase("example.com until=2026-06-01 | spare", is: .rejects, "no pin", now: "2026-05-31T10:00:00Z"),
        PlatformCase(
            "example.com until=2026-06-01 | spare", is: .rejects, "already passed in some time zones",
            now: "2026-05-31T10:00:01Z"),
        PlatformCase(
            "example.com until=2026-06-01 | spare", is: .rejects, "already passed in some time zones",
            now: "2026-05-31T23:59:59Z"),
        PlatformCase(
            "example.com until=2026-06-01 | spare", is: .rejects, "already passed in some time zones",
            now: "2026-06-01T00:00:00Z"),
        PlatformCase(
            "example.com until=2026-06-01 | spare", is: .notPinned, "in some time zones the pins still apply",
            now: "2026-06-01T00:00:01Z"
        ),
        PlatformCase(
            "example.com until=2026-06-01 | leaf", is: .notPinned, "in some time zones the pins still apply",
            now: "2026-06-01T12:00:00Z"),
        PlatformCase(
            "example.com until=2026-06-01 | leaf", is: .notPinned,
            "(here UTC): Android compares no pins and reports nothing",
            now: "2026-06-01T12:00:01Z"),
        // If the set has a time of day, `convert` writes the next day.
        PlatformCase("example.com until=2026-06-01T18:00:00Z | spare", is: .rejects, now: "2026-06-02T00:00:00Z"),
        PlatformCase("example.com until=2026-06-01T18:00:00Z | spare", is: .notPinned, now: "2026-06-02T00:00:01Z"),
    ])
    func endsAtMidnight(row: PlatformCase) throws { try row.check(.android) }

    @Test(arguments: [
        PlatformCase("example.com | root spare", is: .accepts),
        PlatformCase("example.com | spare spare2", is: .rejects),
        // The converter does not let TrustKit enforce a host with one pin, which would stop the app (DomainPinningPolicy.java).
        PlatformCase("example.com | root", is: .accepts, "has the pin of the root"),
        PlatformCase(
            "example.com | spare", is: .accepts,
            "only reports without enforcePinning=\"true\"; Android 7 and later enforces"),
        // A repeated pin counts once, and a retired pin does not count.
        PlatformCase("example.com | spare:root spare:ca", is: .accepts, "only reports"),
        PlatformCase("example.com | spare spare2:any:retired", is: .accepts, "only reports"),
        // DomainValidator.java: at least two labels, and a top-level domain of April 2016.
        PlatformCase("api.service.local | root spare", is: .refusesConfig, "top-level domain"),
        PlatformCase("example.blog report | root spare", is: .refusesConfig, "top-level domain"),
        // Only an entry that is enforced needs two pins.
        PlatformCase("example.com report | root", is: .accepts),
        PlatformCase("example.com report | spare", is: .accepts, "only reports"),
        PlatformCase("example.com | root spare", host: "example.org", is: .notPinned),
    ])
    func trustKitRequiresTwoPins(row: PlatformCase) throws { try row.check(.trustkitAndroid) }
}
