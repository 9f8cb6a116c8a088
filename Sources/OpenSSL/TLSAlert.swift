internal import COpenSSL

/// A fatal alert from the peer (RFC 8446, section 6).
package struct TLSAlert: Equatable, Sendable {
    /// The alert's number on the wire.
    package let number: UInt8

    package init(number: UInt8) { self.number = number }

    /// The alert's name as the RFCs write it, with spaces: "handshake failure".
    package var name: String {
        let name = unsafe String(cString: SSL_alert_desc_string_long(Int32(number)))
        return name == "unknown" ? "alert \(number)" : name
    }

    /// Sent by a server that has no host of the name asked for (RFC 6066, section 3).
    package var isUnrecognizedName: Bool { number == 112 }

    /// Sent by a server that wants another version of TLS.
    package var isVersionRefusal: Bool { number == 70 }

    /// Sent by a server that found nothing in common, or demands a client certificate.
    package var isHandshakeFailure: Bool { number == 40 }

    /// Sent by a server that demands a client certificate, in TLS 1.3 (RFC 8446, section 6.2).
    package var isCertificateRequired: Bool { number == 116 }
}

extension OpenSSLError {
    /// The alert that the peer sent, where that is what went wrong: its number is the reason less 1000
    /// (`SSL_AD_REASON_OFFSET`).
    package var alert: TLSAlert? {
        for entry in entries where entry.library == ERR_LIB_SSL {
            if let number = UInt8(exactly: entry.reason - SSL_AD_REASON_OFFSET) { return TLSAlert(number: number) }
        }
        return nil
    }

    /// The server sent a handshake message that is longer than its kind may be.
    package var isMessageTooLong: Bool { contains(library: ERR_LIB_SSL, reason: SSL_R_EXCESSIVE_MESSAGE_SIZE) }

    /// This side refused the version that the server chose.
    package var isVersionRefusal: Bool {
        contains(library: ERR_LIB_SSL, reason: SSL_R_UNSUPPORTED_PROTOCOL)
            || contains(library: ERR_LIB_SSL, reason: SSL_R_VERSION_TOO_LOW)
    }
}
