import Pinning
import TestSupport
import Testing

@testable import Fetching

@Suite struct TargetRangeTests {
    @Test(arguments: [
        ("192.0.2.8/30", ["192.0.2.8:443", "192.0.2.9:443", "192.0.2.10:443", "192.0.2.11:443"]),
        ("192.0.2.8/31:8443", ["192.0.2.8:8443", "192.0.2.9:8443"]),
        ("192.0.2.8/32:8443", ["192.0.2.8:8443"]),
        ("192.0.2.8/31:1=a.example", ["192.0.2.8:1=a.example", "192.0.2.9:1=a.example"]),
        ("2001:db8::fffe/127", ["[2001:db8::fffe]:443", "[2001:db8::ffff]:443"]),
        ("[2001:db8::/127]:8443", ["[2001:db8::]:8443", "[2001:db8::1]:8443"]),
        ("[2001:db8::]/127:8443", ["[2001:db8::]:8443", "[2001:db8::1]:8443"]),
        ("2001:db8::/127:8443", ["[2001:db8::]:8443", "[2001:db8::1]:8443"]),
        ("255.255.255.254/31", ["255.255.255.254:443", "255.255.255.255:443"]),
        ("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128", ["[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:443"]),
        ("example.com:8443", ["example.com:8443"]),
    ])
    func containsEveryAddress(text: String, targets: [String]) throws {
        let range = try TargetRange(parsing: text)
        #expect(range.map(\.description) == targets)
        #expect(range.count == targets.count)
        #expect(range.isSingle == (targets.count == 1))
    }

    /// 256 addresses, and ranges across each byte boundary.
    @Test func countsAcrossByteBoundaries() throws {
        let range = try TargetRange(parsing: "10.0.254.0/23")
        let targets = Array(range)
        #expect(range.count == 512)
        #expect(targets.count == 512)
        #expect(Set(targets).count == 512)
        #expect(targets[255].description == "10.0.254.255:443")
        #expect(targets[256].description == "10.0.255.0:443")
        #expect(targets.last?.description == "10.0.255.255:443")
    }

    /// A range has more addresses than fit into memory. They are generated one by one.
    @Test func generatesAddressesOnDemand() throws {
        #expect(try TargetRange(parsing: "0.0.0.0/0").count == 1 << 32)
        let all = try TargetRange(parsing: "::/0")
        #expect(all.count == .max)
        #expect(all.prefix(3).map(\.description) == ["[::]:443", "[::1]:443", "[::2]:443"])
    }

    @Test(arguments: [
        ("192.0.2.0/33", TargetError.prefix("33", maximum: 32), #""33" is not a prefix length from 0 to 32"#),
        ("192.0.2.0/", .prefix("", maximum: 32), #""" is not a prefix length from 0 to 32"#),
        ("192.0.2.0/x", .prefix("x", maximum: 32), #""x" is not a prefix length from 0 to 32"#),
        ("[2001:db8::/12]0", .path("/12]0"), #"it has a path, "/12]0""#),
        ("192.0.2.0/24/2", .prefix("24/2", maximum: 32), #""24/2" is not a prefix length from 0 to 32"#),
        ("2001:db8::/129", .prefix("129", maximum: 128), #""129" is not a prefix length from 0 to 128"#),
        ("192.0.2.7/24", .insideRange("192.0.2.0/24"), "the address is not the first one of its range"),
        ("192.0.2.0/24:0", .port("0"), #""0" is not a port from 1 to 65535"#),
        ("192.0.2.0/24:443=", .noServerName, "the server name after the = is missing"),
        ("example.com/24", .path("/24"), #"it has a path, "/24""#),
    ])
    func rejectsInvalidRanges(text: String, error: TargetError, reason: String) {
        let found = #expect(throws: TargetError.self) { try TargetRange(parsing: text) }
        #expect(found == error)
        #expect(found?.reason == reason)
    }

    @Test func suggestsTheAlignedRange() {
        #expect(TargetError.insideRange("192.0.2.0/24").hint == "use 192.0.2.0/24 for the range that contains it")
    }

    @Test func acceptsOrRejectsAnyBytes() throws {
        var generator = SeededGenerator(seed: 4632)
        let pieces = ["10.0.0.0", "::", "/", "0", "24", "128", ":", "443", "[", "]", "=", "a.example", "@", "https://"]
        var count = 0
        for _ in 0..<TestEnvironment.rounds(40_000) {
            var text = ""
            for _ in 0..<Int.random(in: 0...7, using: &generator) {
                text += try #require(pieces.randomElement(using: &generator))
            }
            guard let range = try? TargetRange(parsing: text) else { continue }
            count += 1
            #expect(range.count > 0)
            for target in range.prefix(3) { #expect(try Target(parsing: target.description) == target) }
        }
        #expect(count > TestEnvironment.rounds(500))
    }
}
