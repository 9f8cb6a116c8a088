internal import Encodings

/// The description of an error of URLSession (NSURLError.h; the codes of the stream are in SecureTransport.h):
///
///     Error Domain=NSURLErrorDomain Code=-1202 "…" UserInfo={… NSErrorPeerCertificateChainKey=(
///         "<cert(0x12bbf4000) s: SUBJECT i: ISSUER>", …
///     ), NSErrorFailingURLStringKey=https://HOST/, … _kCFStreamErrorCodeKey=-9843 …}
enum URLSessionMessage {
    /// Maximum number of lines of one description.
    private static let maximumLines = 60
    /// Maximum number of certificates of a chain.
    private static let maximumCertificates = 20
    /// The start of a certificate's description.
    private static let certificate = "<cert("
    /// Maximum number of occurrences of a key that are read.
    private static let maximumKeys = 60
    private static let streamKey = "_kCFStreamErrorCodeKey="
    private static let urlKeys = ["NSErrorFailingURLStringKey=", "NSErrorFailingURLKey="]

    /// The failure, and the index of the last line of the description.
    static func failure(at index: Int, in log: LogText) -> (ConnectionFailure?, end: Int) {
        let line = log.lines[index]
        guard let code = code(in: line) else { return (nil, index) }
        let end = self.end(of: index, in: log)
        let text = log.text(of: index..<end + 1)
        let fields = withoutCertificates(text)
        let stream = streams(in: fields).first
        guard let kind = kind(code, stream: stream) else { return (nil, index) }
        var message = "NSURLErrorDomain \(code)"
        if let stream { message += ", stream error \(stream)" }
        if let description = text.text(after: "Code=\(code) \"", upTo: "\"") { message += ": \(description)" }
        var failure = ConnectionFailure(.urlsession, kind, line, message: message)
        failure.seen = certificates(in: text)
        // A name with braces ends the description too early.
        let parts = [fields] + fieldLines(after: end, in: log)
        let hosts = parts.flatMap(authorities)
        let isCut =
            end - index + 1 >= maximumLines && text.contains(certificate)
            || ([streamKey] + urlKeys).contains { fields.indices(of: $0, atMost: maximumKeys).count == maximumKeys }
        failure.hasRepeatedParts = isCut || Set(parts.flatMap(streams)).count > 1
        if let first = hosts.first {
            guard hosts.allSatisfy({ $0 == first }) else {
                failure.hasRepeatedParts = true
                return (failure, end)
            }
            (failure.host, failure.port) = first
        }
        if failure.host == nil, let name = fields.text(after: "pretending to be “", upTo: "\n") {
            failure.host = String(name.before(anyOf: "”"))
        }
        failure.findHost(near: index, in: log)
        return (failure, end)
    }

    /// The description without the certificates, whose names an interceptor chooses.
    private static func withoutCertificates(_ text: LogLine) -> LogLine {
        var bytes: [UInt8] = []
        var start = text.bytes.startIndex
        for certificate in text.indices(of: certificate, atMost: 2 * maximumCertificates) where certificate >= start {
            bytes += text.bytes[start..<certificate]
            let line = LogLine(
                number: text.number, bytes: text.bytes[certificate...].prefix { $0 != UInt8(ascii: "\n") })
            start = line.firstIndex(of: ">\"") ?? line.bytes.firstIndex(of: UInt8(ascii: ">")) ?? line.bytes.endIndex
        }
        return LogLine(number: text.number, bytes: (bytes + text.bytes[start...])[...])
    }

    /// The lines with keys of a description after its end, up to the next error.
    private static func fieldLines(after end: Int, in log: LogText) -> [LogLine] {
        var found: [LogLine] = []
        for line in log.lines.dropFirst(end + 1) {
            if line.contains("NSURLErrorDomain") || line.contains("Error Domain=") { break }
            if ([streamKey] + urlKeys).contains(where: line.contains) { found.append(line) }
        }
        return found
    }

    private static func streams(in text: LogLine) -> [Int] {
        text.indices(of: streamKey, atMost: maximumKeys).compactMap { start in
            text.text(after: streamKey, upTo: ",}) \n", from: start).flatMap { Int($0) }
        }
    }

    /// The hosts and ports of the URLs that failed.
    private static func authorities(in text: LogLine) -> [(host: String, port: Int?)] {
        urlKeys.flatMap { key in
            text.indices(of: key, atMost: maximumKeys).compactMap { start in
                let url = text.bytes[(start + key.utf8.count)...].prefix { !$0.isWhiteSpace }
                guard let scheme = url.firstRange(ignoringCase: "://") else { return nil }
                return HostSearch.authority(url[scheme.upperBound...])
            }
        }
    }

    /// The error code: `Code=-1202`, or `error -1202` and similar.
    private static func code(in line: LogLine) -> Int? {
        guard let start = line.firstIndex(of: "NSURLErrorDomain") else { return nil }
        let rest = line.bytes[(start + "NSURLErrorDomain".utf8.count)...].prefix(20)
        guard let minus = rest.firstIndex(of: UInt8(ascii: "-")) else { return nil }
        let digits = line.bytes[(minus + 1)...].prefix(6).prefix(while: \.isDigit)
        return Int(String(decoding: digits, as: UTF8.self)).map { -$0 }
    }

    private static func kind(_ code: Int, stream: Int?) -> ConnectionFailure.Kind? {
        guard code != -999 else { return .cancelled }
        guard (-1204 ... -1200).contains(code) else { return nil }
        switch stream ?? 0 {
        // errSSLCertExpired, errSSLPeerCertExpired; errSSLCertNotYetValid; errSSLHostNameMismatch
        case -9814, -9828: return .expired
        case -9815: return .notYetValid
        case -9843: return .nameMismatch
        // errSSLXCertChainInvalid, errSSLBadCert, errSSLUnknownRootCert, errSSLNoRootCert
        case -9807, -9808, -9812, -9813: return .untrusted
        default: break
        }
        switch code {
        case -1201: return .expired
        case -1204: return .notYetValid
        case -1200: return .handshake
        default: return .untrusted
        }
    }

    /// The last line of the description that begins at a line: the braces after `UserInfo=` are balanced.
    private static func end(of index: Int, in log: LogText) -> Int {
        var depth = 0
        for offset in 0..<maximumLines {
            guard log.lines.indices.contains(index + offset) else { return index + max(0, offset - 1) }
            let line = log.lines[index + offset]
            if offset > 0, line.contains("Error Domain=NSURLErrorDomain"), depth <= 0 { return index + offset - 1 }
            for byte in line.bytes {
                if byte == UInt8(ascii: "{") { depth += 1 }
                if byte == UInt8(ascii: "}") { depth -= 1 }
            }
            if depth <= 0 { return index + offset }
        }
        return index + maximumLines - 1
    }

    /// The certificates of the first list in the description.
    private static func certificates(in text: LogLine) -> [ConnectionFailure.SeenCertificate] {
        let keys = ["NSErrorPeerCertificateChainKey=(", "kCFStreamPropertySSLPeerCertificates=("]
        guard let start = keys.compactMap({ text.firstIndex(of: $0) }).min() else { return [] }
        var list = LogLine(number: text.number, bytes: text.bytes[start...])
        if let end = list.firstIndex(of: ">\"\n)") ?? list.firstIndex(of: ">\" )") {
            list = LogLine(number: text.number, bytes: text.bytes[start..<min(end + 2, text.bytes.endIndex)])
        }
        return list.indices(of: certificate, atMost: maximumCertificates).compactMap { index in
            let entry = LogLine(number: list.number, bytes: list.bytes[index...].prefix { $0 != UInt8(ascii: ">") })
            guard let subjectStart = entry.firstIndex(of: " s: ") else { return nil }
            let rest = LogLine(number: list.number, bytes: entry.bytes[subjectStart...])
            // Some versions write no space after the colon.
            let issuerStart = rest.firstIndex(of: " i:", from: subjectStart + 4)
            let subject = rest.bytes[(subjectStart + 4)..<(issuerStart ?? rest.bytes.endIndex)].trimmed
            let issuer = issuerStart.map { rest.bytes[($0 + 3)...].trimmed }
            return ConnectionFailure.SeenCertificate(
                subject: String(decoding: subject, as: UTF8.self),
                issuer: issuer.map { String(decoding: $0, as: UTF8.self) })
        }
    }
}
