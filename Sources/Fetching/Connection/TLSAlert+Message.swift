package import OpenSSL

extension TLSAlert: CustomStringConvertible {
    /// The meaning of the alert and its name.
    package var description: String {
        if isUnrecognizedName { return "it does not know this server name (alert \"\(name)\")" }
        if isVersionRefusal { return "it does not support the offered TLS versions (alert \"\(name)\")" }
        if isCertificateRequired { return "it requires a client certificate (alert \"\(name)\")" }
        return "it sent the alert \"\(name)\""
    }

    package var hint: String? {
        if isUnrecognizedName { return "use --servername NAME to request another name" }
        if isVersionRefusal { return Self.versionHint }
        if isHandshakeFailure {
            return
                "use --servername NAME if the server has no certificate for this name, or pinctl fetch --insecure to offer weak ciphers"
        }
        return nil
    }

    static let versionHint =
        "check --tls-min and --tls-max; use pinctl fetch --insecure to offer all versions from TLS 1.0 on"
}
