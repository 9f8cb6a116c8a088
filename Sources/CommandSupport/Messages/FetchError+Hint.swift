package import Fetching

extension FetchError {
    /// The hint for ``nextStep``.
    package var hint: String? {
        switch nextStep {
        case .checkName: "check the spelling, or use --connect-to ADDRESS to choose the address"
        case .raiseOpenFileLimit: "raise the limit of open files with ulimit -n"
        case .allow(let family): family == .ipv4 ? "remove -6" : "remove -4"
        case .waitLonger: "use --timeout SECONDS to wait longer"
        case .selectAddress: "use ADDRESS:PORT=HOST to connect to another address of the host"
        case .checkPort: "check the port: it may use a protocol other than TLS"
        case .avoidPlainHTTP: "check the port: this one speaks plain HTTP; TLS usually uses 443 or 8443"
        case .useImplicitTLS:
            "use the port with implicit TLS: 465 for SMTP, 993 for IMAP, 995 for POP3, 990 for FTP"
        case .useStartTLS(let targets): "use " + targets.map(\.description).joined(separator: " or ")
        case .checkScheme:
            "check the scheme and the port: if TLS begins at once at this port, use HOST:PORT without a scheme"
        case .requestAnotherName: "use --servername NAME to request another name"
        case .changeVersions:
            "check --tls-min and --tls-max; use pinctl fetch --insecure to offer all versions from TLS 1.0 on"
        case .requestAnotherNameOrWeakCiphers:
            "use --servername NAME if the server has no certificate for this name, or pinctl fetch --insecure to offer weak ciphers"
        case .sendClientCertificate: "if the server requires a client certificate, use --cert FILE and --key FILE"
        case .acceptOtherKeyTypes:
            "use --key-type any, or --servername NAME if the server has no certificate for this name"
        case .checkProxy:
            "check --proxy, or the environment variables https_proxy and all_proxy; --proxy none connects without a proxy"
        case .correctProxyCredential: "check the user of --proxy-user, and the password of --proxy-password-file"
        case .sendProxyCredential: "use --proxy-user NAME with --proxy-password-file FILE"
        case .checkTargetOfProxy: "check the host and the port, and that the proxy allows connections to them"
        case .nameProxyAnchors: "if the CA of the proxy is yours: use --proxy-anchors ca.pem"
        case nil: nil
        }
    }
}
