internal import OpenSSL

/// The part of the key schedule of TLS 1.3 that decrypts the server's handshake messages (RFC 8446, section 7.1), for one cipher suite.
final class KeySchedule {
    let algorithms: SuiteAlgorithms
    /// The salt of the handshake secret, which is the same in every handshake without a pre-shared key.
    private let salt: [UInt8]

    /// Nil if OpenSSL does not provide the algorithms of the suite.
    init?(_ suite: UInt16) {
        guard let algorithms = SuiteAlgorithms(suite) else { return nil }
        let zeros = [UInt8](repeating: 0, count: algorithms.hashLength)
        guard let early = algorithms.hmac(key: zeros, zeros), let hash = algorithms.hash([]),
            let salt = Self.expand(early, "derived", hash, algorithms.hashLength, with: algorithms)
        else { return nil }
        self.algorithms = algorithms
        self.salt = salt
    }

    /// The key and the initial nonce of the server's handshake records; nil if OpenSSL fails.
    ///
    /// - Parameter transcript: the handshake messages up to the ServerHello.
    func serverKeys(_ sharedSecret: [UInt8], transcript: [UInt8]) -> RecordKeys? {
        guard let secret = algorithms.hmac(key: salt, sharedSecret), let hash = algorithms.hash(transcript),
            let traffic = expand(secret, "s hs traffic", hash, algorithms.hashLength),
            let key = expand(traffic, "key", [], algorithms.keyLength),
            let nonce = expand(traffic, "iv", [], SuiteAlgorithms.nonceLength)
        else { return nil }
        return RecordKeys(key: key, nonce: nonce)
    }

    private func expand(_ secret: [UInt8], _ label: String, _ context: [UInt8], _ length: Int) -> [UInt8]? {
        Self.expand(secret, label, context, length, with: algorithms)
    }

    /// HKDF-Expand-Label. The result has at most the length of the hash, so one block of HKDF-Expand is enough (RFC 5869, section 2.3).
    private static func expand(
        _ secret: [UInt8], _ label: String, _ context: [UInt8], _ length: Int,
        with algorithms: borrowing SuiteAlgorithms
    ) -> [UInt8]? {
        let label = Array("tls13 \(label)".utf8)
        var info = UInt16(truncatingIfNeeded: length).bytes
        info.append(UInt8(truncatingIfNeeded: label.count))
        info += label
        info.append(UInt8(truncatingIfNeeded: context.count))
        info += context
        info.append(1)
        return algorithms.hmac(key: secret, info).map { Array($0.prefix(length)) }
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
