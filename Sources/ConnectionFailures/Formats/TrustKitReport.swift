internal import Encodings
internal import Pinning

/// The JSON reports of TrustKit (`json` in TSKPinFailureReport.m; the keys of RFC 7469, section 3, and `validation-result`).
enum TrustKitReport {
    /// Maximum number of reports in a file.
    static let maximumReports = 10_000

    /// The reports of a file.
    struct File {
        var failures: [ConnectionFailure] = []
        /// Whether the file also contains values that are no reports, such as the lines of a log in JSON.
        var hasOtherValues = false
        /// Whether the file has more than ``maximumReports`` reports.
        var isCutShort = false
        /// Whether the last line is the beginning of a report.
        var isIncomplete = false

        fileprivate mutating func add(_ value: JSONValue, line: Int) {
            guard let failure = TrustKitReport.failure(value, line: line) else {
                hasOtherValues = true
                return
            }
            guard failures.count < TrustKitReport.maximumReports else {
                isCutShort = true
                return
            }
            failures.append(failure)
        }
    }

    /// The reports of a file that contains only JSON: one value, a list, or a value in each line; nil for another file, because a name
    /// with line feeds can add a line with a report to a log.
    static func file(_ bytes: [UInt8]) -> File? {
        guard let first = bytes[...].trimmed.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            return nil
        }
        if let document = try? JSONDocument(bytes, refusesDuplicateKeys: false) {
            let values = if case .array(let values) = document.root.content { values } else { [document.root] }
            var file = File()
            for value in values { file.add(value, line: value.position.line) }
            return file
        }
        var file = File()
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
            .filter { !$0.element.trimmed.isEmpty }
        for (offset, line) in lines {
            guard let document = try? JSONDocument(Array(line), refusesDuplicateKeys: false) else {
                guard offset == lines.last?.offset, !file.failures.isEmpty else { return nil }
                file.isIncomplete = true
                return file
            }
            file.add(document.root, line: offset + 1)
        }
        return file
    }

    /// Whether a line contains a key of a report.
    static func isPossible(in line: LogLine) -> Bool { line.contains("\"known-pins\"") }

    private static func failure(_ value: JSONValue, line: Int) -> ConnectionFailure? {
        guard case .object(let members) = value.content else { return nil }
        func member(_ key: String) -> JSONValue.Content? { members.first { $0.key == key }?.value.content }
        guard case .array(let pins) = member("known-pins"), case .string(let host) = member("hostname") else {
            return nil
        }
        // TSKTrustEvaluationResult in TSKTrustDecision.h: 2 is an untrusted chain.
        let isUntrusted = if case .number("2") = member("validation-result") { true } else { false }
        var failure = ConnectionFailure(
            .trustkit, isUntrusted ? .untrusted : .pinMismatch, LogLine(number: line, bytes: []),
            message: isUntrusted ? "the chain is not trusted" : "no pin matches the chain")
        failure.host = host
        if case .number(let text) = member("port") { failure.port = Int(text) }
        for case .string(let spelling) in pins.map(\.content) {
            if let pin = try? Pin(spelling: spelling) {
                failure.expected.append(pin)
            } else {
                failure.otherPins.append(spelling)
            }
        }
        let chain = if case .array(let chain)? = member("validated-certificate-chain") { chain } else { [JSONValue]() }
        for case .string(let pem) in chain.map(\.content) {
            var blocks = PEM.blocks(in: Array(pem.utf8))
            guard let der = (try? blocks.next()?.get())?.certificateBytes, let certificate = try? Certificate(der: der)
            else { continue }
            if failure.seen.isEmpty { failure.seenNames = Set(certificate.dnsNames + certificate.ipAddresses) }
            failure.seen.append(
                ConnectionFailure.SeenCertificate(
                    subject: certificate.subject?.description, issuer: certificate.issuer?.description,
                    pin: certificate.pin))
        }
        return failure
    }
}
