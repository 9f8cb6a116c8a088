import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

@Suite struct IPAddressTests {
    /// From RFC 4291, section 2.2, and RFC 5952, sections 1, 2, 4 and 5; the right column is the output of `inet_ntop`.
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
        ("ABCD:EF01:2345:6789:ABCD:EF01:2345:6789", "abcd:ef01:2345:6789:abcd:ef01:2345:6789"),
        ("2001:DB8:0:0:8:800:200C:417A", "2001:db8::8:800:200c:417a"),
        ("2001:DB8::8:800:200C:417A", "2001:db8::8:800:200c:417a"),
        ("FF01:0:0:0:0:0:0:101", "ff01::101"), ("FF01::101", "ff01::101"),
        ("0:0:0:0:0:0:0:1", "::1"), ("::1", "::1"), ("0:0:0:0:0:0:0:0", "::"), ("::", "::"),
        ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:db8::1:0:0:1", "2001:db8::1:0:0:1"),
        ("2001:0db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:db8:0:0:0::1", "2001:db8::1"),
        ("2001:db8:aaaa:bbbb:cccc:dddd::1", "2001:db8:aaaa:bbbb:cccc:dddd:0:1"),
        ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("2001:db8::1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("1::", "1::"), ("1:0:0:4:5:6:0:0", "1::4:5:6:0:0"),
        ("0:0:0:0:0:FFFF:129.144.52.38", "::ffff:129.144.52.38"), ("::FFFF:8190:3426", "::ffff:129.144.52.38"),
        ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"), ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
    ])
    func readsAndWrites(text: String, canonical: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == canonical)
        #expect(IPAddress(canonical) == address)
        #expect(address.isV6 == text.contains(":"))
        #expect(address.isV4 != address.isV6)
    }

    @Test(arguments: [
        "", ".", "1", "1.2.3", "1.2.3.4.5", "1.2.3.", ".1.2.3", "1..2.3", "256.1.1.1", "1.2.3.1000", "01.2.3.4",
        "1.2.3.00", "1.2.3.4 ", " 1.2.3.4", "1.2.3.+4", "1.2.3.0x4", "1.2.3.٤", "1.2.3.-4",
        ":", ":::", "::1::", "1::2::3", ":1", "1:", ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", "1:2:3:4:5:6:7", "::1:",
        "1:2:3:4:5:6:7:8:9", "1:2:3:4::5:6:7:8", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "12345::", "g::", "::-1",
        "[::1]", "fe80::1%eth0", "::1/128", "1.2.3.4::", "::1.2.3.4:5", "::1.2.3", "::256.1.1.1",
        "1:2:3:4:5:6:7:1.2.3.4", "::01.2.3.4", "::\u{0}", "1:2:3:4:5:6:7:8 ",
    ])
    func refuses(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func readsItsOwnOutput() throws {
        var generator = SeededGenerator(seed: 5952)
        for _ in 0..<2000 {
            // Most groups are zero, so that runs of every length occur.
            let bytes = (0..<16).map { _ in
                Bool.random(using: &generator) ? 0 : UInt8.random(in: 0...3, using: &generator)
            }
            let address = try #require(IPAddress(bytes: bytes))
            #expect(IPAddress(address.description)?.bytes == bytes)
        }
        #expect(IPAddress(bytes: [127, 0, 0]) == nil)
        #expect(IPAddress(bytes: []) == nil)
        #expect(IPAddress(bytes: [127, 0, 0, 1])?.description == "127.0.0.1")
    }
}
