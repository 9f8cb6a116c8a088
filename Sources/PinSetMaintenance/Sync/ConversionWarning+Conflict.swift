internal import Encodings
internal import PinSetCodec
internal import Pinning

/// The warnings of a reader that `sync` compares. The pin set that was read from a copy does not represent what they are about.
extension ConversionWarning {
    /// Whether a copy that its reader reports in this way can accept other certificates than the set that was read from it, or is
    /// rejected by its platform. Text that the platform ignores is no conflict.
    var isConflict: Bool {
        switch reason {
        case .pinSpelling(_, _, _, _, let effect): effect != nil
        case .pinLeftOut(_, _, let effect), .dayNotRead(_, _, _, let effect): effect == .rejectsFile
        case .maximumAge(let age): age == "0"
        // A name can have the given host as its value. Any other expression is part of another host.
        case .patternAsHost(let text, _): !text.utf8.allSatisfy { $0.isWord || $0 == UInt8(ascii: ".") }
        case .noCertificateForFingerprint, .certificateAsPin, .service, .hostBlocked, .hostNeverMatches, .hostExcluded,
            .hostNotFound, .hostSpelling, .partNeverMatches, .fileRejected,
            .pinsOverridden, .twoPinsForTrustKit, .patternLeftOut, .hostRejected, .pinWithoutPrefix,
            .patternWithoutPins,
            .patternsUnited, .patternsAboveUnited, .patternWithoutHost, .unknownPattern, .unknownPin, .valueNotLiteral,
            .builders, .notRead, .duplicateHeader, .headerIgnored, .headerInComment, .unknownRecord, .recordWithoutPin,
            .recordOfCertificate, .forbiddenPin, .sha1Pin, .laterEntry, .uncheckedConnections, .headerNotConforming,
            .hostListsUnited:
            true
        default: false
        }
    }

    /// An expression whose value is unknown, and which is read as the given host.
    var nameAsHost: String? {
        if case .patternAsHost(let text, _) = reason { text } else { nil }
    }

    /// Whether a copy without the conflict also differs from a set for which pinctl writes it.
    var isRequired: Bool {
        switch reason {
        case .certificateAsPin, .service: true
        default: false
        }
    }

    /// Whether a report should name a warning that is no conflict: what pinctl did not read, or what the platform does not use.
    var isWorthANote: Bool {
        switch reason {
        case .otherFormatInFile, .entriesWithoutPins, .hostWithoutPins, .nothingPinned, .nothingRead,
            .bothListsMustMatch,
            .subdomainsOfAddress, .trustKitReportsOnly, .reportOnlyIsForTrustKit:
            false
        case .codeNotRead, .patternAsHost, .pinsWithoutCall: true
        default: harm <= .unpins
        }
    }

    /// The warning without the position, which is different in each file.
    var withoutLine: ConversionWarning { ConversionWarning(host: host, located.reason) }

    /// The line in the file, from 1, if it is known.
    var line: Int? { located.line }

    private var located: (reason: Reason, line: Int?) {
        switch reason {
        case .neverMatches(let text, let line): (.neverMatches(text, line: nil), line)
        case .clientCertificates(let line): (.clientCertificates(line: 0), line)
        case .notRead(let text, let line): (.notRead(text, line: 0), line)
        case .duplicateHeader(let line): (.duplicateHeader(line: 0), line)
        case .headerIgnored(let line): (.headerIgnored(line: 0), line)
        case .headerNotConforming(let reason, let line): (.headerNotConforming(reason, line: 0), line)
        case .headerInComment(let line): (.headerInComment(line: 0), line)
        case .unknownRecord(let text, let line): (.unknownRecord(text, line: 0), line)
        case .recordWithoutPin(let text, let line, let isOfCertificate):
            (.recordWithoutPin(text, line: 0, ofCertificate: isOfCertificate), line)
        case .recordOfCertificate(let text, let line): (.recordOfCertificate(text, line: 0), line)
        case .recordsNotRead(let directive, let line): (.recordsNotRead(directive: directive, line: 0), line)
        case .includeNotRead(let directive, let line): (.includeNotRead(directive: directive, line: 0), line)
        case .uncheckedConnections(let text, let line): (.uncheckedConnections(text, line: 0), line)
        case .hostNotFound(let written, let line): (.hostNotFound(written: written, line: 0), line)
        case .hostSpelling(let written, let line): (.hostSpelling(written: written, line: nil), line)
        case .partNeverMatches(let text, let line): (.partNeverMatches(text, line: 0), line)
        case .fileRejected(let program, let problem, let line): (.fileRejected(by: program, problem, line: 0), line)
        case .misspelledKey(let key, let expected, let line): (.misspelledKey(key, expected, line: nil), line)
        case .dayNotRead(let text, let key, let line, let effect):
            (.dayNotRead(text, key: key, line: nil, effect), line)
        case .valueIgnored(let key, let found, let expected, let line):
            (.valueIgnored(key: key, found: found, expected: expected, line: nil), line)
        case .hostBlocked(let line): (.hostBlocked(line: nil), line)
        case .unknownPattern(let text, let line): (.unknownPattern(text, line: 0), line)
        case .unknownPin(let text, let line): (.unknownPin(text, line: 0), line)
        case .patternAsHost(let text, let line): (.patternAsHost(text, line: 0), line)
        case .hostRejected(let program, let reason, let line): (.hostRejected(by: program, reason, line: 0), line)
        case .patternLeftOut(let text, let line, let isRejected):
            (.patternLeftOut(text, line: 0, isRejected: isRejected), line)
        case .pinsOfOtherType(let type, let line): (.pinsOfOtherType(type, line: 0), line)
        case .pinWithoutPrefix(let text, let line): (.pinWithoutPrefix(text, line: 0), line)
        case .pinSpelling(let text, let pin, let prefix, let line, let effect):
            (.pinSpelling(text, pin, prefix: prefix, line: nil, effect), line)
        case .pinLeftOut(let error, let line, let effect): (.pinLeftOut(error, line: nil, effect), line)
        case .valueNotLiteral(let text, let key, let line): (.valueNotLiteral(text, key: key, line: nil), line)
        case .laterEntry(let line): (.laterEntry(line: nil), line)
        case .hostNeverMatches(let error, let line): (.hostNeverMatches(error, line: nil), line)
        default: (reason, nil)
        }
    }
}
