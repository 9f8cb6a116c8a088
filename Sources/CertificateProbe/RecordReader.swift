internal import OpenSSL

/// Splits a server's bytes into records, decrypts them, and joins their contents to handshake messages (RFC 8446, section 5).
struct RecordReader {
    private var input: [UInt8] = []
    /// The position of the first byte of `input` that is not processed.
    private var start = 0
    private var handshake: [UInt8] = []
    /// The position of the first byte of `handshake` that is not processed.
    private var messageStart = 0
    private var keys: RecordKeys?
    private var schedule: KeySchedule?
    private var changeCount = 0

    private static let headerLength = 5
    /// Maximum length of a record's content, and of an encrypted record (RFC 8446, sections 5.1 and 5.2).
    private static let maximumLength = 1 << 14
    private static let maximumEncryptedLength = (1 << 14) + 256
    /// Maximum number of ChangeCipherSpec records: one in each flight of the server (RFC 8446, appendix D.4).
    private static let maximumChanges = 2

    private enum ContentType {
        static let changeCipherSpec: UInt8 = 20
        static let alert: UInt8 = 21
        static let handshake: UInt8 = 22
        static let applicationData: UInt8 = 23
    }

    mutating func append(_ bytes: [UInt8]) {
        if start == input.count {
            input = bytes
        } else {
            input.removeSubrange(..<start)
            input += bytes
        }
        start = 0
    }

    /// Decrypts the following records.
    ///
    /// - Throws: ``ProbeFailure/unexpectedMessage`` if a message follows in the same record (RFC 8446, section 5.1).
    mutating func decrypt(with keys: RecordKeys, _ schedule: KeySchedule) throws(ProbeFailure) {
        guard messageStart == handshake.count else { throw .unexpectedMessage }
        (self.keys, self.schedule) = (keys, schedule)
    }

    /// The next complete message; nil if more bytes are needed.
    ///
    /// - Parameter limit: maximum length of the body of a message of this type.
    mutating func nextMessage(limit: (UInt8) throws(ProbeFailure) -> Int) throws(ProbeFailure) -> HandshakeMessage? {
        while true {
            if let message = try takeMessage(limit: limit) { return message }
            guard try readRecord() else { return nil }
        }
    }

    private mutating func takeMessage(limit: (UInt8) throws(ProbeFailure) -> Int) throws(ProbeFailure)
        -> HandshakeMessage?
    {
        let available = handshake.count - messageStart
        guard available > 0 else { return nil }
        let type = handshake[messageStart]
        let maximum = try limit(type)
        guard available >= HandshakeMessage.headerLength else { return nil }
        let length = handshake[messageStart + 1..<messageStart + HandshakeMessage.headerLength].reduce(0) {
            $0 << 8 | Int($1)
        }
        guard length <= maximum else { throw .tooLong }
        let end = messageStart + HandshakeMessage.headerLength + length
        guard end <= handshake.count else { return nil }
        let message = HandshakeMessage(type: type, bytes: Array(handshake[messageStart..<end]))
        messageStart = end
        if messageStart == handshake.count {
            handshake.removeAll(keepingCapacity: true)
            messageStart = 0
        }
        return message
    }

    /// Processes the next record.
    ///
    /// - Returns: false if it has not arrived completely.
    private mutating func readRecord() throws(ProbeFailure) -> Bool {
        guard input.count - start >= Self.headerLength else { return false }
        let type = input[start]
        guard input[start + 1] == 3 else { throw .malformed }
        let length = Int(input[start + 3]) << 8 | Int(input[start + 4])
        let isEncrypted = keys != nil && type == ContentType.applicationData
        guard length > 0, length <= (isEncrypted ? Self.maximumEncryptedLength : Self.maximumLength) else {
            throw .malformed
        }
        let contentStart = start + Self.headerLength
        guard input.count - contentStart >= length else { return false }
        let header = input[start..<contentStart]
        let content = input[contentStart..<contentStart + length]
        start = contentStart + length
        switch type {
        case ContentType.changeCipherSpec:
            // In TLS 1.3 a client ignores it (RFC 8446, section 5). Before, it does not precede the certificate.
            changeCount += 1
            guard content == [1], changeCount <= Self.maximumChanges, messageStart == handshake.count else {
                throw .unexpectedMessage
            }
        case ContentType.alert: throw .alert
        case ContentType.handshake where keys == nil: handshake += content
        case ContentType.applicationData where isEncrypted: handshake += try decrypted(content, header: header)
        default: throw .unexpectedMessage
        }
        return true
    }

    /// The handshake messages in an encrypted record (RFC 8446, section 5.2).
    private mutating func decrypted(
        _ content: ArraySlice<UInt8>, header: ArraySlice<UInt8>
    ) throws(ProbeFailure) -> ArraySlice<UInt8> {
        guard let schedule, let nonce = keys?.nextNonce(), let key = keys?.key,
            let plaintext = schedule.algorithms.open(content, header: header, key: key, nonce: nonce),
            // The content is followed by its type, then by zeros.
            let end = plaintext.lastIndex(where: { $0 != 0 })
        else { throw .undecryptable }
        switch plaintext[end] {
        case ContentType.handshake where end > 0 && end <= Self.maximumLength: return plaintext[..<end]
        case ContentType.alert: throw .alert
        default: throw .unexpectedMessage
        }
    }
}
