internal import Encodings

/// The lines with which GNU Wget begins a request (`gethttp` in src/http.c), whose messages contain no port:
///
///     --2026-11-23 20:42:16--  https://HOST:PORT/PATH
enum WgetRequest {
    /// Maximum number of lines before a message that are read.
    private static let maximumLines = 400

    /// The port of the requests to a host before a message. A name with line feeds can contain such a line, so the port is nil if the
    /// lines have several.
    static func port(of host: String?, before index: Int, in log: LogText) -> Int? {
        guard let host else { return nil }
        let ports = log.lines[..<index].suffix(maximumLines).compactMap { line -> Int? in
            guard line.bytes.starts(with: "--".utf8), line.contains("--  https://"), let url = HostSearch.url(in: line),
                url.host.lowercased() == host.lowercased()
            else { return nil }
            return url.port ?? 443
        }
        guard let first = ports.first, ports.allSatisfy({ $0 == first }) else { return nil }
        return first
    }
}
