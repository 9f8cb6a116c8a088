internal import Encodings

/// The errors of Python's `ssl` (`fill_and_set_sslerror` in Modules/_ssl.c), also in those of urllib3, requests, httpx and aiohttp
/// (`__str__` of ClientConnectorCertificateError, and ServerFingerprintMismatch, in client_exceptions.py):
///
///     HTTPSConnectionPool(host='HOST', port=443): … [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: REASON (_ssl.c:1020)
///     Cannot connect to host HOST:443 ssl:True [SSLCertVerificationError: (1, '[SSL: CERTIFICATE_VERIFY_FAILED] …
enum PythonMessage {
    private static let marker = "[SSL: CERTIFICATE_VERIFY_FAILED]"
    private static let verification = "certificate verify failed: "
    /// What urllib3 writes before an error of the connection to a proxy: "Cannot" up to 1.26, then "Unable" (connectionpool.py and
    /// connection.py).
    private static let proxy = "connect to proxy"
    private static let fingerprint = "ServerFingerprintMismatch: ("
    /// Number of lines after an exception that may contain the next one of the same traceback.
    private static let maximumTrace = 150

    static func failure(at index: Int, in log: LogText) -> ConnectionFailure? {
        let line = log.lines[index]
        if line.announces(fingerprint) {
            // The message contains the address, and not the host.
            var failure = ConnectionFailure(.python, .pinMismatch, line, message: "ServerFingerprintMismatch")
            failure.comparesCertificates = true
            failure.findHost(near: index, in: log)
            return failure
        }
        guard line.announces(marker), !isRepeated(index, log) else { return nil }
        let reason = reason(in: line)
        let isOfProxy = line.part(upTo: marker).contains(proxy)
        var failure = ConnectionFailure(
            .python, reason.map(VerificationReason.kind) ?? .untrusted, line,
            message: (isOfProxy ? "ProxyError: " : "") + marker + " "
                + (reason.map { verification + $0 } ?? "certificate verify failed"))
        let name = line.beforeName.part(from: marker).text(after: "certificate is not valid for '", upTo: "'")
        if let (host, port) = host(in: line), !isOfProxy,
            name == nil || name?.lowercased() == HostSearch.name(host)?.lowercased()
        {
            (failure.host, failure.port) = (host, port)
        } else {
            failure.host = name
        }
        // The URLs are those of requests, and not of the proxy.
        if !isOfProxy { failure.findHost(near: index, in: log) }
        return failure
    }

    private static func reason(in line: LogLine) -> String? {
        let text = line.beforeName.part(from: marker).text(after: verification)
        return text.map { text in
            String(text[..<(text.firstRange(ofBytes: " (_ssl.c:")?.lowerBound ?? text.endIndex)])
        }
    }

    private static func host(in line: LogLine) -> (host: String, port: Int?)? {
        let start = line.part(upTo: marker)
        if let host = start.text(after: "(host='", upTo: "'") {
            return (host, start.text(after: ", port=", upTo: ")").flatMap { Int($0) })
        }
        if let host = start.text(after: "Cannot connect to host ", upTo: " ") {
            return HostSearch.authority(host)
        }
        return nil
    }

    /// Whether the same traceback contains the error again, as that of an exception with more context.
    private static func isRepeated(_ index: Int, _ log: LogText) -> Bool {
        var isTrace = false
        for line in log.lines.dropFirst(index + 1).prefix(maximumTrace) {
            if line.announces(marker) { return isTrace && reason(in: line) == reason(in: log.lines[index]) }
            isTrace =
                isTrace || line.contains("During handling of the above exception")
                || line.contains("The above exception was the direct cause")
        }
        return false
    }
}
