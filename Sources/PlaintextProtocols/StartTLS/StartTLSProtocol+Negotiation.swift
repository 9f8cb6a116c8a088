package import Pinning

extension StartTLSProtocol {
    /// The state machine of this protocol.
    ///
    /// - Parameter domain: the name of the server, for protocols that send it.
    package func negotiation(domain: String) -> any PlaintextNegotiation {
        switch self {
        case .smtp: SMTPNegotiation()
        case .lmtp: SMTPNegotiation(isLMTP: true)
        case .imap: IMAPNegotiation()
        case .pop3: POP3Negotiation()
        case .ftp: FTPNegotiation()
        case .ldap: LDAPNegotiation()
        case .nntp: NNTPNegotiation()
        case .sieve: SieveNegotiation()
        case .irc: IRCNegotiation()
        case .telnet: TelnetNegotiation()
        case .xmpp: XMPPNegotiation(domain: domain, isServer: false)
        case .xmppServer: XMPPNegotiation(domain: domain, isServer: true)
        case .postgres: PostgresNegotiation()
        case .mysql: MySQLNegotiation()
        case .mssql: TDSNegotiation()
        case .rdp: RDPNegotiation()
        }
    }
}
