internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

extension JSONWriter {
    /// Writes the verdict on a host with its reasons, then the fields that `fetch` writes.
    mutating func fields(of verification: Verification, _ names: AuthorityNames, cache: CertificateJSONCache? = nil) {
        let check = verification.check
        field("target", check.target.description)
        fields(of: verification.part, verification.chainPart)
        field("host", check.entry?.host)
        field("verdict", verification.verdict.rawValue)
        field("enforced", check.entry?.enforce)
        field("expires", check.entry?.expires)
        array("matched") { array in
            for match in verification.matches { array.object { $0.fields(of: match, in: verification.chain) } }
        }
        array("expected") { array in
            for key in verification.expected {
                array.object { object in
                    object.field(key.pin, knownAs: names.name(of: key))
                    object.field("role", key.role.rawValue)
                    object.field("state", key.state.rawValue)
                    object.field("label", key.shownLabel)
                }
            }
        }
        array("nearMisses") { array in
            for miss in verification.nearMisses {
                array.object { object in
                    object.field(miss.key.pin, knownAs: names.name(of: miss.key))
                    object.field("reason", miss.reason.code)
                    object.field("message", miss.message)
                }
            }
        }
        array("platforms") { array in
            for verdict in verification.platforms {
                array.object { object in
                    object.field("platform", verdict.platform.rawValue)
                    object.field("verdict", verdict.verdict.rawValue)
                    object.field("rule", verdict.rule)
                }
            }
        }
        fields(
            of: verification.presentation, verification.chain, verification.failure, at: verification.part?.endpoint,
            cache: cache
        )
    }

    private mutating func fields(of match: PinEvaluation.Match, in chain: CertificateChain?) {
        let entry = chain?.entries.first { $0.position == match.certificate.position }
        let known = KnownAuthorities.name(of: match.key.pin)
        let isAnchor = entry != nil && entry?.certificate == chain?.anchor
        field(match.key.pin, knownAs: known ?? (isAnchor ? entry?.certificate.subject?.displayName : nil))
        field("role", match.certificate.role.rawValue)
        field("position", match.certificate.position)
        field("label", match.key.shownLabel)
        field("state", match.key.state.rawValue)
        field("subject", entry?.certificate.subject?.description)
    }
}

extension PinEvaluation.NearMiss.Reason {
    /// The code in JSON output; part of the interface.
    fileprivate var code: String {
        switch self {
        case .retired: "retired"
        case .role: "role"
        }
    }
}
