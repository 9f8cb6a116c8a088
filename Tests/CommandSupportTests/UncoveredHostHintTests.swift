import Pinning
import Testing

@testable import CommandSupport
@testable import Commands

@Suite struct UncoveredHostHintTests {
    private func hint(_ host: String, among hosts: String..., subdomains: PinSet.Subdomains = .none) throws -> String? {
        let pin = try Pin(spelling: "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=")
        let entries = try hosts.map {
            try PinSet.Entry(host: $0, subdomains: subdomains, pins: [PinSet.PinnedKey(pin: pin)])
        }
        return UncoveredHostHints(try PinSet(entries: entries)).hint(for: host)
    }

    @Test func suggestsASimilarHost() throws {
        for typed in ["apl.example.com", "ap.example.com", "pai.example.com", "apii.example.com", "api.example.co"] {
            #expect(
                try hint(typed, among: "www.example.org", "api.example.com")
                    == #"check the host name: the set has "api.example.com""#)
        }
    }

    @Test func explainsSubdomains() throws {
        #expect(
            try hint("api.example.com", among: "example.com", "apj.example.com")
                == #"add "subdomains": "one" to the entry of "example.com", which covers no subdomains, or an entry for this host"#
        )
        #expect(
            try hint("b.a.example.com", among: "example.com")
                == #"add "subdomains": "all" to the entry of "example.com", which covers no subdomains, or an entry for this host"#
        )
        #expect(
            try hint("b.a.example.com", among: "example.com", subdomains: .one)
                == #"add "subdomains": "all" to the entry of "example.com", which covers subdomains of one label, "#
                + "or an entry for this host"
        )
        // The hint names the longest parent.
        #expect(
            try hint("c.b.a.example.com", among: "example.com", "b.a.example.com")?.contains(
                #"the entry of "b.a.example.com""#)
                == true)
        #expect(try hint("notexample.com", among: "example.com")?.contains("subdomains") == false)
    }

    @Test func listsOnlyAFewHosts() throws {
        #expect(
            try hint("other.test", among: "a.example.com", "b.example.com")
                == #"add the host to the set, which covers "a.example.com" and "b.example.com""#)
        let many = ["one.example.com", "two.example.com", "three.example.com", "four.example.com", "five.example.org"]
        #expect(
            try hint("another.example.com", among: many[0], many[1], many[2], many[3], many[4])
                == #"add the host to the set, which covers "one.example.com", "two.example.com" and "three.example.com", "#
                + "and 1 similar name"
        )
        #expect(
            try hint("other.test", among: many[0], many[1], many[2], many[3])
                == "add the host to the set, which covers 4 hosts with other names"
        )
        #expect(
            try hint("192.0.2.1", among: many[0], many[1], many[2], "192.0.2.2")
                == #"check the host name: the set has "192.0.2.2""#)
    }
}
