internal import Encodings
internal import Pinning

/// The log of TrustKit for Apple's systems (TSKLog in ssl_pin_verifier.m and TSKPinningValidator.m):
///
///     === TrustKit: Checking certificate with CN: NAME
///     === TrustKit: Testing SSL Pin <fbe30180 31f9586b …>
///     === TrustKit: Error: SSL Pin not found for HOST
///     === TrustKit: Error: default SSL validation failed for HOST: DETAILS
///
/// Since iOS 13, the description of `NSData` is `{length = 32, bytes = 0xfbe30180 31f9586b … }` without the middle, so that the log
/// contains no keys.
enum TrustKitMessage {
    private static let key = "Testing SSL Pin "
    /// Maximum number of lines before the error that belong to it.
    private static let maximumLines = 80
    private static let notFound = "Error: SSL Pin not found for "
    private static let failed = "Pin validation failed for "
    private static let untrusted = "Error: default SSL validation failed for "
    /// Number of lines between an error and "Pin validation failed": the details of an untrusted chain have several.
    private static let maximumDetails = 60

    static func failure(at index: Int, in log: LogText) -> ConnectionFailure? {
        let line = log.lines[index]
        if line.announces(notFound), let host = line.text(after: notFound, upTo: " ") {
            var failure = ConnectionFailure(.trustkit, .pinMismatch, line, message: "SSL Pin not found for \(host)")
            failure.host = host
            addSeen(to: &failure, before: index, in: log)
            return failure
        }
        if line.announces(untrusted), let host = line.text(after: untrusted, upTo: " ") {
            // The details follow. An IPv6 address contains colons too.
            let name = host.ends(with: ":") ? String(host.dropLast()) : host
            var failure = ConnectionFailure(
                .trustkit, .untrusted, line, message: "default SSL validation failed for \(name)")
            failure.host = name
            return failure
        }
        // The next line of TrustKit after one of the errors.
        if line.announces(failed), let host = line.text(after: failed, upTo: " ") {
            let isKnown =
                log.lines[max(0, index - 5)..<index].contains { $0.contains("SSL Pin not found for \(host)") }
                || log.lines[max(0, index - maximumDetails)..<index].contains { $0.contains("\(untrusted)\(host)") }
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
        var keys = 0
        for line in log.lines[max(0, index - maximumLines)..<index].reversed() {
            if line.announces("SSL Pin not found for ") || line.announces("Pin validation ") { break }
            if line.announces(key) {
                // TrustKit writes one key for each certificate.
                keys += 1
                if keys > 1 { failure.repeatedPart = "\"Testing SSL Pin\"" }
                // Before iOS 13, `NSData` printed groups of eight digits.
                let digits = line.text(after: "\(key)<", upTo: ">") ?? ""
                pin = (try? Hex.decode(Array(digits.utf8).filter { $0 != UInt8(ascii: " ") })).flatMap {
                    Pin(digest: $0)
                }
            } else if let name = line.text(after: "Checking certificate with CN: ") {
                failure.seen.append(ConnectionFailure.SeenCertificate(subject: "CN=\(name)", pin: pin))
                (pin, keys) = (nil, 0)
            }
        }
    }
}
