/// What a peer speaks whose first bytes are not TLS.
struct ProtocolGuess {
    private enum Speech {
        case http, ssh
        /// It greets first and may go over to TLS on request.
        case greeting(String)
        case unknown
    }

    private let bytes: [UInt8]
    private let speech: Speech

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        func starts(_ text: String) -> Bool { bytes.starts(with: text.utf8) }
        if starts("HTTP/") || starts("<!") || starts("<html") {
            speech = .http
        } else if starts("SSH-") {
            speech = .ssh
        } else if starts("220") {
            speech = .greeting("SMTP or FTP")
        } else if starts("* OK") || starts("* PREAUTH") {
            speech = .greeting("IMAP")
        } else if starts("+OK") {
            speech = .greeting("POP3")
        } else {
            speech = .unknown
        }
    }

    var description: String {
        switch speech {
        case .http: "in plain HTTP"
        case .ssh: "in SSH"
        case .greeting(let name): "with a greeting of \(name)"
        case .unknown: "with \(shown)"
        }
    }

    var hint: String? {
        switch speech {
        case .http: "this may be the port for plain HTTP: 443 or 8443 is more usual for TLS"
        case .greeting:
            "this port starts without TLS: the port with TLS from the start is 465 for SMTP, 993 for IMAP, 995 for POP3, 990 for FTP"
        case .ssh, .unknown: nil
        }
    }

    /// Whether these may be the first bytes of a TLS record: an alert or a handshake message (RFC 8446, section 5.1).
    static func isTLS(_ bytes: [UInt8]) -> Bool {
        guard let type = bytes.first, type == 21 || type == 22 else { return bytes.isEmpty }
        return bytes.count < 2 || bytes[1] == 3
    }

    /// The bytes in quotes where they are text, in hex where they are not.
    private var shown: String {
        let text = bytes.prefix { $0 != 10 && $0 != 13 }
        guard !text.isEmpty, text.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            return "the bytes "
                + bytes.prefix(8).map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
                .joined(separator: " ")
        }
        return "\"" + String(decoding: text, as: UTF8.self) + "\""
    }
}
