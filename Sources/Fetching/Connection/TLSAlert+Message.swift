package import OpenSSL

extension TLSAlert: CustomStringConvertible {
    /// The meaning of the alert and its name.
    package var description: String {
        if isUnrecognizedName { return "it does not know this server name (alert \"\(name)\")" }
        if isVersionRefusal { return "it does not support the offered TLS versions (alert \"\(name)\")" }
        if isCertificateRequired { return "it requires a client certificate (alert \"\(name)\")" }
        return "it sent the alert \"\(name)\""
    }
}
