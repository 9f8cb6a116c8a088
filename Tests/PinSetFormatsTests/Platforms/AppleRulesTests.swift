import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

@Suite struct AppleRulesTests {
    @Test(arguments: [
        // The CA list applies to position 1 and above, the leaf list to position 0.
        PlatformCase(
            "example.com | root:root", is: .accepts, "NSPinnedCAIdentities of example.com has the pin of the root"),
        PlatformCase("example.com | intermediate:ca", is: .accepts, "has the pin of the intermediate"),
        PlatformCase("example.com | leaf:ca", is: .rejects, "NSPinnedCAIdentities"),
        PlatformCase("example.com | root:leaf", is: .rejects, "NSPinnedLeafIdentities"),
        // The platform has only these two roles, so the pin of an intermediate also matches with the role of a root.
        PlatformCase("example.com | intermediate:root", is: .accepts),
        // A chain of one certificate fails the CA list, even if the certificate has the pin.
        PlatformCase("example.com | leaf:ca", is: .rejects, "above the leaf", chain: ["leaf"]),
        PlatformCase("example.com | leaf:leaf", is: .accepts, chain: ["leaf"]),
        // Both lists must match.
        PlatformCase(
            "example.com | leaf:leaf root:ca", is: .accepts,
            "NSPinnedLeafIdentities of example.com has the pin of the leaf, and"),
        PlatformCase("example.com | leaf:leaf spare:ca", is: .rejects, "NSPinnedCAIdentities"),
        PlatformCase("example.com | spare:leaf root:ca", is: .rejects, "NSPinnedLeafIdentities"),
        // A list with only backup pins is not written.
        PlatformCase("example.com | leaf:leaf spare:ca:backup", is: .accepts, "CA list is left out"),
        PlatformCase("example.com | root:ca spare:leaf:backup", is: .accepts, "leaf list is left out"),
        // Pins for any role are written to the existing list, or to the CA list if no list exists.
        PlatformCase("example.com | root", is: .accepts, "taken as written to the CA list"),
        PlatformCase("example.com | leaf", is: .rejects, "taken as written to the CA list"),
        PlatformCase("example.com | leaf spare:leaf", is: .accepts, "taken as written to the leaf list"),
        PlatformCase("example.com | root leaf:leaf spare:ca", is: .accepts, "taken as written to both lists"),
    ])
    func appliesBothLists(row: PlatformCase) throws { try row.check(.apple) }

    @Test(arguments: [
        PlatformCase("example.org one | root:ca", host: "a.example.org", is: .accepts, "with NSIncludesSubdomains"),
        PlatformCase("example.org all | root:ca", host: "a.example.org", is: .accepts),
        PlatformCase("example.org all | root:ca", host: "b.a.example.org", is: .notPinned, "one more label"),
        PlatformCase("example.org | root:ca", host: "a.example.org", is: .notPinned, "no key"),
        // An exact entry's leaf list and a parent's CA list both apply.
        PlatformCase(
            "a.example.org | leaf:leaf", "example.org one | spare:ca", host: "a.example.org", is: .rejects,
            "NSPinnedCAIdentities of a.example.org and example.org with NSIncludesSubdomains"),
        PlatformCase("a.example.org | leaf:leaf", "example.org one | root:ca", host: "a.example.org", is: .accepts),
        // The pins of one list are combined: a match with any of them is sufficient.
        PlatformCase("a.example.org | spare:ca", "example.org one | root:ca", host: "a.example.org", is: .accepts),
        // A parent without subdomains, and a grandparent, add nothing.
        PlatformCase("a.example.org | root:ca", "example.org | spare:leaf", host: "a.example.org", is: .accepts),
        PlatformCase(
            "b.a.example.org | root:ca", "example.org all | spare:leaf", host: "b.a.example.org", is: .accepts),
    ])
    func combinesEntriesThatCoverTheHost(row: PlatformCase) throws { try row.check(.apple) }
}
