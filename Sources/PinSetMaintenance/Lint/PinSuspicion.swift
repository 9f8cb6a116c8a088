internal import Encodings
internal import OpenSSL
internal import Pinning

/// What may be wrong with a pin alone, whatever else is in the set.
enum PinSuspicion {
    typealias Explanation = (code: LintCode, message: String, hint: String?)

    /// Why a spelling is no pin, as far as can be told.
    static func explanation(of error: PinSpellingError) -> Explanation {
        let shown = error.spelling.quotedExcerpt
        switch error.reason {
        case .digestOfNothing: return (.emptyHash, error.message, error.hint)
        case .algorithm: return (.wrongDigest, error.message, error.hint)
        default: break
        }
        if let reason = Placeholder.reason(error.spelling) {
            return (.placeholder, "\(shown) is filler: \(reason)", Self.placeholderHint)
        }
        if let near = NearPins.authorities.match(to: error.spelling) {
            return (.nearMiss, nearMessage(shown, near), nearHint(near))
        }
        return (.invalidPin, error.message, error.hint)
    }

    /// What is wrong with a pin that reads as one; nil where nothing is.
    static func explanation(of pin: Pin, spelled spelling: String) -> Explanation? {
        guard KnownAuthorities.name(of: pin) == nil else { return nil }
        let shown = pin.base64.quotedExcerpt
        if pin.bytes == digestOfLineFeed {
            return (
                .emptyHash, "\(shown) is the SHA-256 of an empty line",
                "the command that should print the key printed nothing; generate the pin again from the certificate or key"
            )
        }
        if let reason = Placeholder.reason(pin.base64) ?? Placeholder.reason(pin.bytes) {
            return (.placeholder, "\(shown) is filler: \(reason)", placeholderHint)
        }
        if let confusion = KnownAuthorities.digestMixup(of: pin.bytes) {
            let hint = "the pin of \(confusion.name) is \(confusion.pin.base64.quotedExcerpt)"
            switch confusion.kind {
            case .certificate:
                return (
                    .certificateHash, "\(shown) is the hash of the certificate of \(confusion.name), not of its key",
                    hint
                )
            case .bits:
                return (
                    .bitStringHash,
                    "\(shown) is the hash of the key's bits of \(confusion.name), without the SubjectPublicKeyInfo around them",
                    hint
                )
            }
        }
        if let near = NearPins.authorities.match(to: pin.base64) {
            return (.nearMiss, nearMessage(shown, near), nearHint(near))
        }
        return nil
    }

    static func nearMessage(_ shown: String, _ near: NearPins.Match) -> String {
        switch near.distance {
        case 0: "\(shown) is the pin of \(near.name) but for upper and lower case"
        case 1: "\(shown) is the pin of \(near.name) but for 1 character"
        default: "\(shown) is the pin of \(near.name) but for \(near.distance) characters"
        }
    }

    static func nearHint(_ near: NearPins.Match) -> String { "did you mean \(near.name), \(near.pin.quotedExcerpt)?" }

    private static let placeholderHint =
        "put the pin of a real spare key here: a second pin that matches nothing is no backup"

    /// The SHA-256 of one line feed: what `echo` gives a pipeline whose first command failed.
    private static let digestOfLineFeed = Digest.sha256([0x0A])
}
