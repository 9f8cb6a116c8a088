internal import Encodings
internal import Pinning

/// Finds the failed connections in a log.
package struct FailureLog: Sendable {
    /// Maximum number of different failures that are read.
    package static let maximumFailures = 100
    /// Maximum number of messages that are read. Each one may need a search in hundreds of lines.
    package static let maximumMessages = 5_000
    /// Maximum number of JSON reports that are read.
    package static let maximumReports = TrustKitReport.maximumReports
    /// Maximum number of lines that are read.
    package static let maximumLines = LogText.maximumLines

    /// The different failures in the order of the log, each with the number of times that it occurs.
    package private(set) var failures: [(failure: ConnectionFailure, count: Int)] = []
    /// Whether a part of the log was not read: it has more than ``maximumFailures`` different failures, ``maximumMessages`` messages,
    /// ``maximumReports`` reports or ``maximumLines`` lines.
    package private(set) var isCutShort = false
    /// Whether the text has reports of TrustKit that were not read: an incomplete one, or some between other lines.
    package private(set) var hasUnreadReports = false

    package init(_ bytes: [UInt8]) {
        let names = Self.names(in: bytes)
        let file = TrustKitReport.file(bytes)
        var reports = (file?.failures ?? [])[...]
        isCutShort = file?.isCutShort ?? false
        hasUnreadReports = file?.isIncomplete ?? false
        if file?.hasOtherValues ?? true {
            let log = LogText(bytes)
            isCutShort = isCutShort || log.isCutShort
            if file == nil { hasUnreadReports = log.lines.contains { TrustKitReport.isPossible(in: $0) } }
            var reader = FailureReader(log)
            var count = 0
            while let failure = reader.next() {
                guard count < Self.maximumMessages else {
                    isCutShort = true
                    break
                }
                count += 1
                while let report = reports.first, report.line < failure.line {
                    add(report, names)
                    reports.removeFirst()
                }
                add(failure, names)
            }
        }
        for report in reports { add(report, names) }
    }

    /// The alternative names of the certificates in PEM, by their keys.
    private static func names(in bytes: [UInt8]) -> [Pin: Set<String>] {
        guard bytes.has("-----BEGIN CERTIFICATE") else { return [:] }
        var names: [Pin: Set<String>] = [:]
        var blocks = PEM.blocks(in: bytes)
        while names.count < maximumCertificates, let block = blocks.next() {
            guard let der = (try? block.get())?.certificateBytes, let certificate = try? Certificate(der: der) else {
                continue
            }
            names[certificate.pin] = Set(certificate.dnsNames + certificate.ipAddresses)
        }
        return names
    }

    /// Maximum number of certificates of a log that are decoded.
    private static let maximumCertificates = 1_000

    private mutating func add(_ found: ConnectionFailure, _ names: [Pin: Set<String>]) {
        var failure = found
        if let pin = failure.seen.first?.pin, let names = names[pin] { failure.seenNames = names }
        failure.shortenTexts()
        if let index = failures.firstIndex(where: { failure.isRepetition(of: $0.failure) }) {
            failures[index].count += 1
        } else if failures.count < Self.maximumFailures {
            failures.append((failure, 1))
        } else {
            isCutShort = true
        }
    }
}

/// Reads the failures of a log, line by line.
struct FailureReader {
    private let log: LogText
    private var index = 0
    /// The number of the line with the failure of the Java stack trace that contains the current line.
    private var traceLine: Int?
    /// The last failure of Java, and the index of its line.
    private var lastJava: (failure: ConnectionFailure, index: Int)?
    private var openssl = OpenSSLClientLog()
    /// Read at the first status of gnutls-cli.
    private var gnutls: GnuTLSClientLog?
    /// Read at the first error of curl.
    private var curlCertificates: CurlCertificateLines?

    init(_ log: LogText) { self.log = log }

    mutating func next() -> ConnectionFailure? {
        while index < log.lines.count {
            let line = log.lines[index]
            defer { index += 1 }
            if let failure = failure(at: index, line) { return failure }
        }
        return nil
    }

    private mutating func failure(at index: Int, _ line: LogLine) -> ConnectionFailure? {
        if let start = traceLine, line.number != start, !JavaMessage.isInTrace(index, in: log) { traceLine = nil }
        if let (failure, end) = openssl.failure(at: index, in: log) {
            self.index = max(index, end)
            return failure
        }
        if GnuTLSClientLog.isStatus(line) {
            let statuses = gnutls ?? GnuTLSClientLog(log)
            gnutls = statuses
            return statuses.failure(at: index, in: log)
        }
        if line.announces(OkHttpMessage.title) {
            let (failure, end) = OkHttpMessage.failure(at: index, in: log)
            self.index = max(index, end)
            return failure
        }
        if line.contains("TrustKit: ") || line.contains("TrustKit] ") {
            if let failure = TrustKitMessage.failure(at: index, in: log) { return failure }
        }
        if line.announces("NSURLErrorDomain") {
            let (failure, end) = URLSessionMessage.failure(at: index, in: log)
            if let failure {
                self.index = max(index, end)
                return failure
            }
        }
        if CurlError.isPossible(in: line) {
            let certificates = curlCertificates ?? CurlCertificateLines(log)
            curlCertificates = certificates
            if let failure = CurlMessage.failure(at: index, in: log, certificates: certificates) { return failure }
        }
        if line.announces("x509: "), let failure = GoMessage.failure(at: index, in: log) { return failure }
        if mayContainOtherMessage(line) {
            if let failure = mailFailure(at: index) { return failure }
            let failure =
                PythonMessage.failure(at: index, in: log) ?? RustlsMessage.failure(at: index, in: log)
                ?? NodeMessage.failure(at: index, in: log) ?? PlatformMessage.failure(at: index, in: log)
            if let failure { return failure }
        }
        // A stack trace contains the message of each cause.
        if traceLine != nil, line.contains("Caused by:") { return nil }
        guard let failure = JavaMessage.failure(at: index, in: log) else { return nil }
        traceLine = line.number
        if let (last, start) = lastJava, index - start < JavaMessage.maximumTrace,
            JavaMessage.isCause(failure, of: last, in: line)
        {
            return nil
        }
        lastJava = (failure, index)
        return failure
    }

    /// The failure in a message of a mail server.
    private func mailFailure(at index: Int) -> ConnectionFailure? {
        PostfixMessage.failure(at: index, in: log) ?? EximMessage.failure(at: index, in: log)
            ?? DovecotMessage.failure(at: index, in: log)
    }

    /// Whether a line contains a part of a message of Python, rustls, Node.js or a mail server, or of those that ``PlatformMessage``
    /// reads.
    private func mayContainOtherMessage(_ line: LogLine) -> Bool {
        ["ert", "CERT", "rust", "UNABLE_TO_", "Fingerprint", "requested host name "].contains(where: line.contains)
    }
}
