internal import Encodings
package import PinSetCodec
package import Pinning

/// A difference between a copy and its pin set.
package struct CopyDifference: Hashable, Sendable {
    /// The host as written; nil for a difference of the whole file.
    package let host: String?
    package let kind: Kind
    /// The line in the copy, from 1, if it is known.
    package let line: Int?

    init(_ kind: Kind, of host: String? = nil, line: Int? = nil) {
        (self.kind, self.host, self.line) = (kind, host, line)
    }

    package enum Kind: Hashable, Sendable {
        case missingFile
        /// A companion file of the copy, such as a certificate.
        case companion(String, isThere: Bool)
        /// A companion file of a pin that the set does not have, with its name.
        case extraCompanion(String)
        /// A part of the copy that the set that was read from it does not represent.
        case reported(ConversionWarning.Reason)
        /// The fingerprint of a certificate.
        case missingFingerprint(String)
        case extraFingerprint(String)
        /// The records of a service, such as `_25._tcp`.
        case missingService(String)
        case extraService(String)
        /// A fingerprint without a signature by the key of the manifest.
        case signature(fingerprint: String, isThere: Bool)
        case unreadable(PinSetCopyError)
        /// The first different line in a write-only format, and the expected line. Nil means that the line is missing.
        case text(found: String?, expected: String?)
        case missingHost, extraHost
        /// A host of the set that the format leaves out.
        case hostLeftOut
        case missingPin(PinSet.PinnedKey)
        case extraPin(PinSet.PinnedKey)
        case role(PinSet.PinnedKey, found: PinSet.AllowedRole)
        case state(PinSet.PinnedKey, found: PinSet.State)
        case note(PinSet.PinnedKey, found: String?)
        case subdomains(PinSet.Subdomains, found: PinSet.Subdomains)
        case expires(Timestamp?, found: Timestamp?)
        case enforce(Bool)
        /// A mismatch is a failure in the set and in the copy, but not in the copy as pinctl writes it for these pins.
        case enforceNotPossible
        case anchors([String], found: [String])
        case endpoints([String], found: [String])
    }

    /// The kind of difference. The raw values are part of the interface.
    package var code: Code {
        switch kind {
        case .missingFile: .missingFile
        case .companion, .extraCompanion: .companionFile
        case .reported: .readingLoss
        case .missingFingerprint: .missingPin
        case .extraFingerprint: .extraPin
        case .missingService, .extraService: .endpoints
        case .signature: .signature
        case .unreadable: .unreadable
        case .text: .text
        case .missingHost: .missingHost
        case .extraHost, .hostLeftOut: .extraHost
        case .missingPin: .missingPin
        case .extraPin: .extraPin
        case .role: .role
        case .state: .state
        case .note: .note
        case .subdomains: .subdomains
        case .expires: .expires
        case .enforce, .enforceNotPossible: .enforce
        case .anchors: .anchors
        case .endpoints: .endpoints
        }
    }

    package enum Code: String, CaseIterable, Sendable {
        case missingFile = "missing-file"
        case companionFile = "companion-file"
        case unreadable, text
        case missingHost = "missing-host"
        case extraHost = "extra-host"
        case missingPin = "missing-pin"
        case extraPin = "extra-pin"
        case role, state, note, subdomains, expires, enforce, anchors, endpoints, signature
        case readingLoss = "reading-loss"

        /// The meaning of the code, without the details of a copy.
        package var summary: String {
            switch self {
            case .missingFile: "a copy does not exist"
            case .companionFile: "a companion file of a copy is missing, different or not of the set"
            case .unreadable: "a copy cannot be read"
            case .text: "the text of a copy is not the text generated from the set"
            case .missingHost: "a copy lacks a host of the set"
            case .extraHost: "a copy pins a host that the set does not have, or that the format leaves out"
            case .missingPin: "a copy lacks a pin of the set"
            case .extraPin: "a copy has a pin that the set does not have"
            case .role: "a pin has a different role in a copy"
            case .state: "a pin is retired either in the set or in a copy, not in both"
            case .note: "a pin has a different label or state comment in a copy"
            case .subdomains: "a copy covers different subdomains of a host"
            case .expires: "the pins of a copy have a different expiry date"
            case .enforce: "a mismatch is a failure either in the set or in a copy, and only reported in the other"
            case .anchors: "a copy names different trust anchors"
            case .endpoints: "a copy names different endpoints"
            case .signature: "a fingerprint in a copy has no signature by the key of the manifest"
            case .readingLoss: "a copy has a part that the set does not have and that changes which connections succeed"
            }
        }
    }

    /// The difference for a warning of the reader that the written copy does not cause.
    init(_ warning: ConversionWarning) {
        let kind: Kind =
            switch warning.reason {
            case .noCertificateForFingerprint(let text), .certificateAsPin(let text): .extraFingerprint(text)
            case .service(let service): .extraService(service)
            case let reason: .reported(reason)
            }
        self.init(kind, of: warning.host, line: warning.line)
    }

    /// The difference for a warning that only the written copy causes.
    init(missing warning: ConversionWarning) {
        let kind: Kind =
            switch warning.reason {
            case .certificateAsPin(let text): .missingFingerprint(text)
            case .service(let service): .missingService(service)
            case let reason: .reported(reason)
            }
        self.init(kind, of: warning.host)
    }

    /// The next step if `--write` cannot change this.
    var hint: String? {
        switch kind {
        case .reported(.hostExcluded):
            "set \"others\": \"keep\" for this copy in the manifest, or remove the host from the file"
        case .reported(.hostListsUnited(let parent)):
            "add \(parent.quotedExcerpt) to the set, or remove it or its \"NSIncludesSubdomains\" from the file"
        case .unreadable(let error): error.hint
        default: nil
        }
    }

    package var pin: Pin? {
        switch kind {
        case .missingPin(let key), .extraPin(let key), .role(let key, _), .state(let key, _), .note(let key, _): key.pin
        default: nil
        }
    }

    /// A sentence without a full stop and without the host.
    package var message: String {
        switch kind {
        case .missingFile: "the file does not exist"
        case .companion(let name, let isThere):
            isThere
                ? "the companion file \(name.quotedExcerpt) differs from the file generated from the set"
                : "the companion file \(name.quotedExcerpt) does not exist"
        case .extraCompanion(let name):
            "the companion file \(name.quotedExcerpt) contains a certificate that the set does not pin"
        case .reported(let reason): ConversionWarning(reason).message
        case .missingFingerprint(let fingerprint): "the fingerprint \(fingerprint) is missing"
        case .extraFingerprint(let fingerprint):
            "the fingerprint \(fingerprint) is not that of a given certificate with a pin of the set"
        case .missingService(let service): "the records of the service \(service.quotedExcerpt) are missing"
        case .extraService(let service): "the set has no endpoint for the service \(service.quotedExcerpt)"
        case .signature(let fingerprint, let isThere):
            "the fingerprint \(fingerprint) has \(isThere ? "a signature that is not by the key of \"sign\"" : "no signature")"
        case .unreadable(let error): error.message
        case .text(let found?, let expected?):
            "the line is \(found.quotedExcerpt), expected \(expected.quotedExcerpt)"
        case .text(nil, let expected): "the line \((expected ?? "").quotedExcerpt) is missing"
        case .text(let found, nil): "the line \((found ?? "").quotedExcerpt) is not generated from the set"
        case .missingHost: "the host is missing"
        case .extraHost: "the host is not in the set"
        case .hostLeftOut: "the set has the host, and the format leaves it out"
        case .missingPin(let key): "\(key.named) is missing"
        case .extraPin(let key): "\(key.named) is not in the set"
        case .role(let key, let found):
            "\(key.named) has the role \(found.rawValue.quotedExcerpt), expected \(key.role.rawValue.quotedExcerpt)"
        case .state(let key, let found):
            "\(key.named) is \(found.rawValue), expected \(key.state.rawValue)"
        case .note(let key, let found):
            "the pin \(key.pin.base64) has \(found.map { "the comment \($0.quotedExcerpt)" } ?? "no comment"),"
                + " expected \((PinComment(key).text ?? "").quotedExcerpt)"
        case .subdomains(let expected, let found):
            "\"subdomains\" is \(found.rawValue.quotedExcerpt), expected \(expected.rawValue.quotedExcerpt)"
        case .expires(let expected, let found):
            "\"expires\" is \(found?.spelled ?? "absent"), expected \(expected?.spelled ?? "absent")"
        case .enforce(let expected):
            "a mismatch is \(expected ? "only reported" : "a failure"), expected"
                + " \(expected ? "a failure" : "only a report")"
        case .enforceNotPossible:
            "the copy enforces the pins, and the set has too few pins for that"
        case .endpoints(let expected, let found):
            "\"endpoints\" is \(found.joined(separator: ", ").quotedExcerpt),"
                + " expected \(expected.joined(separator: ", ").quotedExcerpt)"
        case .anchors(let expected, let found):
            "\"anchors\" is \(found.joined(separator: ", ").quotedExcerpt),"
                + " expected \(expected.joined(separator: ", ").quotedExcerpt)"
        }
    }
}

extension PinSet.PinnedKey {
    /// The pin, followed by its label or by the name of the CA that owns the key.
    fileprivate var named: String {
        guard label == nil, let name = KnownAuthorities.name(of: pin) else { return shown }
        return "the pin \(pin.base64) (\(name))"
    }
}
