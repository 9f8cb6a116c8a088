internal import Encodings
internal import Pinning

/// The log of TrustKit for Apple's systems (TSKLog in ssl_pin_verifier.m and TSKPinningValidator.m):
///
///     === TrustKit: Checking certificate with CN: NAME
///     === TrustKit: Testing SSL Pin <fbe30180 31f9586b …>
///     === TrustKit: Error: SSL Pin not found for HOST
enum TrustKitMessage {
    private static let key = "Testing SSL Pin <"
    /// Maximum number of lines before the error that belong to it.
    private static let maximumLines = 80
    private static let notFound = "Error: SSL Pin not found for "
    private static let failed = "Pin validation failed for "

    static func failure(at index: Int, in log: LogText) -> ConnectionFailure? {
        let line = log.lines[index]
        if line.announces(notFound), let host = line.text(after: notFound, upTo: " ") {
            var failure = ConnectionFailure(.trustkit, .pinMismatch, line, message: "SSL Pin not found for \(host)")
            failure.host = host
            addSeen(to: &failure, before: index, in: log)
            return failure
        }
        // The next line of TrustKit after "SSL Pin not found".
        if line.announces(failed), let host = line.text(after: failed, upTo: " ") {
            let isKnown = log.lines[max(0, index - 5)..<index].contains { $0.contains("SSL Pin not found for \(host)") }
            guard !isKnown else { return nil }
            var failure = ConnectionFailure(.trustkit, .pinMismatch, line, message: "Pin validation failed for \(host)")
            failure.host = host
            addSeen(to: &failure, before: index, in: log)
            return failure
        }
        return nil
    }

    /// Adds the certificates that TrustKit compared, the server's certificate first. TrustKit begins with the root.
    private static func addSeen(to failure: inout ConnectionFailure, before index: Int, in log: LogText) {
        var pin: Pin?
        for line in log.lines[max(0, index - maximumLines)..<index].reversed() {
            if line.announces("SSL Pin not found for ") || line.announces("Pin validation ") { break }
            if line.announces(key), let digits = line.text(after: key, upTo: ">") {
                // TrustKit writes one key for each certificate.
                if pin != nil { failure.repeatedPart = "\"\(key)\"" }
                // `NSData` prints groups of eight digits.
                pin = (try? Hex.decode(Array(digits.utf8).filter { $0 != UInt8(ascii: " ") })).flatMap {
                    Pin(digest: $0)
                }
            } else if let name = line.text(after: "Checking certificate with CN: ") {
                failure.seen.append(ConnectionFailure.SeenCertificate(subject: "CN=\(name)", pin: pin))
                pin = nil
            }
        }
    }
}
