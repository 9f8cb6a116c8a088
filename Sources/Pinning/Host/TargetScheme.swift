internal import Encodings

/// The schemes of targets. A scheme selects the default port and the protocol that precedes TLS, if any.
///
/// The ports are those of the IANA registry of service names, except for `lmtp`, for which 24 is usual, and `irc`, for which 6667 is.
package enum TargetScheme: String, CaseIterable, Sendable {
    case https, wss, tls
    case smtp, submission, smtps, lmtp
    case imap, imaps
    case pop3, pop3s
    case sieve
    case ftp, ftps
    case ldap, ldaps
    case nntp, nntps
    case irc, ircs
    case xmpp
    case xmppServer = "xmpp-server"
    case telnet
    case postgres, mysql, mssql
    case rdp
    case mqtts, amqps
    case dot

    package var defaultPort: UInt16 {
        switch self {
        case .https, .wss, .tls: 443
        case .smtp: 25
        case .submission: 587
        case .smtps: 465
        case .lmtp: 24
        case .imap: 143
        case .imaps: 993
        case .pop3: 110
        case .pop3s: 995
        case .sieve: 4190
        case .ftp: 21
        case .ftps: 990
        case .ldap: 389
        case .ldaps: 636
        case .nntp: 119
        case .nntps: 563
        case .irc: 6667
        case .ircs: 6697
        case .xmpp: 5222
        case .xmppServer: 5269
        case .telnet: 23
        case .postgres: 5432
        case .mysql: 3306
        case .mssql: 1433
        case .rdp: 3389
        case .mqtts: 8883
        case .amqps: 5671
        case .dot: 853
        }
    }

    /// The protocol in plain text before TLS; nil if TLS begins at once.
    package var startTLS: StartTLSProtocol? {
        switch self {
        case .submission: .smtp
        case .https, .wss, .tls, .smtps, .imaps, .pop3s, .ftps, .ldaps, .nntps, .ircs, .mqtts, .amqps, .dot: nil
        default: StartTLSProtocol(rawValue: rawValue)
        }
    }

    /// The scheme with this name, in lower case.
    package init?(name: String) {
        // libpq accepts both names.
        self.init(rawValue: name == "postgresql" ? "postgres" : name)
    }

    /// The next step after an unknown scheme: the schemes with a similar name, or all schemes if no name is similar.
    package static func hint(forUnknown name: String) -> String {
        let names = allCases.map(\.rawValue)
        let similar = Suggestion.nearest(to: name, among: names)
        guard !similar.isEmpty else { return "use one of: " + names.joined(separator: ", ") }
        return "use " + similar.map { "\($0)://" }.joined(conjunction: "or")
    }

    /// The schemes with a protocol before TLS.
    package static let withStartTLS = allCases.filter { $0.startTLS != nil }
}
