package import OpenSSL

/// A TLS client that reads the server's Certificate message and nothing after it, for TLS 1.3 and before.
///
/// A probe is a state machine over bytes: it opens no sockets. It does not check that the server has the key of its certificate, and the
/// connection is not confidential: the private key of its key exchange is 1. It implements only what common servers send up to the
/// Certificate message. Everything else is a ``ProbeFailure``.
package struct CertificateProbe {
    /// The settings that probes have in common. Only one thread may use them.
    package final class Settings {
        fileprivate let template: ClientHello.Template
        fileprivate let suiteNames: [UInt16: String]
        fileprivate let random = RandomSupply()
        private var schedules: [UInt16: KeySchedule] = [:]

        /// Nil if a probe cannot send the ClientHello of the context.
        package init?(_ context: borrowing ClientContext) {
            guard let session = try? ClientSession(context, serverName: "template.invalid"),
                case .needsInput = session.handshake(),
                let template = try? ClientHello.Template(session.takeOutput())
            else { return nil }
            self.template = template
            suiteNames = context.cipherSuiteNames
        }

        /// Whether sessions with these settings offer every version, cipher suite, signature algorithm and curve of server keys that
        /// those of `other` offer, with the same extensions.
        package func offersAll(of other: Settings) -> Bool { template.offersAll(of: other.template) }

        fileprivate func schedule(_ suite: UInt16) throws(ProbeFailure) -> KeySchedule {
            if let known = schedules[suite] { return known }
            guard let new = KeySchedule(suite) else { throw .unsupportedParameter }
            schedules[suite] = new
            return new
        }
    }

    /// What a server sent.
    package struct Answer: Equatable, Sendable {
        /// The certificates in DER, in the server's order, at least one.
        package let certificates: [[UInt8]]
        /// The number of the version.
        package let version: UInt16
        /// The standard name of the cipher suite.
        package let cipherSuite: String
        /// The application protocol that the server selected; nil if it selected none.
        package let applicationProtocol: String?
    }

    /// The next step.
    package enum Step: Equatable, Sendable {
        case needsInput
        /// Send these bytes, then wait for more bytes of the server.
        case send([UInt8])
        case done(Answer)
    }

    /// The message that a probe waits for.
    private enum State {
        case serverHello(isRetried: Bool)
        case encryptedExtensions
        /// TLS 1.3; `isRequested` is true after a request for a client certificate.
        case certificate13(isRequested: Bool)
        case certificate
    }

    private let settings: Settings
    private let hello: ClientHello
    private var state = State.serverHello(isRetried: false)
    private var reader = RecordReader()
    /// The handshake messages up to the last ClientHello.
    private var transcript: [UInt8]
    private var version: UInt16 = 0
    private var suite: UInt16 = 0
    private var applicationProtocol: [UInt8]?

    /// Nil if there are no random numbers.
    ///
    /// - Parameters:
    ///   - serverName: the name for the server name extension; nil to omit the extension.
    ///   - random: the random numbers; nil for those of the settings.
    package init?(_ settings: Settings, serverName: String?, random: RandomSupply? = nil) {
        guard
            let hello = ClientHello(settings.template, serverName: serverName, random: random ?? settings.random)
        else { return nil }
        self.settings = settings
        self.hello = hello
        transcript = hello.first
    }

    /// The bytes to send first.
    package var clientHello: [UInt8] { Self.record(transcript) }

    /// Maximum length of a hello or of the encrypted extensions, in bytes, as in OpenSSL. A request for a client certificate can be as long as
    /// a certificate list.
    private static let maximumMessageLength = 20_000

    /// Processes the next bytes of the server.
    ///
    /// - Throws: ``ProbeFailure``. The probe cannot continue then.
    package mutating func receive(_ bytes: [UInt8]) throws(ProbeFailure) -> Step {
        reader.append(bytes)
        while let message = try nextMessage() {
            let step = try process(message)
            guard step == .needsInput else { return step }
        }
        return .needsInput
    }

    private mutating func nextMessage() throws(ProbeFailure) -> HandshakeMessage? {
        let state = state
        return try reader.nextMessage { type throws(ProbeFailure) in
            switch (state, type) {
            case (.serverHello, HandshakeMessage.serverHello),
                (.encryptedExtensions, HandshakeMessage.encryptedExtensions):
                return Self.maximumMessageLength
            case (.certificate13(isRequested: false), HandshakeMessage.certificateRequest),
                (.certificate13, HandshakeMessage.certificate), (.certificate, HandshakeMessage.certificate):
                return ClientContext.maximumCertificateListSize
            default: throw .unexpectedMessage
            }
        }
    }

    private mutating func process(_ message: HandshakeMessage) throws(ProbeFailure) -> Step {
        switch state {
        case .serverHello(let isRetried): return try processHello(message, isRetried: isRetried)
        case .encryptedExtensions:
            try readExtensions(message)
            state = .certificate13(isRequested: false)
            return .needsInput
        case .certificate13 where message.type == HandshakeMessage.certificateRequest:
            state = .certificate13(isRequested: true)
            return .needsInput
        case .certificate13, .certificate: return .done(try answer(message))
        }
    }

    private mutating func processHello(_ message: HandshakeMessage, isRetried: Bool) throws(ProbeFailure) -> Step {
        let server = try ServerHello(message, answering: hello)
        // RFC 8446, section 4.1.4: the second ServerHello selects the same suite as the HelloRetryRequest.
        guard !isRetried || (server.suite == suite && server.version == version) else { throw .unsupportedParameter }
        (version, suite, applicationProtocol) = (server.version, server.suite, server.applicationProtocol)
        switch server.answer {
        case .none: state = .certificate
        case .keyShare(let share, let publicKey):
            let schedule = try settings.schedule(suite)
            guard
                let keys = schedule.serverKeys(
                    try share.sharedSecret(with: publicKey), transcript: transcript + message.bytes)
            else { throw .unsupportedParameter }
            try reader.decrypt(with: keys, schedule)
            state = .encryptedExtensions
        case .retry(let share, let cookie):
            guard !isRetried, let hash = try settings.schedule(suite).algorithms.hash(transcript) else {
                throw .unsupportedParameter
            }
            let second = hello.second(share, cookie: cookie)
            guard second.count <= Self.maximumMessageLength else { throw .tooLong }
            transcript =
                HandshakeMessage.header(HandshakeMessage.messageHash, hash.count) + hash + message.bytes + second
            state = .serverHello(isRetried: true)
            return .send(Self.record(second))
        }
        return .needsInput
    }

    /// Reads EncryptedExtensions (RFC 8446, section 4.3.1).
    private mutating func readExtensions(_ message: HandshakeMessage) throws(ProbeFailure) {
        var body = try message.body
        var block = try body.vector(2)
        guard body.isAtEnd else { throw .malformed }
        for (type, body) in try block.extensions() {
            switch type {
            case ExtensionType.applicationProtocols where settings.template.extensionTypes.contains(type):
                applicationProtocol = try settings.template.selectedProtocol(in: body)
            case ExtensionType.serverName where body.isAtEnd, ExtensionType.supportedGroups: break
            default: throw .unsupportedParameter
            }
        }
    }

    /// Reads a Certificate message (RFC 8446, section 4.4.2; RFC 5246, section 7.4.2).
    private func answer(_ message: HandshakeMessage) throws(ProbeFailure) -> Answer {
        var body = try message.body
        let isTLS13 = version == TLSNumber.tls13
        // The request context of a server is empty.
        if isTLS13, try body.integer(1) != 0 { throw .malformed }
        var list = try body.vector(3)
        guard body.isAtEnd else { throw .malformed }
        var certificates: [[UInt8]] = []
        while !list.isAtEnd {
            let certificate = try list.vector(3).rest
            guard !certificate.isEmpty else { throw .malformed }
            certificates.append(certificate)
            // The extensions of a certificate answer extensions that the probe does not send.
            if isTLS13, try !list.vector(2).isAtEnd { throw .unsupportedParameter }
        }
        guard !certificates.isEmpty else { throw .malformed }
        return Answer(
            certificates: certificates, version: version, cipherSuite: settings.suiteNames[suite] ?? "",
            applicationProtocol: applicationProtocol.map { String(decoding: $0, as: UTF8.self) })
    }

    /// A record with a ClientHello. Its version is that of TLS 1.0, for old servers (RFC 8446, section 5.1).
    private static func record(_ message: [UInt8]) -> [UInt8] {
        var record: [UInt8] = [22, 3, 1]
        record.reserveCapacity(message.count + 5)
        record.append(twoBytesOf: message.count)
        record += message
        return record
    }
}
