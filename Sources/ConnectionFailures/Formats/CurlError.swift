internal import Encodings

/// The error of curl, or of a program that uses libcurl, in a line:
///
///     curl: (60) TEXT                                         src/tool_operate.c
///     cURL error 60: TEXT                                     Guzzle: CurlFactory.php
///     curl error 60 while downloading URL: TEXT               Composer: CurlDownloader.php
///     fatal: unable to access 'URL': TEXT                     git: remote-curl.c
///     (60, 'TEXT')                                            PycURL
struct CurlError {
    /// The words of the program before the text.
    let prefix: String
    /// Nil for git.
    let code: Int?
    let text: String
    /// The host of the URL that is a part of the message.
    let url: (host: String, port: Int?)?

    private static let (git, composer, pycurl) = ("unable to access '", "curl error ", "pycurl.error: (")
    private static let codes: [(start: String, codes: [(prefix: String, code: Int)])] = [
        ("curl: (", ") "), ("cURL error ", ": "),
    ].map { start, end in (start, [35, 51, 60, 77, 90].map { ("\(start)\($0)\(end)", $0) }) }

    /// Whether a line contains the start of an error.
    static func isPossible(in line: LogLine) -> Bool { CurlError(line) != nil }

    init?(_ line: LogLine) {
        for (start, codes) in Self.codes where line.announces(start) {
            for (prefix, code) in codes where line.announces(prefix) {
                guard let text = line.text(after: prefix) else { continue }
                (self.prefix, self.code, self.text, url) = (prefix, code, text, nil)
                return
            }
        }
        if line.announces(Self.pycurl), let code = line.text(after: Self.pycurl, upTo: ",").flatMap({ Int($0) }),
            let start = line.firstIndex(of: Self.pycurl).flatMap({ line.firstIndex(of: ", ", from: $0) })
        {
            // Python quotes the text with the mark that it does not contain.
            let quoted = line.bytes[(start + 2)...].trimmed.dropLast(2).dropFirst()
            guard !quoted.isEmpty else { return nil }
            (prefix, self.code, text, url) = ("(\(code)) ", code, String(decoding: quoted, as: UTF8.self), nil)
            return
        }
        for (start, separator) in [(Self.git, "': "), (Self.composer, ": ")] where line.announces(start) {
            guard let found = line.firstIndex(of: start), let end = line.firstIndex(of: separator, from: found),
                line.announces(separator)
            else { continue }
            let rest = line.bytes[(found + start.utf8.count)..<end]
            let text = String(decoding: line.bytes[(end + separator.utf8.count)...].trimmed, as: UTF8.self)
            let before = LogLine(number: line.number, bytes: rest)
            guard let url = HostSearch.url(in: before), CurlReason.isAboutCertificates(text) else { continue }
            let code = String(decoding: rest.prefix(while: \.isDigit), as: UTF8.self)
            self.prefix = String(decoding: line.bytes[found..<end], as: UTF8.self) + separator
            (self.code, self.text, self.url) = (Int(code), text, url)
            return
        }
        return nil
    }
}
