import TestSupport
import Testing

@testable import OpenSSL

@Suite struct PeerChainTests {
    @Test func keepsTheBytesOfTheCertificates() throws {
        let served = try ["leaf", "root", "intermediate", "leaf"].map { try TestPKI.der($0) }
        let chain = try TestPKI.chain(of: served)
        #expect(chain.certificates == served)
        switch try PeerChain.saved([]) {
        case .none: break
        case .some: Issue.record("there is a chain of no certificates")
        }
    }

    @Test func rejectsInvalidBytes() throws {
        let leaf = try TestPKI.der("leaf")
        for junk in [[], [0], [0x30, 0x00], [UInt8](repeating: 0x30, count: 1000), Array(leaf.dropLast())] {
            #expect(throws: OpenSSLError.self) { _ = try PeerChain.saved([junk]) }
            #expect(throws: OpenSSLError.self) { _ = try PeerChain.saved([leaf, leaf, junk]) }
        }
    }

    /// A chain with one wrong byte is decoded or rejected, and never stops the process.
    @Test func acceptsOrRejectsAnyBytes() throws {
        let leaf = try TestPKI.der("leaf")
        let store = try TrustStore()
        try store.add(try TestPKI.der("root"))
        var refused = 0
        for place in leaf.indices {
            var bytes = leaf
            bytes[place] ^= 0xFF
            guard let chain = try? PeerChain.saved([bytes, try TestPKI.der("intermediate")]) else {
                refused += 1
                continue
            }
            #expect(chain.verify(against: store, parameters: VerifyParameters()).failure != nil)
            _ = chain.leafMatches(name: "localhost")
        }
        #expect(refused > 0 && refused < leaf.count)
    }

    /// RFC 9525, section 6.
    @Test(
        arguments: [
            ("leaf", "localhost", true), ("leaf", "LocalHost", true), ("leaf", "a.example.test", true),
            ("leaf", "example.test", false), ("leaf", "a.b.example.test", false), ("leaf", "*.example.test", true),
            ("leaf", "aexample.test", false), ("leaf", "", false), ("leaf", "localhost.", false),
            ("leaf", "localhost\u{0}.other.test", false), ("leaf", "127.0.0.1", false), ("leaf", "::1", false),
            ("leaf-cn-only", "localhost", false), ("leaf-cn-only", "leaf-cn-only", false),
            ("leaf-partial-wildcard", "www.example.test", false), ("leaf-partial-wildcard", "w.example.test", false),
            ("leaf-idn", "xn--bcher-kva.example.test", true), ("leaf-idn", "bücher.example.test", false),
            ("leaf-wrong-name", "localhost", false), ("leaf-wrong-name", "wrong.example.org", true),
        ])
    func matchesNames(leaf: String, name: String, isMatch: Bool) throws {
        #expect(try TestPKI.chain(leaf).leafMatches(name: name) == isMatch)
    }

    @Test(
        arguments: [
            ("leaf", "127.0.0.1", true), ("leaf", "::1", true), ("leaf", "0:0:0:0:0:0:0:1", true),
            ("leaf", "127.0.0.2", false), ("leaf", "::ffff:127.0.0.1", false), ("leaf", "localhost", false),
            ("leaf", "", false), ("leaf-cn-only", "127.0.0.1", false), ("leaf-api", "127.0.0.1", false),
        ])
    func matchesAddresses(leaf: String, address: String, isMatch: Bool) throws {
        #expect(try TestPKI.chain(leaf).leafMatches(ipAddress: address) == isMatch)
    }

    /// The test certificate has these addresses, between DNS names.
    @Test(arguments: [
        ("leaf", [[127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1]]), ("leaf-cn-only", []), ("leaf-api", []),
    ])
    func addresses(leaf: String, expected: [[UInt8]]) throws {
        #expect(try TestPKI.chain(leaf).leafAddresses() == expected)
    }
}
