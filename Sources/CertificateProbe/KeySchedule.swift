internal import OpenSSL

/// The part of the key schedule of TLS 1.3 that decrypts the server's handshake messages (RFC 8446, section 7.1), for one cipher suite.
final class KeySchedule {
    let algorithms: SuiteAlgorithms
    /// The salt of the handshake secret, which is the same in every handshake without a pre-shared key.
    private let salt: [UInt8]
    /// The labels of a key and of a nonce, for HKDF-Expand, which are the same in every handshake.
    private let keyLabel: [UInt8]
    private let nonceLabel: [UInt8]

    /// Nil if OpenSSL does not provide the algorithms of the suite.
    init?(_ suite: UInt16) {
        guard let algorithms = SuiteAlgorithms(suite) else { return nil }
        let zeros = [UInt8](repeating: 0, count: algorithms.hashLength)
        guard let early = algorithms.hmac(key: zeros, zeros), let hash = algorithms.hash([]),
            let salt = algorithms.hmac(key: early, Self.label("derived", hash, algorithms.hashLength))
        else { return nil }
        keyLabel = Self.label("key", [], algorithms.keyLength)
        nonceLabel = Self.label("iv", [], SuiteAlgorithms.nonceLength)
        self.algorithms = algorithms
        self.salt = salt
    }

    /// The key and the initial nonce of the server's handshake records; nil if OpenSSL fails.
    ///
    /// - Parameter transcript: the handshake messages up to the ServerHello.
    func serverKeys(_ sharedSecret: [UInt8], transcript: [UInt8]) -> RecordKeys? {
        guard let secret = algorithms.hmac(key: salt, sharedSecret), let hash = algorithms.hash(transcript),
            let traffic = algorithms.hmac(key: secret, Self.label("s hs traffic", hash, algorithms.hashLength)),
            let (key, nonce) = algorithms.hmacs(key: traffic, keyLabel, nonceLabel)
        else { return nil }
        return RecordKeys(
            key: Array(key.prefix(algorithms.keyLength)), nonce: Array(nonce.prefix(SuiteAlgorithms.nonceLength)))
    }

    /// The label of HKDF-Expand-Label, then the number of the block of HKDF-Expand. The result of an expansion has at most the length of
    /// the hash, so one block is enough (RFC 5869, section 2.3).
    private static func label(_ name: String, _ context: [UInt8], _ length: Int) -> [UInt8] {
        let name = "tls13 \(name)".utf8
        var label: [UInt8] = []
        label.reserveCapacity(name.count + context.count + 5)
        label.append(twoBytesOf: length)
        label.append(UInt8(truncatingIfNeeded: name.count))
        label += name
        label.append(UInt8(truncatingIfNeeded: context.count))
        label += context
        label.append(1)
        return label
    }
}

/// The key and the initial nonce of the records of one side (RFC 8446, section 7.3).
struct RecordKeys {
    let key: [UInt8]
    private let initialNonce: [UInt8]
    private var sequenceNumber: UInt64 = 0

    init(key: [UInt8], nonce: [UInt8]) { (self.key, initialNonce) = (key, nonce) }

    /// The nonce of the next record (RFC 8446, section 5.3).
    mutating func nextNonce() -> [UInt8] {
        var nonce = initialNonce
        for index in 0..<min(8, nonce.count) {
            nonce[nonce.count - 1 - index] ^= UInt8(truncatingIfNeeded: sequenceNumber >> UInt64(8 * index))
        }
        sequenceNumber &+= 1
        return nonce
    }
}
