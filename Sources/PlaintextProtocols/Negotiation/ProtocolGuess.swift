internal import Encodings
package import Pinning

/// The protocol of a peer whose first bytes are not TLS.
package struct ProtocolGuess {
    package enum DetectedProtocol {
        case http, ssh
        /// A protocol whose server sends a greeting first, and which may support STARTTLS.
        case greeting(String, [StartTLSProtocol])
        case unknown
    }

    private let bytes: [UInt8]
    package let detected: DetectedProtocol

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        func starts(_ text: String) -> Bool { bytes.starts(with: text.utf8) }
        if starts("HTTP/") || starts("<!") || starts("<html") {
            detected = .http
        } else if starts("SSH-") {
            detected = .ssh
        } else if starts("220") {
            let words = String(decoding: bytes, as: UTF8.self).uppercased()
            let isFTP = words.has("FTP")
            let isMail = words.has("SMTP")
            detected = .greeting("an SMTP or FTP", isFTP == isMail ? [.smtp, .ftp] : isFTP ? [.ftp] : [.smtp])
        } else if starts("* OK") || starts("* PREAUTH") {
            detected = .greeting("an IMAP", [.imap])
        } else if starts("+OK") {
            detected = .greeting("a POP3", [.pop3])
        } else if starts("200 ") || starts("201 ") {
            detected = .greeting("an NNTP", [.nntp])
        } else if starts("\"IMPLEMENTATION\"") {
            detected = .greeting("a ManageSieve", [.sieve])
        } else if bytes.count > 5, bytes[3] == 0, bytes[4] == 10, bytes[2] == 0, bytes[1] == 0 {
            // The length of the first packet, its number 0, and the version of the protocol.
            detected = .greeting("a MySQL", [.mysql])
        } else {
            detected = .unknown
        }
    }

    package var description: String {
        switch detected {
        case .http: "in plain HTTP"
        case .ssh: "in SSH"
        case .greeting(let name, _): "with \(name) greeting"
        case .unknown: "with \(shown)"
        }
    }

    /// The first line in quotes if it is printable ASCII; otherwise the first bytes in hexadecimal.
    private var shown: String { Self.shown(bytes) }

    /// The first line of an excerpt in quotes if it is printable ASCII; otherwise its first bytes in hexadecimal.
    ///
    /// - Parameter bytes: those of ``AnswerExcerpt``.
    static func shown(_ bytes: [UInt8]) -> String {
        let text = bytes.prefix { $0 != 10 && $0 != 13 }
        guard !text.isEmpty, AnswerExcerpt.isPrintable(text) else {
            return "the bytes "
                + bytes.prefix(8).map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
                .joined(separator: " ")
        }
        return AnswerExcerpt.text(text).quoted
    }
}
