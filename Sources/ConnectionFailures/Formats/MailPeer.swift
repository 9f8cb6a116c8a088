internal import Encodings
internal import Pinning

/// A server in a message of a mail server: its host, its address in brackets, and a port, which can be missing: `HOST[ADDRESS]:PORT` of
/// Postfix, `HOST [ADDRESS]:PORT` and `[ADDRESS]` of Exim.
struct MailPeer {
    let host: String
    let address: ArraySlice<UInt8>
    let port: Int?
    /// What follows.
    let rest: ArraySlice<UInt8>

    /// Reads the server at the start of a text; nil if the text has another form.
    init?(_ text: ArraySlice<UInt8>) {
        guard let open = text.firstIndex(of: UInt8(ascii: "[")),
            let close = text[open...].firstIndex(of: UInt8(ascii: "]"))
        else { return nil }
        address = text[(open + 1)..<close]
        let before = text[..<open].trimmed
        guard !before.contains(where: { $0.isWhiteSpace || "/,()=".utf8.contains($0) }),
            let name = HostSearch.name(String(decoding: before.isEmpty ? address : before, as: UTF8.self))
        else { return nil }
        host = name
        let after = text[(close + 1)...]
        var digits = after.prefix(0)
        if after.first == UInt8(ascii: ":") { digits = after.dropFirst().prefix(while: \.isDigit) }
        port = Int(String(decoding: digits, as: UTF8.self))
        rest = digits.isEmpty ? after : after[digits.endIndex...]
    }
}

extension ConnectionFailure {
    /// Sets the host, and the scheme that mail servers use with the port: STARTTLS except with the port 465 (RFC 8314, section 7.3).
    mutating func set(_ peer: MailPeer, isLMTP: Bool = false) {
        (host, port) = (peer.host, peer.port)
        scheme = isLMTP ? .lmtp : peer.port == 465 ? .smtps : .smtp
    }
}
