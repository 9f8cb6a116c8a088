internal import COpenSSL

/// A fatal alert from the peer (RFC 8446, section 6).
package struct TLSAlert: Equatable, Sendable {
    /// The number of the alert on the wire.
    package let number: UInt8

    package init(number: UInt8) { self.number = number }

    /// The name of the alert as in the RFCs, with spaces: "handshake failure".
    package var name: String {
        let name = unsafe String(cString: SSL_alert_desc_string_long(Int32(number)))
        return name == "unknown" ? "alert \(number)" : name
    }

    /// Whether the server does not know the server name (RFC 6066, section 3).
    package var isUnrecognizedName: Bool { number == 112 }

    /// Whether the server does not support the offered TLS versions.
    package var isVersionRefusal: Bool { number == 70 }

    /// Whether client and server have no common application protocol (RFC 7301, section 3.2).
    package var isApplicationProtocolRefusal: Bool { number == 120 }

    /// Whether client and server have no common parameters. Before TLS 1.3 it can also mean that the server requires a client
    /// certificate.
    package var isHandshakeFailure: Bool { number == 40 }

    /// Whether the server requires stronger parameters than the client offered.
    package var isInsufficientSecurity: Bool { number == 71 }

    /// Whether the alert can be the answer to a client certificate, or to none (RFC 8446, section 6.2).
    package var isAboutCertificate: Bool { [40, 41, 42, 43, 44, 45, 46, 48, 49, 51, 71, 116].contains(number) }

    /// Whether the server requires a client certificate, in TLS 1.3 (RFC 8446, section 6.2).
    package var isCertificateRequired: Bool { number == 116 }
}

extension OpenSSLError {
    /// The alert from the peer that caused the error; nil if the error has another cause. The alert's number is the reason code
    /// minus 1000 (`SSL_AD_REASON_OFFSET`).
    package var alert: TLSAlert? {
        for entry in entries where entry.library == ERR_LIB_SSL {
            if let number = UInt8(exactly: entry.reason - SSL_AD_REASON_OFFSET) { return TLSAlert(number: number) }
        }
        return nil
    }

    /// Whether the server sent a handshake message that exceeds the size limit of its type.
    package var isMessageTooLong: Bool { contains(library: ERR_LIB_SSL, reason: SSL_R_EXCESSIVE_MESSAGE_SIZE) }

    /// Whether the server's key has a type or a curve that the client did not offer.
    package var isWrongKeyType: Bool {
        contains(library: ERR_LIB_SSL, reason: SSL_R_WRONG_SIGNATURE_TYPE)
            || contains(library: ERR_LIB_SSL, reason: SSL_R_WRONG_CERTIFICATE_TYPE)
            || contains(library: ERR_LIB_SSL, reason: SSL_R_UNKNOWN_CERTIFICATE_TYPE)
            || contains(library: ERR_LIB_SSL, reason: SSL_R_WRONG_CURVE)
    }

    /// Whether the client refused the TLS version that the server selected.
    package var isVersionRefusal: Bool {
        contains(library: ERR_LIB_SSL, reason: SSL_R_UNSUPPORTED_PROTOCOL)
            || contains(library: ERR_LIB_SSL, reason: SSL_R_VERSION_TOO_LOW)
    }
}
