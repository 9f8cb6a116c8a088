internal import OpenSSL
internal import PlaintextProtocols

extension FetchError {
    /// A step that may help after an error.
    package enum NextStep: Equatable, Sendable {
        case checkName
        /// The process has reached its limit of open files.
        case raiseOpenFileLimit
        /// The options exclude addresses of this family, so the user may allow them.
        case allow(AddressFamily)
        case waitLonger
        /// The host has addresses that only a target of their own can select.
        case selectAddress
        /// The server may use a protocol other than TLS.
        case checkPort
        /// The server speaks HTTP without TLS.
        case avoidPlainHTTP
        /// The server greets in a mail or file transfer protocol, without TLS.
        case useImplicitTLS
        /// The server begins a protocol that may support STARTTLS: the targets with the scheme of each possible protocol.
        case useStartTLS([Target])
        /// The server did not begin the protocol of the target's scheme. TLS may begin at once there.
        case checkScheme
        /// The server does not know the server name.
        case requestAnotherName
        case changeVersions
        /// The server may have no certificate for the server name, or only weak ciphers.
        case requestAnotherNameOrWeakCiphers
        /// The server may require a client certificate.
        case sendClientCertificate
        /// The server may have no key of the accepted types.
        case acceptOtherKeyTypes
        /// The proxy of the options or the environment may be the wrong one, or does not allow the connection.
        case checkProxy
        /// The proxy requires a user and a password.
        case sendProxyCredential
        /// The proxy refused the user or the password.
        case correctProxyCredential
        /// The proxy cannot connect to the host, or does not allow it.
        case checkTargetOfProxy
        /// The certificate chain of the proxy may end in a private CA.
        case nameProxyAnchors
    }

    /// The next step to try; nil if no step is known.
    package var nextStep: NextStep? {
        switch self {
        case .resolve(_, let failure) where failure.isShortage: .raiseOpenFileLimit
        case .connect(let attempts) where attempts.contains { $0.error.isShortage }: .raiseOpenFileLimit
        case .resolve(_, let failure): failure.isUnknownName ? .checkName : nil
        case .family(_, let wanted): .allow(wanted == .ipv6 ? .ipv4 : .ipv6)
        case .excessAddresses, .excessCertificates: .selectAddress
        case .timeout(.resolving, _), .timeout(.waiting, _), .timeout(.connecting, _),
            .timeout(.handshaking(_, hasAnswered: true), _):
            .waitLonger
        case .timeout(.handshaking(_, hasAnswered: false), _): .checkPort
        case .notTLS(let endpoint, let bytes, let target): ProtocolGuess(bytes).nextStep(for: target, at: endpoint)
        case .alert(_, let alert) where alert.isUnrecognizedName: .requestAnotherName
        case .alert(_, let alert) where alert.isVersionRefusal: .changeVersions
        case .alert(_, let alert) where alert.isHandshakeFailure: .requestAnotherNameOrWeakCiphers
        case .alertAfterCertificate: .sendClientCertificate
        case .handshake(_, let error) where error.isVersionRefusal: .changeVersions
        case .keyTypes(_, let error): error.isNegotiationFailure ? .acceptOtherKeyTypes : error.nextStep
        case .timeout(.negotiating(_, _, hasAnswered: true), _): .waitLonger
        case .timeout(.negotiating(.startTLS, _, hasAnswered: false), _), .negotiation(.startTLS, _, .unexpected):
            .checkScheme
        case .timeout(.negotiating(.proxy, _, hasAnswered: false), _): .checkPort
        case .proxy(_, .negotiation(_, _, .proxy(let failure))): failure.nextStep
        case .proxy(_, .timeout): .waitLonger
        case .proxy(_, let error): error.nextStep == .raiseOpenFileLimit ? .raiseOpenFileLimit : .checkProxy
        case .throughProxy(_, _, _, let error): error.nextStep
        case .connect, .negotiation, .tunnel, .closed, .alert, .handshake, .wrongKey, .excessiveHandshake,
            .excessiveDiffieHellmanPrime, .noCertificate,
            .badCertificate:
            nil
        }
    }
}
