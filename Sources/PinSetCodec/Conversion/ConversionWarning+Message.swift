internal import Encodings
internal import Pinning

extension ConversionWarning: CustomStringConvertible {
    /// A sentence without its full stop.
    public var message: String { reason.message }

    /// The message after the host.
    public var description: String { (host.map { "\($0.quotedExcerpt): " } ?? "") + message }

    package var sentence: String { description }
}

extension ConversionWarning.Reason {
    /// The pin that the platform does not get as the set has it; nil if the reason is about no pin.
    var pin: Pin? {
        switch self {
        case .retiredPin(let key), .labelsNotSupported(let key), .notAfterNotSupported(let key),
            .roleNotSupported(let key, _), .pinOfAuthority(let key), .pinOfLeaf(let key),
            .backupListLeftOut(let key, _):
            key.pin
        default: nil
        }
    }

    /// The message for several pins with the same effect; nil if each pin has its own message.
    func message(ofPins count: Int) -> String? {
        switch self {
        case .retiredPin: Self.noField("\"retired\"", "\(count) pins are left out")
        case .labelsNotSupported(let key): Self.noField("\(key.noteFields) of \(count) pins")
        case .notAfterNotSupported: Self.noField("\"notAfter\" of \(count) pins")
        case .roleNotSupported(_, let scope): Self.noField("\"role\" of \(count) pins", "they match \(scope.name)")
        case .pinOfAuthority:
            "\(count) pins of CAs are left out: the platform compares only the server's own certificate"
        case .pinOfLeaf: "\(count) pins of server keys are left out: the platform compares only CA certificates"
        case .backupListLeftOut(let key, _):
            "\(count) backup pins are left out: a list of \(key.role == .leaf ? "leaf" : "CA") pins that contains only"
                + " backups matches no certificate in use"
        default: nil
        }
    }

    fileprivate var message: String {
        switch self {
        case .addressNotSupported: "this format does not support IP addresses; the host is left out"
        case .tooFewPins(let minimum, let count):
            "the platform requires \(minimum) pins, and the host has \(count); add a backup pin"
        case .reportOnlyNotSupported: Self.noField("\"enforce\": false", "a mismatch blocks the connection")
        case .reportOnlyIsForTrustKit:
            "\"enforce\": false applies to TrustKit only; Android itself blocks the connection on a mismatch"
        case .anchorsNotSupported: Self.noField("\"anchors\"", "the platform's trust store applies")
        case .endpointsNotSupported: Self.noField("\"endpoints\"", "the pins apply to every port of their host")
        case .retiredPin(let key): Self.noField("\"retired\"", "\(key.shown) is left out")
        case .labelsNotSupported(let key):
            Self.noField("\(key.noteFields) of \(key.shown)")
        case .labelIsName(let key, let name):
            Self.noField("\"label\" of \(key.shown)", "its name is \(name.quotedExcerpt)")
        case .labelRewritten(let key, let label):
            "\"label\" of \(key.shown) is \(label.quotedExcerpt): comments cannot contain all of its characters"
        case .notAfterNotSupported(let key): Self.noField("\"notAfter\" of \(key.shown)")
        case .labelsInBinaryFile:
            "a binary property list has no comments; labels, states and dates of pins are left out"
        case .subdomainsNotSupported(let given, let written):
            Self.noField("\"subdomains\": \"\(given.rawValue)\"", Self.effect(of: written))
        case .expiryNotSupported(let expires):
            Self.noField("\"expires\" (\(expires.spelled))", "the pins do not expire")
        case .expiryRounded(let expires, let day):
            "this format supports only days for \"expires\" (\(expires.spelled)); the pins expire on \(day.date)"
        case .roleNotSupported(let key, let scope):
            Self.noField("\"role\": \"\(key.role.rawValue)\"", "\(key.shown) matches \(scope.name)")
        case .pinOfAuthority(let key):
            Self.noField(
                "\"role\": \"\(key.role.rawValue)\"",
                "the platform compares only the server's own certificate, and \(key.shown) is left out")
        case .pinOfLeaf(let key):
            Self.noField(
                "\"role\": \"\(key.role.rawValue)\"",
                "the platform compares only CA certificates, and \(key.shown) is left out")
        case .noAuthorityPin: "no pin is for a CA; the host is left out and is not pinned"
        case .noLeafPin: "no pin is for the server's own key; the host is left out and is not pinned"
        case .noActivePin(let role):
            "no active pin is for \(role == .leaf ? "the server's own key" : "a CA"), and a list of only backups blocks every"
                + " connection; the host is left out and is not pinned"

        case .backupListLeftOut(let key, _):
            "\(key.shown) is left out: it is a backup, and a list of \(key.role == .leaf ? "leaf" : "CA") pins that"
                + " contains only backups matches no certificate in use"
        case .bothListsMustMatch:
            "Apple's systems require a match in the leaf list and in the CA list; a pin set requires one match"
        case .hostListsUnited(let other): "the lists of \(other.quotedExcerpt) apply to this host, too"
        case .pinsPooled(let other):
            "OkHttp uses the pins of all matching patterns: those of \(other.quotedExcerpt) apply here, too"
        case .subdomainsHidden(let other):
            "subdomains are not pinned here: this entry hides the entry of \(other.quotedExcerpt) from them"
        case .hostWithUnderscore: "Cronet does not accept an underscore in a name; the host is left out"
        case .noPublicSuffix(let reason):
            "TrustKit rejects a host without a public suffix and stops the app: \(reason)"
        case .twoPinsForTrustKit: "TrustKit requires two pins and stops the app; in a pin set one is enough"
        case .trustKitReportsOnly:
            "TrustKit only reports a mismatch here, because \"enforcePinning\" is not \"true\", for which the host needs two"
                + " pins; Android itself enforces the pins"

        case .noCertificate(let key): "no given certificate has \(key.shown); it is left out"
        case .certificateOfAuthority(let key):
            "\(key.shown) is the pin of a CA, and the platform compares only the server's own certificate; it is left out"
        case .pinAsCertificates(let key, let count):
            "\(key.shown) is written as \(count == 1 ? "the fingerprint of one certificate" : "the fingerprints of \(count) certificates");"
                + " other certificates with this key do not match"
        case .noCertificateForFingerprint(let fingerprint):
            "no given certificate has the fingerprint \(fingerprint); it is left out"
        case .certificateAsPin(let fingerprint):
            "the fingerprint \(fingerprint) matches one certificate; the pin of its key also matches other certificates"
        case .neverMatches(let text, let line):
            "\(text.quotedExcerpt)\(line.map { " on line \($0)" } ?? "") never matches a certificate; it is left out"
        case .validChainsNotCompared:
            "the program accepts every chain that validates, and compares the fingerprints only with others"
        case .onlyOneFingerprint(let key): "\(key.shown) is left out: this format has one fingerprint for each host"
        case .clientCertificates(let line):
            "the pins on line \(line) are for the certificates of clients; they are left out"
        case .signaturesNotVerified: "the signatures are left out and were not verified"
        case .notSigned: "the fingerprints are not signed, and an app accepts only signed ones from a server"

        case .notRepresented(let part): "a pin set has no field for \(part)"
        case .notRead(let reason, let line): "line \(line) is not read: \(reason)"
        case .unknownKey(let key): "the key \(key.quotedExcerpt) is unknown and left out"
        case .unknownElement(let name): "the element \("<\(name)>".quotedExcerpt) is unknown and left out"
        case .unknownKeyOfPin(let key, let pin):
            "the key \(key.quotedExcerpt) of \(pin?.shown ?? "a pin") is unknown and left out"
        case .misspelledKey(let key, let expected, let line):
            "the platform does not find the key \(key.quotedExcerpt)\(Self.onLine(line)), which is spelled \(expected.quotedExcerpt); the pin is left"
                + " out"
        case .notTrueOrFalse(let key, let kind):
            "\(key.quotedExcerpt) is \(kind), not true; subdomains are not pinned"
        case .otherFormatInFile(let format):
            "the file also has pins in the format \"\(format.rawValue)\", which are left out; convert it from that format, too"
        case .debugOverrides: "a pin set has no field for <debug-overrides>, whose CAs skip the pins in debuggable apps"
        case .enforcedByAndroid:
            "a pin set has no field for \"<trustkit-config>\", which does not apply to Android itself"
        case .subdomainsOfAddress: "\"includeSubdomains\" is left out: an IP address has no subdomains"
        case .hostWithoutPins: "the host has no pins and is left out"
        case .hostExcluded:
            "the host is left out: the platform does not pin it even if an entry above it includes subdomains, and a pin set"
                + " has no such exception"
        case .pinsOverridden:
            "a pin set has no field for <trust-anchors> with \"overridePins\", whose CAs skip the pins"
        case .uncheckedConnections(let text, let line): "line \(line): \(text)"
        case .otherHost(let fate):
            "the set does not contain this host: "
                + (fate == .kept ? "it stays in the file" : "its pins are removed from the file")
        case .builders(let count): "\(count) certificate pinners are read as one"
        case .patternAsHost(let text, let line):
            "the host on line \(line), \(text.quotedExcerpt), has no value in this file; it is read as the given host"
        case .patternLeftOut(let pattern, let line, isRejected: false):
            "the pattern \(pattern.quotedExcerpt) on line \(line) matches no host of a pin set; it is left out"
        case .patternLeftOut(let pattern, let line, isRejected: true):
            "OkHttp rejects the pattern \(pattern.quotedExcerpt) on line \(line) and stops the app; it is left out"
        case .pinWithoutPrefix(let text, let line):
            "OkHttp rejects the pin \(text.boundedWithoutPrivateKeys.quotedExcerpt) on line \(line) and stops the app; it is left out"
        case .codeNotRead:
            "only the hosts and their pins are read, not the code that compares them: roles, subdomains and expiry can differ"
        case .pinsWithoutCall(let count):
            "no call in this file uses the \(count == 1 ? "pin" : "\(count) pins") in it; read for the given host"
        case .pinsOfOtherType(let type, let line):
            "the pins on line \(line) are added to an object with the type \(type.quotedExcerpt), not to a"
                + " CertificatePinner.Builder; they are left out"
        case .patternWithoutPins: "no pin of the pattern can be read; it is left out"
        case .patternsUnited(let host):
            "the patterns of \(host.quotedExcerpt) have different pins; the entry contains the pins of all of them"
        case .patternsAboveUnited(let pattern, let host):
            "the pins of \(pattern.quotedExcerpt) apply to \(host.quotedExcerpt) and not to its subdomains; the entry has one"
                + " list for both"
        case .patternWithoutHost(let host):
            "\("*.\(host)".quotedExcerpt) does not cover \(host.quotedExcerpt) itself, and the entry does"

        case .maximumAge("0"): "max-age=0 tells browsers to remove the pins; they are read as valid pins"
        case .maximumAge(let age):
            "a pin set has no field for max-age=\(age.bounded), which counts from each visit"
        case .duplicateHeader(let line): "the header on line \(line) is left out: an earlier one has the same host"
        case .headerIgnored(let line):
            "the header on line \(line) is left out: browsers ignore a header with a wrong pin, or without pins"
        case .headerNotConforming(let reason, let line): "browsers ignore the header on line \(line): \(reason)"
        case .headerInComment(let line): "the header on line \(line) is in a comment and is not sent"
        case .readFromReport: "the pins are read from a failure report (RFC 7469), not from a header"
        case .otherLayout(let name): "the file has the layout of \(name)"
        case .service(let service):
            "a pin set has no pins of one service: those of \(service.quotedExcerpt) apply to every endpoint of the host"
        case .unknownRecord(let numbers, let line):
            "the usage of \"\(numbers)\" on line \(line) is unknown; the record is left out"
        case .recordWithoutPin(let numbers, let line, let ofCertificate):
            "\"\(numbers)\" on line \(line) is "
                + (ofCertificate ? "a hash of a certificate, not of a key" : "not a SHA-256 of a key")
                + "; the record is left out"
        case .hostsNotToldApart(let count):
            "the pins are of \(count) hosts, which the program does not tell apart; write those of each host to another file with"
                + " --host"
        case .recordsNotRead(let directive, let line):
            "\(directive.quotedExcerpt) on line \(line) adds records that are not read"
        case .includeNotRead(let directive, let line):
            "\(directive.quotedExcerpt) on line \(line) adds settings of another file, which is not read"
        case .recordOfCertificate(let numbers, let line):
            "\"\(numbers)\" on line \(line) is a certificate; the pin of its key also matches other certificates"
        case .listDate(let date):
            "a pin set has no field for the date of the list, \(date.date); Chromium uses the list for ten weeks after it"
        case .entriesWithoutPins(let count):
            count == 1 ? "1 entry without pins is left out" : "\(count) entries without pins are left out"
        case .forbiddenPin(let name):
            "a pin set has no field for the forbidden pin \(name.boundedWithoutPrivateKeys.quotedExcerpt)"
        case .reportAddress(let address):
            "a pin set has no field for \"report_uri\" (\(address.withoutUserInfoInURLs.boundedWithoutPrivateKeys))"
        case .sha1Pin(let pin):
            "\(pin.boundedWithoutPrivateKeys) is a SHA-1 pin, which a pin set does not support; it is left out"
        case .unpinnedCertificate(let pin, let subject):
            "\(pin.boundedWithoutPrivateKeys) was in the chain"
                + "\(subject.isEmpty ? "" : " (\(subject.boundedWithoutPrivateKeys))") and is not pinned"
        case .foundByCommonName(let name):
            "the library looks a fingerprint up by the common name of the certificate, so it is written with the name"
                + " \(name.quotedExcerpt)"
        case .noCommonName(let key):
            "the certificate of \(key.shown) has no common name, by which the library looks it up; it is left out"
        case .nothingRead: "no pin of the file can be read"
        case .nothingPinned: "the file is valid and pins no host"
        case .pinSpelling(let text, let pin, let prefix, let line, let effect):
            "the pin \(text.quotedExcerpt)\(Self.onLine(line)) is read as \(prefix)\(pin.base64); "
                + (effect.map { "\($0.text) in this spelling" } ?? "write it in this spelling")
        case .pinLeftOut(let error, let line, let effect):
            "a pin\(Self.onLine(line)) is left out, and \(effect.text): \(error.message)"
        case .valueNotLiteral(let text, let key, let line):
            "\(text.quotedExcerpt)\(key.map { " for \($0.quotedExcerpt)" } ?? "")\(Self.onLine(line)) is not a literal; it is left out"
        case .laterEntry(let line): "another entry of the host\(Self.onLine(line)) is left out"
        case .hostNeverMatches(let error, let line):
            "the platform never matches the host\(Self.onLine(line)), and it is left out: \(error.message)"
        case .dayNotRead(let text, let key, let line, let effect):
            "\(key.quotedExcerpt)\(Self.onLine(line)) is \(text.quotedExcerpt), which is not a day; "
                + (effect == .rejectsFile ? "the platform rejects the whole file" : "the pins do not expire")
        case .valueIgnored(let key, let found, let expected, let line):
            "\(key?.quotedExcerpt ?? "a pin")\(Self.onLine(line)) is \(found), not \(expected); the platform ignores it"
        case .hostNotFound(let written, let line):
            "the platform never finds the host in the spelling on line \(line), and it is left out; write \(written.quotedExcerpt)"
        case .hostSpelling(let written, let line):
            "the platform does not find the host in \(line.map { "the spelling on line \($0)" } ?? "this spelling"); write"
                + " \(written.quotedExcerpt)"
        case .partNeverMatches(let text, let line):
            "\(text.boundedWithoutPrivateKeys.quotedExcerpt) on line \(line) is left out: curl compares it as one text with the 44"
                + " characters of a pin, so it never matches"
        case .hostRejected(let program, let reason, let line):
            "\(program) throws an exception for the host on line \(line), which \(reason), and the app stops; it is left out"
        case .fileRejected(let program, let problem, let line):
            "\(program) cannot read the file and uses none of its pins: line \(line): \(problem)"
        case .hostBlocked(let line):
            "no pin of the host\(Self.onLine(line)) can match: the platform rejects every connection; the host is left out"
        case .unknownPattern(let text, let line):
            "the host on line \(line), \(text.quotedExcerpt), has no value in this file; its pins are left out"
        case .unknownPin(let text, let line):
            "the pin on line \(line), \(text.quotedExcerpt), has no value in this file; it is left out"
        }
    }

    private static func onLine(_ line: Int?) -> String { line.map { " on line \($0)" } ?? "" }

    private static func noField(_ setting: String, _ effect: String? = nil) -> String {
        "this format has no field for \(setting)" + (effect.map { "; \($0)" } ?? "")
    }

    private static func effect(of subdomains: PinSet.Subdomains) -> String {
        switch subdomains {
        case .none: "subdomains are not pinned"
        case .one: "subdomains of one label are pinned"
        case .all: "all subdomains are pinned"
        }
    }
}

extension ConversionWarning.PinScope {
    fileprivate var name: String {
        switch self {
        case .anyCertificate: "any certificate of the chain"
        case .anyAuthority: "any CA of the chain"
        case .leafOnly: "the leaf and no CA"
        case .authoritiesOnly: "a CA and not the leaf; use the role \"leaf\" for the server's own keys"
        }
    }
}

extension ConversionWarning.PinEffect {
    fileprivate var text: String {
        switch self {
        case .rejectsFile: "the platform rejects the whole file"
        case .neverMatches: "it never matches"
        case .isIgnored: "the platform ignores it"
        }
    }
}

extension PinSet.PinnedKey {
    /// `"label" and "notAfter"`: the fields that only people read.
    fileprivate var noteFields: String {
        [label == nil ? nil : "\"label\"", notAfter == nil ? nil : "\"notAfter\""].compactMap { $0 }
            .joined(separator: " and ")
    }
}
