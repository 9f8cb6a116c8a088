internal import CommandSupport
internal import Encodings
internal import Pinning

/// What pinctl knows about the owner of a pin.
struct PinAnswer {
    private let names: AuthorityNames

    init(_ console: Console) { names = AuthorityNames([SystemTrust.source(console.environment)]) }

    /// One sentence: the CA with this key, the digest that was confused with a pin, or that the pin is unknown.
    func sentence(about pin: Pin) -> String {
        if let name = names.name(of: pin)?.escaped {
            guard let details = KnownAuthorities.details(of: pin) else {
                return "\(name) (in the trust store; not in pinctl's list of public CAs of \(KnownAuthorities.date))"
            }
            return "\(name) (\(details.isRoot ? "root" : "intermediate"), until \(details.notAfter.date))"
        }
        if let mixup = KnownAuthorities.digestMixup(of: pin.bytes) {
            let what = mixup.kind == .certificate ? "the certificate" : "the key bits without the SubjectPublicKeyInfo"
            return "not a pin, but the SHA-256 of \(what) of \(mixup.name.escaped); its pin is \(mixup.pin.base64)"
        }
        return
            "unknown: no CA in the trust store or in pinctl's list of public CAs of \(KnownAuthorities.date) has this key"
    }
}
