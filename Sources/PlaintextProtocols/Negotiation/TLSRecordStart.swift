/// The recognition of TLS where a peer should send plain text, or of plain text where it should send TLS.
package enum TLSRecordStart {
    /// Whether these can be the first bytes of a TLS record with an alert or a handshake message (RFC 8446, section 5.1).
    package static func matches(_ bytes: [UInt8]) -> Bool {
        guard let type = bytes.first, type == 21 || type == 22 else { return bytes.isEmpty }
        return bytes.count < 2 || bytes[1] == 3
    }
}
