/// How bytes begin a file with a private key.
///
/// Public structures must not match: certificates, requests, public keys, revocation lists. They, too, are SEQUENCEs, and some begin with
/// an INTEGER, so the rules read up to the first element that only a key has.
struct PrivateKeyStart: Equatable {
    let kind: PrivateKeyKind
    /// The number of bytes of the whole file; nil if its start does not tell it.
    let length: Int?
    /// The number of bytes that were read.
    let count: Int
    /// Whether the bytes tell that this is a key. Otherwise they ended before.
    let isCertain: Bool
    /// Whether no other file begins with these bytes, although they ended before they tell the type of the key.
    let isOnlyOfKeys: Bool

    /// The object identifiers of keys: RSA (1.2.840.113549.1.1.1), RSASSA-PSS, DH, X9.42, DSA, EC, X25519 to Ed448, GOST, ML-DSA and SLH-DSA,
    /// ML-KEM.
    private static let algorithms: [[UInt8]] = [
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01], [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0A],
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x03, 0x01], [0x2A, 0x86, 0x48, 0xCE, 0x3E, 0x02, 0x01],
        [0x2A, 0x86, 0x48, 0xCE, 0x38, 0x04, 0x01], [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01], [0x2B, 0x65],
        [0x2A, 0x85, 0x03], [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03],
        [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x04],
    ]

    /// Reads the start of a file; nil if it is not that of a private key.
    ///
    /// - Parameter allowsStart: whether bytes that end too early are a start, too.
    static func read<Bytes: IteratorProtocol<UInt8>>(
        _ bytes: inout Bytes, allowsStart: Bool
    ) -> PrivateKeyStart? {
        var reader = Reader(bytes: bytes)
        defer { bytes = reader.bytes }
        do throws(Stop) {
            let kind = try reader.file()
            return PrivateKeyStart(
                kind: kind, length: reader.length, count: reader.count, isCertain: true, isOnlyOfKeys: true)
        } catch {
            guard error == .end, reader.hasKeyAlgorithm || allowsStart, reader.count > 0 else { return nil }
            return PrivateKeyStart(
                kind: .privateKey, length: reader.length, count: reader.count, isCertain: reader.hasKeyAlgorithm,
                isOnlyOfKeys: reader.isOnlyOfKeys && reader.canHaveKeyAlgorithm)
        }
    }

    private enum Stop: Error {
        /// The bytes ended, and nothing was wrong before.
        case end
        case mismatch
    }

    private struct Reader<Bytes: IteratorProtocol<UInt8>> {
        var bytes: Bytes
        private(set) var count = 0
        private(set) var length: Int?
        /// The object identifier of an algorithm, from its length, and what follows it.
        private(set) var algorithm: [UInt8] = []
        /// Whether no other file begins with what was read.
        private(set) var isOnlyOfKeys = false

        /// Whether the algorithm is that of a key, and not that of a signature. A few bytes are enough, because a line of a dump can end
        /// there: of the algorithms of signatures, only those that begin with 1.3.101 are also the algorithms of keys.
        var hasKeyAlgorithm: Bool {
            guard let length = algorithm.first, length < 12 else { return false }
            let start = algorithm.dropFirst()
            // 1.2.840.10045 has other identifiers with the same five bytes.
            let minimum = start.contains(0xCE) ? 6 : 5
            return PrivateKeyStart.algorithms.contains { known in
                start.starts(with: known) || start.count >= minimum && known.starts(with: start)
            }
        }

        /// Whether the algorithm, as far as it was read, can be that of a key.
        var canHaveKeyAlgorithm: Bool {
            let start = algorithm.dropFirst()
            return PrivateKeyStart.algorithms.contains { $0.starts(with: start) || start.starts(with: $0) }
        }

        init(bytes: Bytes) { self.bytes = bytes }

        private mutating func next() throws(Stop) -> UInt8 {
            guard let byte = bytes.next() else { throw .end }
            count += 1
            return byte
        }

        private mutating func expect(_ expected: some Sequence<UInt8>) throws(Stop) {
            for byte in expected { guard try next() == byte else { throw .mismatch } }
        }

        /// A length in DER; nil for a length that is not given (BER).
        private mutating func derLength() throws(Stop) -> Int? {
            let first = try next()
            guard first > 0x80 else { return first == 0x80 ? nil : Int(first) }
            guard first <= 0x84 else { throw .mismatch }
            var length = 0
            for index in 0..<first - 0x80 {
                let byte = try next()
                guard index > 0 || byte > 0 else { throw .mismatch }
                length = length << 8 | Int(byte)
            }
            return length
        }

        mutating func file() throws(Stop) -> PrivateKeyKind {
            switch try next() {
            case 0x30: return try structure()
            case UInt8(ascii: "-"):
                // RFC 7468, section 2, and the names of the types of keys before "PRIVATE KEY".
                try expect("----BEGIN ".utf8)
                var words: [UInt8] = []
                while words.count < 32 {
                    words.append(try next())
                    if words.ends(with: "PRIVATE KEY".utf8) { return .privateKey }
                    // A line of a dump has 16 bytes.
                    if ["PRIVA", "EC PR", "ENCRY", "OPENS"].contains(where: { words.elementsEqual($0.utf8) }) {
                        return .privateKey
                    }
                }
                throw .mismatch
            case UInt8(ascii: "o"):
                // PROTOCOL.key of OpenSSH.
                try expect("penssh-key".utf8)
                // A host can be called openssh.
                isOnlyOfKeys = true
                try expect("-v1\0".utf8)
                let start = self
                do throws(Stop) {
                    try lengthOfOpenSSH()
                } catch {
                    // What follows is not a part of the key, or the key is cut.
                    self = start
                }
                return .privateKey
            case UInt8(ascii: "P"):
                isOnlyOfKeys = true
                try expect("uTTY-User-Key-File-".utf8)
                return .privateKey
            default: throw .mismatch
            }
        }

        /// Reads to the private keys, the last part of the file: the cipher, the function of the password and its options, and the public
        /// keys.
        private mutating func lengthOfOpenSSH() throws(Stop) {
            for _ in 0..<3 { try skip(try number(upTo: 256)) }
            for _ in 0..<(try number(upTo: 16)) { try skip(try number(upTo: 1 << 16)) }
            let keys = try number(upTo: 1 << 20)
            length = count + keys
        }

        /// A number of four bytes.
        private mutating func number(upTo maximum: Int) throws(Stop) -> Int {
            var number = 0
            for _ in 0..<4 { number = number << 8 | Int(try next()) }
            guard number <= maximum else { throw .mismatch }
            return number
        }

        private mutating func skip(_ count: Int) throws(Stop) {
            for _ in 0..<count { _ = try next() }
        }

        private mutating func structure() throws(Stop) -> PrivateKeyKind {
            let content = try derLength()
            if let content {
                // The shortest key, of Ed25519 without an algorithm, has 32 bytes.
                guard content >= 0x20 else { throw .mismatch }
                length = count + content
            }
            switch try next() {
            case 0x02:
                guard try next() == 1 else { throw .mismatch }
                return try numbered(version: try next())
            case 0x30:
                // EncryptedPrivateKeyInfo (RFC 5958, section 3), with an encryption of PKCS #5 or PKCS #12.
                let size = try derLength() ?? 0
                guard try next() == 0x06 else { throw .mismatch }
                // The algorithm of a public key, which also begins so, is shorter: that of RSASSA-PSS has up to 70 bytes.
                isOnlyOfKeys = (0x48..<0x80).contains(size)
                _ = try next()
                try expect([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01])
                guard [0x05, 0x0C].contains(try next()) else { throw .mismatch }
                return .privateKey
            default: throw .mismatch
            }
        }

        /// What follows the version of a structure.
        private mutating func numbered(version: UInt8) throws(Stop) -> PrivateKeyKind {
            guard version <= 3, version != 2 else { throw .mismatch }
            let tag = try next()
            // A revocation list has the version 1 and an algorithm in its second structure, and so have the parameters of a curve. Such a
            // structure can be at the start of a line.
            isOnlyOfKeys = tag == 0x30 && version != 1 || tag == 0x02 && version < 3 || tag == 0x04 && version == 1
            let size = try derLength() ?? 0
            switch (tag, version) {
            case (0x02, 0), (0x02, 1):
                // RSAPrivateKey (RFC 8017, appendix A.1.2), or a key of DSA as OpenSSL writes it: a large number.
                guard size >= 0x20 else { throw .mismatch }
            case (0x04, 1):
                // ECPrivateKey (RFC 5915, section 3).
                guard (14...72).contains(size) else { throw .mismatch }
            case (0x30, 0), (0x30, 1):
                // OneAsymmetricKey (RFC 5958, section 2): an algorithm, and an OCTET STRING. A certificate has a name after it.
                guard try next() == 0x06 else { throw .mismatch }
                guard size < 0x80, size > 2 else { return .privateKey }
                for _ in 1..<size {
                    let byte = try next()
                    algorithm.append(byte)
                }
                guard try next() == 0x04 else { throw .mismatch }
            case (0x30, 3):
                // PFX (RFC 7292, section 4): a ContentInfo of PKCS #7. The algorithm in a certificate of version 1 is shorter.
                guard size == 0 || size >= 0x80, try next() == 0x06 else { throw .mismatch }
                try expect([0x09, 0x2A])
                do throws(Stop) {
                    try expect([0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07])
                } catch {
                    // A line of a dump has 16 bytes.
                    guard error == .end else { throw error }
                }
                return .pkcs12
            default: throw .mismatch
            }
            return .privateKey
        }
    }
}

/// What a text contains.
package enum PrivateKeyKind: String, Sendable {
    case privateKey = "a private key"
    /// Only its decoded content would tell whether it has a key.
    case pkcs12 = "a PKCS #12 file"
}

extension [UInt8] {
    fileprivate func ends(with text: String.UTF8View) -> Bool { suffix(text.count).elementsEqual(text) }
}
