package import OpenSSL

extension TLSAlert: CustomStringConvertible {
    /// What the server meant, and the alert's own name.
    package var description: String {
        if isUnrecognizedName { return "it knows no host of that name (alert \"\(name)\")" }
        if isVersionRefusal { return "it wants another version of TLS (alert \"\(name)\")" }
        if isCertificateRequired { return "it demands a client certificate (alert \"\(name)\")" }
        return "it sent the alert \"\(name)\""
    }

    package var hint: String? {
        if isUnrecognizedName { return "--servername NAME asks for another name" }
        if isVersionRefusal { return Self.versionHint }
        if isHandshakeFailure {
            return "often the server has no certificate for this name, or wants ciphers that are off by default:"
                + " try --servername NAME, or inspect it with pinctl fetch --insecure"
        }
        return nil
    }

    static let versionHint =
        "--tls-min or --tls-max may leave its version out; pinctl fetch --insecure offers all from TLS 1.0 on"
}
