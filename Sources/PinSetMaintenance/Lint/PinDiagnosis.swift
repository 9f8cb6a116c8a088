internal import Encodings
internal import OpenSSL
internal import Pinning

/// Explains invalid and suspicious pins one by one. It does not need the rest of the set.
enum PinDiagnosis {
    typealias Explanation = (code: LintCode, message: String, hint: String?)

    /// The most probable reason why a spelling is not a pin.
    static func explanation(of error: PinSpellingError) -> Explanation {
        let shown = error.spelling.quotedExcerpt
        switch error.reason {
        case .digestOfNothing: return (.emptyHash, error.message, error.hint)
        case .algorithm: return (.wrongDigest, error.message, error.hint)
        default: break
        }
        if let reason = Placeholder.reason(error.spelling) {
            return (.placeholder, "\(shown) is a placeholder: \(reason)", Self.placeholderHint)
        }
        if let near = NearMissIndex.authorities.match(to: error.spelling) {
            return (.nearMiss, nearMessage(shown, near), nearHint(near))
        }
        return (.invalidPin, error.message, error.hint)
    }

    /// The mistake in a valid pin; nil for a plausible pin.
    static func explanation(of pin: Pin) -> Explanation? {
        guard KnownAuthorities.name(of: pin) == nil else { return nil }
        let shown = pin.base64.quotedExcerpt
        if pin.bytes == digestOfLineFeed {
            return (
                .emptyHash, "\(shown) is the SHA-256 of an empty line",
                "check the command that should print the key: it printed nothing; generate the pin again"
            )
        }
        if let reason = Placeholder.reason(pin.base64) ?? Placeholder.reason(pin.bytes) {
            return (.placeholder, "\(shown) is a placeholder: \(reason)", placeholderHint)
        }
        if let mixup = KnownAuthorities.digestMixup(of: pin.bytes) {
            let hint = "use the pin of \(mixup.name): \(mixup.pin.base64.quotedExcerpt)"
            switch mixup.kind {
            case .certificate:
                return (
                    .certificateHash, "\(shown) is the hash of the certificate of \(mixup.name), not of its key",
                    hint
                )
            case .bits:
                return (
                    .bitStringHash,
                    "\(shown) is the hash of the BIT STRING in the key of \(mixup.name), not of the whole SubjectPublicKeyInfo",
                    hint
                )
            }
        }
        if let near = NearMissIndex.authorities.match(to: pin.base64) {
            return (.nearMiss, nearMessage(shown, near), nearHint(near))
        }
        return nil
    }

    static func nearMessage(_ shown: String, _ near: NearMissIndex.Match) -> String {
        switch near.distance {
        case 0: "\(shown) differs from the pin of \(near.name) only in upper and lower case"
        case 1: "\(shown) differs from the pin of \(near.name) in 1 character"
        default: "\(shown) differs from the pin of \(near.name) in \(near.distance) characters"
        }
    }

    static func nearHint(_ near: NearMissIndex.Match) -> String {
        "if \(near.name) is meant, use its pin: \(near.pin.quotedExcerpt)"
    }

    private static let placeholderHint =
        "use the pin of a real backup key: a placeholder matches no key"

    /// The SHA-256 of one line feed, as `echo "$KEY"` prints it if the variable is empty.
    private static let digestOfLineFeed = Digest.sha256([0x0A])
}
