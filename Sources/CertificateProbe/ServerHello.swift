/// A ServerHello or a HelloRetryRequest (RFC 8446, section 4.1.3; RFC 5246, section 7.4.1.3).
struct ServerHello {
    /// The selected version.
    let version: UInt16
    let suite: UInt16
    /// The application protocol that the server selected, before TLS 1.3.
    let applicationProtocol: [UInt8]?
    let answer: Answer

    enum Answer {
        /// The group and the public key of the server; nil before TLS 1.3.
        case keyShare(ProbeKeyShare, publicKey: [UInt8])
        /// A HelloRetryRequest: the group that the client must use, and the cookie to return.
        case retry(ProbeKeyShare, cookie: [UInt8]?)
        /// Before TLS 1.3.
        case none
    }

    /// SHA-256 of "HelloRetryRequest" (RFC 8446, section 4.1.3).
    static let retryRandom: [UInt8] = [
        0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8, 0x91,
        0xC2, 0xA2, 0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8, 0x33, 0x9C,
    ]

    private static let maximumSessionIDLength = 32

    /// The end of the random number of a server that supports a later version than it selects, without the last byte.
    private static let downgradeMark: [UInt8] = Array("DOWNGRD".utf8)

    init(_ message: HandshakeMessage, answering hello: ClientHello) throws(ProbeFailure) {
        var reader = try message.body
        let template = hello.template
        let legacyVersion = UInt16(truncatingIfNeeded: try reader.integer(2))
        let random = try reader.take(32)
        let sessionID = try reader.vector(1).rest
        guard sessionID.count <= Self.maximumSessionIDLength else { throw .malformed }
        suite = UInt16(truncatingIfNeeded: try reader.integer(2))
        guard template.suites.contains(suite), try reader.integer(1) == 0 else { throw .unsupportedParameter }
        var extensions: [(type: UInt16, body: ByteReader)] = []
        if !reader.isAtEnd {
            var block = try reader.vector(2)
            guard reader.isAtEnd else { throw .malformed }
            extensions = try block.extensions()
        }
        let isRetry = random == Self.retryRandom
        var (version, protocolName): (UInt16, [UInt8]?) = (legacyVersion, nil)
        var (share, cookie): (ByteReader?, [UInt8]?) = (nil, nil)
        for (type, body) in extensions {
            var body = body
            switch type {
            case ExtensionType.cookie where isRetry:
                cookie = body.rest
                // RFC 8446, section 4.2.2: the cookie is not empty.
                guard try !body.vector(2).rest.isEmpty, body.isAtEnd else { throw .malformed }
            case _ where !template.extensionTypes.contains(type): throw .unsupportedParameter
            case ExtensionType.supportedVersions:
                version = UInt16(truncatingIfNeeded: try body.integer(2))
                guard version == TLSNumber.tls13, body.isAtEnd else { throw .unsupportedParameter }
            case ExtensionType.keyShare: share = body
            case ExtensionType.applicationProtocols: protocolName = try template.selectedProtocol(in: body)
            default: break
            }
        }
        self.version = version
        applicationProtocol = protocolName
        guard template.versions.contains(version), TLSNumber.isSuite(suite, of: version) else {
            throw .unsupportedParameter
        }
        guard version == TLSNumber.tls13 else {
            // A server that returns the session ID resumes a session, and one with the mark supports TLS 1.3, which was offered.
            let isDowngrade = template.versions.contains(TLSNumber.tls13) && random[24..<31] == Self.downgradeMark[...]
            guard !isRetry, !isDowngrade, sessionID.isEmpty || sessionID != hello.sessionID else {
                throw .unsupportedParameter
            }
            answer = .none
            return
        }
        let names = [ExtensionType.supportedVersions, ExtensionType.keyShare, ExtensionType.cookie]
        guard legacyVersion == TLSNumber.tls12, sessionID == hello.sessionID, var share,
            extensions.allSatisfy({ names.contains($0.type) })
        else { throw .unsupportedParameter }
        let group = UInt16(truncatingIfNeeded: try share.integer(2))
        guard let own = template.keyShares.first(where: { $0.group == group }) else { throw .unsupportedParameter }
        if isRetry {
            // RFC 8446, section 4.1.4: the server requests a group of which it has no key share.
            guard share.isAtEnd, !ProbeKeyShare.initialGroups.contains(group) else { throw .unsupportedParameter }
            answer = .retry(own, cookie: cookie)
        } else {
            answer = .keyShare(own, publicKey: try share.vector(2).rest)
            guard share.isAtEnd else { throw .malformed }
        }
    }
}

extension ClientHello.Template {
    /// The protocol in a server's extension (RFC 7301, section 3.1).
    func selectedProtocol(in body: ByteReader) throws(ProbeFailure) -> [UInt8] {
        var body = body
        var list = try body.vector(2)
        let name = try list.vector(1).rest
        guard body.isAtEnd, list.isAtEnd, applicationProtocols.contains(name) else { throw .unsupportedParameter }
        return name
    }
}
