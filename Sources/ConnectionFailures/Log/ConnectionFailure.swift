internal import Encodings
package import Pinning

/// A failed connection that a program logged.
package struct ConnectionFailure: Hashable, Sendable {
    /// The program or library that wrote the message.
    package enum Source: String, CaseIterable, Sendable {
        case okhttp, trustkit, android, urlsession, alamofire, dart, curl, wget, go, java, python, node, dotnet, rustls,
            nginx, envoy, openssl, gnutls, postfix, exim, dovecot
    }

    /// What the program found.
    package enum Kind: String, CaseIterable, Sendable {
        /// No pin matches the chain.
        case pinMismatch = "pin-mismatch"
        /// The program does not trust the CA of the chain.
        case untrusted
        case expired
        case notYetValid = "not-yet-valid"
        /// The certificate is for other names.
        case nameMismatch = "name-mismatch"
        /// The program cancelled the connection and did not log the reason.
        case cancelled
        /// The handshake failed, and the message does not contain the reason.
        case handshake
    }

    /// A certificate that the program saw.
    package struct SeenCertificate: Hashable, Sendable {
        package let subject: String?
        package let issuer: String?
        package let pin: Pin?

        package init(subject: String?, issuer: String? = nil, pin: Pin? = nil) {
            (self.subject, self.issuer, self.pin) = (subject, issuer, pin)
        }
    }

    package let source: Source
    package internal(set) var kind: Kind
    /// The line of the log, from 1.
    package let line: Int
    /// The message of the program, one line.
    package internal(set) var message: String
    /// The host as in the log.
    package internal(set) var host: String?
    /// The line with the host, if it is not part of the message. Then the host is a guess.
    package internal(set) var hostLine: Int?
    package internal(set) var port: Int?
    /// The scheme of the host, if the program also uses TLS after a protocol in plain text.
    package internal(set) var scheme: TargetScheme?
    /// The pins of the program.
    package internal(set) var expected: [Pin] = []
    /// Pins of the program that are not SHA-256 digests.
    package internal(set) var otherPins: [String] = []
    /// The chain, the server's certificate first.
    package internal(set) var seen: [SeenCertificate] = []
    /// The alternative names of the first certificate of ``seen``, if the log contains this certificate.
    package internal(set) var seenNames: Set<String> = []
    /// The names of the server's certificate as the message lists them, with commas; nil if it lists none.
    var certificateNames: String?
    /// The date in the message from which or until which a certificate of the chain is valid; nil without one.
    var certificateDate: Timestamp?
    /// Whether the program compares the digests of whole certificates.
    package internal(set) var comparesCertificates = false
    /// Whether the program compares only the server's key, and not those of CAs, as curl does (`Curl_pin_peer_pubkey` in
    /// lib/vtls/vtls.c).
    package var comparesOnlyServerKey: Bool { source == .curl }
    /// A part that the message contains twice although the program writes it once. A log contains names of certificates, and a name can
    /// contain line feeds, so an interceptor can write lines of a message.
    package internal(set) var repeatedPart: String?
    package var hasRepeatedParts: Bool { repeatedPart != nil }

    init(_ source: Source, _ kind: Kind, _ line: LogLine, message: String? = nil) {
        (self.source, self.kind) = (source, kind)
        self.line = line.number
        self.message = message ?? line.text
    }

    /// The pins of ``seen``.
    package var seenPins: [Pin] { seen.compactMap(\.pin) }

    /// Whether the names of the first certificate in the log, if it is known, include the host, or a name that a certificate of the host has.
    func isSeen(forHostOf leaf: Certificate) -> Bool {
        guard !seenNames.isEmpty else { return false }
        if leaf.dnsNames.contains(where: seenNames.contains) || leaf.ipAddresses.contains(where: seenNames.contains) {
            return true
        }
        guard let host else { return false }
        let parent = host.parts(separatedBy: ".").dropFirst().joined(separator: ".")
        return seenNames.contains(host) || !parent.isEmpty && seenNames.contains("*.\(parent)")
    }

    /// Maximum number of characters of a text from a log, which can have lines of any length.
    private static let maximumText = 500

    mutating func shortenTexts() {
        let limit = Self.maximumText
        // A program can log a URL with its user and its password.
        message = message.withoutUserInfo(of: host).shortened(to: limit)
        host = host?.withoutUserInfo.shortened(to: limit)
        otherPins = otherPins.map { $0.withoutUserInfo(of: nil).shortened(to: limit) }
        seen = seen.map {
            SeenCertificate(
                subject: $0.subject?.withoutUserInfo(of: nil).shortened(to: limit),
                issuer: $0.issuer?.withoutUserInfo(of: nil).shortened(to: limit), pin: $0.pin)
        }
    }

    /// Whether two failures differ only in their lines and messages.
    func isRepetition(of other: ConnectionFailure) -> Bool {
        source == other.source && kind == other.kind && host == other.host && port == other.port
            && scheme == other.scheme
            && expected == other.expected && otherPins == other.otherPins && seen == other.seen
            && certificateNames == other.certificateNames && certificateDate == other.certificateDate
            && repeatedPart == other.repeatedPart && (hostLine == nil) == (other.hostLine == nil)
    }
}
