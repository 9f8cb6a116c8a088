import Testing

@testable import OpenSSL

@Suite struct DigestTests {
    /// FIPS 180-4's examples for SHA-256 (NIST, "Cryptographic Standards and Guidelines: Example Values"), and the SHA-256 of the
    /// empty input and of a million times "a" (NIST's CAVP).
    @Test(arguments: [
        ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func hashes(text: String, count: Int, digest: String) {
        let bytes = [UInt8](String(repeating: text, count: count).utf8)
        func hex(_ bytes: [UInt8]) -> String {
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        #expect(hex(Digest.sha256(bytes)) == digest)
        // A collection without contiguous storage, and a slice of an array.
        #expect(hex(Digest.sha256(bytes.lazy.map { $0 })) == digest)
        #expect(hex(Digest.sha256(([7] + bytes + [7]).dropFirst().dropLast())) == digest)
    }
}
