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
    /// Maximum number of bytes of a URL, and of an error code, that are read.
    private static let (maximumURL, maximumCode) = (4_096, 20)
    private static let streamKey = "_kCFStreamErrorCodeKey="
    private static let urlKeys = ["NSErrorFailingURLStringKey=", "NSErrorFailingURLKey="]

    /// The failure, and the index of the last line of the description.
    static func failure(at index: Int, in log: LogText) -> (ConnectionFailure?, end: Int) {
        let line = log.lines[index]
        guard let code = code(in: line) else { return (nil, index) }
        // The description can be long, so other codes are refused before.
        guard kind(code, stream: nil) != nil else { return (nil, index) }
        let (end, isBalanced) = self.end(of: index, in: log)
        let text = log.text(of: index..<end + 1)
        let fields = Fields(text, isCut: !isBalanced || isCut(text, before: end + 1, in: log))
        let stream = streams(in: fields.line).first
        guard let kind = kind(code, stream: stream) else { return (nil, index) }
        var message = "NSURLErrorDomain \(code)"
        if let stream { message += ", stream error \(stream)" }
        if let description = text.text(after: "Code=\(code) \"", upTo: "\"") { message += ": \(description)" }
        var failure = ConnectionFailure(.urlsession, kind, line, message: message)
        failure.seen = certificates(in: text)
        // A name with braces ends the description too early.
        let parts = [fields.line] + (fields.areAfterNames ? fieldLines(after: end, in: log) : [])
        if fields.areAfterNames, end - index + 1 >= maximumLines || parts.contains(where: { $0.contains(certificate) })
        {
            failure.repeatedPart = "\"\(certificate)\""
        }
        for key in [streamKey] + urlKeys where fields.line.indices(of: key, atMost: maximumKeys).count == maximumKeys {
            failure.repeatedPart = "\"\(key)\""
        }
        if Set(parts.flatMap(streams)).count > 1 { failure.repeatedPart = "\"\(streamKey)\"" }
        let hosts = parts.flatMap(authorities)
        if let first = hosts.first {
            guard hosts.allSatisfy({ $0 == first }) else {
                failure.repeatedPart = "\"\(urlKeys[0])\""
                return (failure, end)
            }
            (failure.host, failure.port) = first
        }
        if failure.host == nil, let name = fields.line.text(after: "pretending to be “", upTo: "\n") {
            failure.host = String(name.before(anyOf: "”"))
        }
        failure.findHost(near: index, in: log)
        return (failure, end)
    }

    /// A description without its lists of certificates, whose names an interceptor chooses.
    private struct Fields {
        let line: LogLine
        /// Whether the fields contain keys after a list. A name with a whole list can contain such keys.
        let areAfterNames: Bool

        /// In a description that is cut off, and after a list without an end, everything after the first name can be a part of it.
        init(_ text: LogLine, isCut: Bool) {
            let starts = text.indices(of: certificate, atMost: 3 * maximumCertificates)
            if isCut, let first = starts.first {
                line = LogLine(number: text.number, bytes: text.bytes[..<first])
                areAfterNames = false
                return
            }
            var bytes: [UInt8] = []
            var start = text.bytes.startIndex
            var rest = starts[...]
            while let first = rest.first {
                bytes += text.bytes[start..<first]
                guard starts.count < 3 * maximumCertificates, let end = Self.end(of: &rest, in: text) else {
                    start = text.bytes.endIndex
                    break
                }
                start = end
            }
            bytes += text.bytes[start...]
            line = LogLine(number: text.number, bytes: bytes[...])
            let after = LogLine(number: text.number, bytes: starts.isEmpty ? [] : text.bytes[start...])
            areAfterNames = ([streamKey] + urlKeys).contains(where: after.contains)
        }

        /// The end of the list with the first certificate in `starts`, which then begins with the next list.
        private static func end(of starts: inout ArraySlice<Int>, in text: LogLine) -> Int? {
            while let first = starts.popFirst() {
                let entry = LogLine(
                    number: text.number, bytes: text.bytes[first..<(starts.first ?? text.bytes.endIndex)])
                // Another certificate follows in the same list, or it is the first one of the next list.
                let isLast = starts.first == nil || isListStart(entry.bytes)
                guard isLast, let end = listEnd(entry) else { continue }
                return end
            }
            return nil
        }

        /// Whether the bytes before a certificate are the start of a list: `=(` and a quotation mark.
        private static func isListStart(_ bytes: ArraySlice<UInt8>) -> Bool {
            let marks = bytes.suffix(100).filter { !$0.isWhiteSpace }
            return marks.suffix(3) == Array("=(\"".utf8)[...]
        }

        /// The index after the certificate with which a list ends: a parenthesis follows its quotation mark. A name can contain these
        /// characters, so the last ones count.
        private static func listEnd(_ entry: LogLine) -> Int? {
            var end: Int?
            for quote in entry.indices(of: ">\"", atMost: .max) {
                let rest = entry.bytes[(quote + 2)...].prefix(100).drop(while: \.isWhiteSpace)
                guard rest.first == UInt8(ascii: ")"), !isTask(entry.bytes[..<quote]) else { continue }
                end = rest.startIndex
            }
            return end
        }

        /// Whether the bytes end as a task of a session does, such as "LocalDataTask <6ADC1BA6-1244-49B5-87E9-29EA8E77A2F5>.<4".
        private static func isTask(_ bytes: ArraySlice<UInt8>) -> Bool {
            let digits = bytes.suffix(20).reversed().prefix(while: \.isDigit).count
            return digits > 0 && bytes.dropLast(digits).suffix(3) == Array(">.<".utf8)[...]
        }
    }

    /// Number of lines after a description that a name with line feeds can fill.
    private static let maximumRest = 100

    /// The lines with keys or certificates of a description after its end, up to the next error.
    private static func fieldLines(after end: Int, in log: LogText) -> [LogLine] {
        var found: [LogLine] = []
        for line in log.lines.dropFirst(end + 1).prefix(maximumRest) {
            if line.contains("NSURLErrorDomain") || line.contains("Error Domain=") { break }
            if ([streamKey, certificate] + urlKeys).contains(where: line.contains) { found.append(line) }
        }
        return found
    }

    private static func streams(in text: LogLine) -> [Int] {
        let ends = Set(",}) \n".utf8)
        return text.indices(of: streamKey, atMost: maximumKeys).compactMap { start in
            let value = text.bytes[(start + streamKey.utf8.count)...].prefix(maximumCode).prefix { !ends.contains($0) }
            return Int(String(decoding: value, as: UTF8.self))
        }
    }

    /// The hosts and ports of the URLs that failed.
    private static func authorities(in text: LogLine) -> [(host: String, port: Int?)] {
        urlKeys.flatMap { key in
            text.indices(of: key, atMost: maximumKeys).compactMap { start in
                let url = text.bytes[(start + key.utf8.count)...].prefix(maximumURL).prefix {
                    !$0.isWhiteSpace
                }
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

    /// Whether a mark after the first name says that text is missing: the system's log writes "<…>", and other programs an ellipsis.
    private static func isCut(_ text: LogLine, before next: Int, in log: LogText) -> Bool {
        guard let start = text.firstIndex(of: certificate) else { return false }
        let rest = LogLine(number: text.number, bytes: text.bytes[start...].trimmed)
        guard !rest.contains("…"), !rest.bytes.suffix(3).elementsEqual("...".utf8) else { return true }
        return log.lines.indices.contains(next) && log.lines[next].bytes.trimmed.starts(with: "<…>".utf8)
    }

    /// The last line of the description that begins at a line, and whether the braces after `UserInfo=` are balanced there.
    private static func end(of index: Int, in log: LogText) -> (index: Int, isBalanced: Bool) {
        var depth = 0
        for offset in 0..<maximumLines {
            guard log.lines.indices.contains(index + offset) else { return (index + max(0, offset - 1), false) }
            let line = log.lines[index + offset]
            if offset > 0, line.contains("Error Domain=NSURLErrorDomain"), depth <= 0 {
                return (index + offset - 1, true)
            }
            for byte in line.bytes {
                if byte == UInt8(ascii: "{") { depth += 1 }
                if byte == UInt8(ascii: "}") { depth -= 1 }
            }
            if depth <= 0 { return (index + offset, true) }
        }
        return (index + maximumLines - 1, false)
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
