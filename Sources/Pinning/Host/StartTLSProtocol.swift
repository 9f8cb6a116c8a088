/// A protocol that begins in plain text and changes to TLS on the same connection. The raw value is its URL scheme.
package enum StartTLSProtocol: String, CaseIterable, Sendable {
    case smtp, lmtp, imap, pop3, ftp, ldap, nntp, sieve, irc, telnet, xmpp
    case xmppServer = "xmpp-server"
    case postgres, mysql, mssql, rdp

    /// The name of the protocol in messages.
    package var name: String {
        switch self {
        case .smtp: "SMTP"
        case .lmtp: "LMTP"
        case .imap: "IMAP"
        case .pop3: "POP3"
        case .ftp: "FTP"
        case .ldap: "LDAP"
        case .nntp: "NNTP"
        case .sieve: "ManageSieve"
        case .irc: "IRC"
        case .telnet: "Telnet"
        case .xmpp, .xmppServer: "XMPP"
        case .postgres: "PostgreSQL"
        case .mysql: "MySQL"
        case .mssql: "TDS"
        case .rdp: "RDP"
        }
    }
}
