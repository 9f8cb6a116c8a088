import Testing

@testable import Encodings
@testable import Pinning

@Suite struct PinSetMatchingTests {
    private func set(_ hosts: [(String, PinSet.Subdomains)]) throws -> PinSet {
        let key = PinSet.PinnedKey(pin: try Pin(spelling: PinSetTests.x1))
        var entries: [PinSet.Entry] = []
        for (host, subdomains) in hosts { entries.append(try .init(host: host, subdomains: subdomains, pins: [key])) }
        return try PinSet(entries: entries)
    }

    @Test(
        arguments: [
            (.none, "example.co.uk", true), (.none, "EXAMPLE.CO.UK.", true), (.none, "foo.example.co.uk", false),
            (.one, "example.co.uk", true), (.one, "foo.example.co.uk", true), (.one, "foo.bar.example.co.uk", false),
            (.one, "anotherexample.co.uk", false), (.one, "co.uk", false),
            (.all, "example.co.uk", true), (.all, "foo.example.co.uk", true), (.all, "foo.bar.example.co.uk", true),
            (.all, "a.b.c.d.example.co.uk", true), (.all, "anotherexample.co.uk", false), (.all, "co.uk", false),
            (.all, "example.co.uk.evil.example", false), (.all, "", false), (.all, "foo..example.co.uk", false),
            (.all, ".example.co.uk", false), (.all, "example.co.uk:443", false), (.all, "*.example.co.uk", false),
        ] as [(PinSet.Subdomains, String, Bool)])
    func coversSubdomains(subdomains: PinSet.Subdomains, host: String, isCovered: Bool) throws {
        let set = try set([("Example.co.uk", subdomains)])
        #expect((set.entry(for: host) != nil) == isCovered)
    }

    @Test(arguments: [
        ("example.com", ["example.com", "com"]),
        ("www.example.com", ["www.example.com", "example.com", "com"]),
        // The entry of www.example.com covers no subdomains, and that of example.com covers one label.
        ("a.www.example.com", ["com"]),
        ("a.b.example.com", ["b.example.com", "com"]),
        ("x.a.b.example.com", ["b.example.com", "com"]),
        ("b.example.com", ["b.example.com", "example.com", "com"]),
        ("other.com", ["com"]),
        ("example.org", []),
    ])
    func appliesTheMostSpecificEntry(host: String, covering: [String]) throws {
        let set = try set([
            ("com", .all), ("example.com", .one), ("b.example.com", .all), ("www.example.com", .none),
        ])
        #expect(set.entries(for: host).map(\.host) == covering)
        #expect(set.entry(for: host)?.host == covering.first)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:DB8::0001"), ("[2001:db8::1]", "2001:DB8::0001"),
        ("2001:0db8:0:0:0:0:0:1", "2001:DB8::0001"), ("2001:db8::2", nil), ("192.0.2.10", nil), ("1.192.0.2.1", nil),
        ("::ffff:192.0.2.1", nil), ("[2001:db8::1]:443", nil), ("0.2.1", nil),
    ])
    func comparesAddressesAsAddresses(host: String, entry: String?) throws {
        let set = try set([("192.0.2.1", .none), ("2001:DB8::0001", .none), ("1", .all)].dropLast())
        #expect(set.entry(for: host)?.host == entry)
    }

    @Test func comparesInternationalNamesAsALabels() throws {
        let set = try set([("Bücher.example", .one), ("xn--e1afmkfd.example", .none)])
        #expect(set.entries.map(\.host) == ["Bücher.example", "xn--e1afmkfd.example"])
        #expect(set.entries.map(\.name) == ["xn--bcher-kva.example", "xn--e1afmkfd.example"])
        for host in [
            "xn--bcher-kva.example", "bu\u{308}cher.EXAMPLE", "www.bücher.example", "日本.XN--BCHER-KVA.example",
        ] {
            #expect(set.entry(for: host)?.host == "Bücher.example")
        }
        #expect(set.entry(for: "пример.example")?.host == "xn--e1afmkfd.example")
        #expect(set.entry(for: "bucher.example") == nil)
        let twice = #expect(throws: PinSetError.self) {
            try self.set([("Bücher.example", .none), ("xn--bcher-kva.example", .none)])
        }
        #expect(twice?.description == #"the host "xn--bcher-kva.example" occurs twice: first as "Bücher.example""#)
    }
}
