internal import OpenSSL

/// The ClientHello of a probe: that of OpenSSL with the same settings, but with other random numbers, server name and key shares.
///
/// A server selects its certificate by the offered versions, cipher suites, groups and signature algorithms. They are those of OpenSSL, so
/// that the server sends the same certificate as in a handshake of OpenSSL.
struct ClientHello {
    /// What the messages of one client context have in common. A class, because each probe has copies of its ClientHello.
    final class Template: Sendable {
        /// The versions that are offered (RFC 8446, section 4.2.1), also by the field legacy_version.
        let versions: Set<UInt16>
        let suites: Set<UInt16>
        let groups: Set<UInt16>
        let signatureAlgorithms: Set<UInt16>
        /// The groups for which the probe has a key share.
        let keyShares: [ProbeKeyShare]
        /// The types of extensions that a server may send.
        let extensionTypes: Set<UInt16>
        let applicationProtocols: Set<[UInt8]>

        fileprivate let legacyVersion: [UInt8]
        fileprivate let sessionIDLength: Int
        /// The cipher suites and the compression methods.
        fileprivate let selections: [UInt8]
        /// The extensions before and after the server name, without the key shares.
        fileprivate let firstExtensions: [UInt8]
        fileprivate let lastExtensions: [UInt8]
        /// The entries of the extension key_share in the first flight.
        fileprivate let initialEntries: [UInt8]

        /// - Parameter record: the record with a ClientHello of OpenSSL, with a server name.
        /// - Throws: if it has a property that a probe does not implement.
        init(_ record: [UInt8]) throws(ProbeFailure) {
            var reader = ByteReader(record)
            guard try reader.integer(1) == 22 else { throw .malformed }
            _ = try reader.integer(2)
            var message = try reader.vector(2)
            guard reader.isAtEnd, try message.integer(1) == 1 else { throw .malformed }
            var hello = try message.vector(3)
            legacyVersion = try hello.take(2)
            _ = try hello.take(32)
            sessionIDLength = try hello.vector(1).rest.count
            let suiteBytes = try hello.vector(2).rest
            let methods = try hello.vector(1).rest
            selections =
                UInt16(truncatingIfNeeded: suiteBytes.count).bytes + suiteBytes
                + [UInt8(truncatingIfNeeded: methods.count)] + methods
            suites = Set(try Self.numbers(in: suiteBytes))
            var versions: Set<UInt16> = [UInt16(legacyVersion[0]) << 8 | UInt16(legacyVersion[1])]
            var types: Set<UInt16> = []
            var (groups, algorithms): ([UInt16], [UInt16]) = ([], [])
            var protocols: Set<[UInt8]> = []
            var (first, last): ([UInt8], [UInt8]) = ([], [])
            var isAfterName = false
            var block = try hello.vector(2)
            for (type, body) in try block.extensions() {
                types.insert(type)
                var body = body
                let bytes = type.bytes + UInt16(truncatingIfNeeded: body.rest.count).bytes + body.rest
                switch type {
                case ExtensionType.serverName:
                    isAfterName = true
                    continue
                case ExtensionType.keyShare: continue
                case ExtensionType.preSharedKey: throw .unsupportedParameter
                case ExtensionType.supportedGroups: groups = try Self.numbers(in: body.vector(2).rest)
                case ExtensionType.signatureAlgorithms: algorithms = try Self.numbers(in: body.vector(2).rest)
                case ExtensionType.supportedVersions: versions = Set(try Self.numbers(in: body.vector(1).rest))
                case ExtensionType.applicationProtocols:
                    var list = try body.vector(2)
                    while !list.isAtEnd { protocols.insert(try list.vector(1).rest) }
                default: break
                }
                if isAfterName { last += bytes } else { first += bytes }
            }
            guard isAfterName else { throw .unsupportedParameter }
            // A client that sends this suite instead of an extension gets the extension as the answer (RFC 5746, section 3.3).
            if suites.contains(0x00FF) { types.insert(ExtensionType.renegotiationInfo) }
            keyShares = ProbeKeyShare.all.filter { groups.contains($0.group) }
            initialEntries = keyShares.filter { ProbeKeyShare.initialGroups.contains($0.group) }.flatMap(\.entry)
            guard !versions.contains(TLSNumber.tls13) || !initialEntries.isEmpty else { throw .unsupportedParameter }
            (self.versions, extensionTypes, applicationProtocols) = (versions, types, protocols)
            (self.groups, signatureAlgorithms) = (Set(groups), Set(algorithms))
            (firstExtensions, lastExtensions) = (first, last)
        }

        /// Whether a client offers all by which a server can select another certificate for the client of `other`.
        func offersAll(of other: Template) -> Bool {
            versions.isSuperset(of: other.versions) && suites.isSuperset(of: other.suites)
                && Self.curves(of: groups).isSuperset(of: Self.curves(of: other.groups))
                && signatureAlgorithms.isSuperset(of: other.signatureAlgorithms)
                && extensionTypes == other.extensionTypes
        }

        /// Groups that are also curves of server keys. The others are for the key exchange only, and their defaults differ by version.
        private static func curves(of groups: Set<UInt16>) -> Set<UInt16> {
            groups.intersection([0x0017, 0x0018, 0x0019])
        }

        private static func numbers(in bytes: [UInt8]) throws(ProbeFailure) -> [UInt16] {
            var reader = ByteReader(bytes)
            var numbers: [UInt16] = []
            while !reader.isAtEnd { numbers.append(UInt16(truncatingIfNeeded: try reader.integer(2))) }
            return numbers
        }
    }

    let template: Template
    private let serverName: String?
    private let random: [UInt8]
    let sessionID: [UInt8]

    /// Nil if there are no random numbers.
    init?(_ template: Template, serverName: String?, random numbers: RandomSupply) {
        guard let random = numbers.take(32 + template.sessionIDLength) else { return nil }
        self.template = template
        self.serverName = serverName
        self.random = Array(random.prefix(32))
        sessionID = Array(random.dropFirst(32))
    }

    /// The message with the key shares of the first flight.
    var first: [UInt8] { message(keyShareEntries: template.initialEntries, cookie: nil) }

    /// The answer to a HelloRetryRequest (RFC 8446, section 4.1.4).
    ///
    /// - Parameter cookie: the body of the server's extension, which the client returns.
    func second(_ share: ProbeKeyShare, cookie: [UInt8]?) -> [UInt8] {
        message(keyShareEntries: share.entry, cookie: cookie)
    }

    private func message(keyShareEntries: [UInt8], cookie: [UInt8]?) -> [UInt8] {
        let name = serverName.map { Array($0.utf8) }
        let offersTLS13 = template.versions.contains(TLSNumber.tls13)
        let blockLength =
            template.firstExtensions.count + (name.map { $0.count + 9 } ?? 0) + template.lastExtensions.count
            + (offersTLS13 ? keyShareEntries.count + 6 : 0) + (cookie.map { $0.count + 4 } ?? 0)
        let length =
            template.legacyVersion.count + random.count + 1 + sessionID.count + template.selections.count + 2
            + blockLength
        var message = HandshakeMessage.header(HandshakeMessage.clientHello, length)
        message.reserveCapacity(HandshakeMessage.headerLength + length)
        message += template.legacyVersion
        message += random
        message.append(UInt8(truncatingIfNeeded: sessionID.count))
        message += sessionID
        message += template.selections
        message.append(twoBytesOf: blockLength)
        message += template.firstExtensions
        if let name {
            message.append(twoBytesOf: Int(ExtensionType.serverName))
            message.append(twoBytesOf: name.count + 5)
            message.append(twoBytesOf: name.count + 3)
            message.append(0)
            message.append(twoBytesOf: name.count)
            message += name
        }
        message += template.lastExtensions
        if offersTLS13 {
            message.append(twoBytesOf: Int(ExtensionType.keyShare))
            message.append(twoBytesOf: keyShareEntries.count + 2)
            message.append(twoBytesOf: keyShareEntries.count)
            message += keyShareEntries
        }
        if let cookie {
            message.append(twoBytesOf: Int(ExtensionType.cookie))
            message.append(twoBytesOf: cookie.count)
            message += cookie
        }
        return message
    }
}

extension Array where Element == UInt8 {
    /// Appends the last two bytes of an integer in network order.
    mutating func append(twoBytesOf value: Int) {
        append(UInt8(truncatingIfNeeded: value >> 8))
        append(UInt8(truncatingIfNeeded: value))
    }
}

/// Numbers of protocol versions.
enum TLSNumber {
    static let tls12: UInt16 = 0x0303
    static let tls13: UInt16 = 0x0304

    /// Signals in the list of a client that no server can select (RFC 5746, section 3.3, and RFC 7507, section 2).
    private static let signals: Set<UInt16> = [0x00FF, 0x5600]

    /// Whether a server can select a cipher suite in a version, as far as the number says so. The suites of RFC 8446, appendix B.4, begin
    /// with 0x13. A probe implements no other ones of TLS 1.3, such as those of RFC 8998.
    static func isSuite(_ number: UInt16, of version: UInt16) -> Bool {
        !signals.contains(number) && (number >> 8 == 0x13) == (version == tls13)
    }
}

/// Types of extensions (RFC 8446, section 4.2).
enum ExtensionType {
    static let serverName: UInt16 = 0
    static let supportedGroups: UInt16 = 10
    static let signatureAlgorithms: UInt16 = 13
    static let applicationProtocols: UInt16 = 16
    static let preSharedKey: UInt16 = 41
    static let supportedVersions: UInt16 = 43
    static let cookie: UInt16 = 44
    static let keyShare: UInt16 = 51
    static let renegotiationInfo: UInt16 = 0xFF01
}

/// A handshake message (RFC 8446, section 4).
struct HandshakeMessage {
    let type: UInt8
    /// The message with its header.
    let bytes: [UInt8]

    var body: ByteReader {
        get throws(ProbeFailure) {
            var reader = ByteReader(bytes)
            _ = try reader.take(Self.headerLength)
            return reader
        }
    }

    static let clientHello: UInt8 = 1
    static let serverHello: UInt8 = 2
    static let encryptedExtensions: UInt8 = 8
    static let certificate: UInt8 = 11
    static let certificateRequest: UInt8 = 13
    /// The message that replaces the first ClientHello in the transcript after a HelloRetryRequest (RFC 8446, section 4.4.1).
    static let messageHash: UInt8 = 254

    static let headerLength = 4

    static func header(_ type: UInt8, _ count: Int) -> [UInt8] {
        [type] + [16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    }
}
