internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

extension JSONWriter {
    /// The result of a refresh for one entry.
    mutating func fields(of outcome: RefreshOutcome, _ names: AuthorityNames) {
        let refresh = outcome.refresh
        let entry = refresh.entry
        field("host", entry.host)
        field("verdict", outcome.verdict.rawValue)
        field("different", refresh.isDifferent || !refresh.unlearned.isEmpty)
        field("enforced", entry.enforce)
        field("expires", entry.expires)
        array("addresses") { array in
            for (index, (address, observation)) in zip(outcome.addresses, refresh.observations).enumerated() {
                let others = zip(outcome.otherChains, refresh.otherObservations).filter { $0.0.address == index }
                array.object { $0.fields(of: address, observation, others.map { $0.1 }) }
            }
        }
        array("pins") { array in
            for pin in refresh.pins { array.object { $0.fields(of: pin, names) } }
        }
        array("added") { array in
            for added in refresh.added {
                array.object { object in
                    object.fields(of: added.key, names)
                    object.field("position", added.chainPin?.position)
                    object.field("notAfter", added.key.notAfter)
                }
            }
        }
        array("refused") { array in
            for refused in refresh.refused {
                array.object { object in
                    object.field(refused.key.pin, knownAs: names.name(of: refused.key))
                    object.field("reason", refused.reason.rawValue)
                }
            }
        }
        if let forecast = outcome.forecast {
            object("survives") { $0.fields(of: forecast) }
        } else {
            null("survives")
        }
        array("platforms") { array in
            for platform in outcome.platforms {
                array.object { object in
                    object.field("platform", platform.platform.rawValue)
                    object.object("survives") { $0.fields(of: platform.forecast) }
                }
            }
        }
        array("findings") { array in
            for finding in outcome.findings {
                array.object { object in
                    object.field("code", finding.code.rawValue)
                    object.field("severity", finding.severity.rawValue)
                    object.field("pin", finding.pin?.base64)
                    object.field("message", finding.message)
                    object.field("hint", finding.hint)
                    object.field("line", finding.line)
                }
            }
        }
    }

    private mutating func fields(of forecast: RotationForecast) {
        field("leafRenewalSameKey", forecast.leafWithSameKey)
        field("leafRenewalNewKey", forecast.leafWithNewKey)
        field("intermediateRotation", forecast.intermediate)
        field("rootChange", forecast.root)
    }

    private mutating func fields(
        of address: AddressHandshake, _ observation: AddressObservation, _ others: [AddressObservation]
    ) {
        field("target", address.target.description)
        field("address", address.endpoint?.description)
        field("proxy", address.proxy)
        fields(of: observation)
        array("otherChains") { array in
            for other in others { array.object { $0.fields(of: other) } }
        }
        failure("otherChainsError", address.otherChains?.failure.map { ($0.code.rawValue, $0.message) })
        let error: FetchError? = if case .failure(let error) = address.result { error } else { nil }
        failure("error", error.map { ($0.code.rawValue, $0.message) })
    }

    private mutating func fields(of observation: AddressObservation) {
        field("verdict", observation.verdict.rawValue)
        array("chain") { array in
            for entry in observation.chain?.entries ?? [] {
                array.object { object in
                    object.field("role", entry.role.rawValue)
                    object.field("position", entry.position)
                    object.field("subject", entry.certificate.subject?.description)
                    object.field(entry.certificate.pin, knownAs: KnownAuthorities.name(of: entry.certificate.pin))
                    object.field("notAfter", entry.certificate.notAfter)
                }
            }
        }
        field("reason", observation.verdict == .untrusted ? observation.chain?.reason : nil)
    }

    private mutating func fields(of pin: PinRefresh, _ names: AuthorityNames) {
        fields(of: pin.key, names)
        field("status", pin.status.code)
        field("roles", pin.roles.map(\.rawValue))
        field("addresses", pin.addresses)
        field("notAfter", pin.notAfter)
        field("goneSince", pin.status.since)
        field("retires", pin.status.retires)
    }

    private mutating func fields(of key: PinSet.PinnedKey, _ names: AuthorityNames) {
        field(key.pin, knownAs: names.name(of: key))
        field("role", key.role.rawValue)
        field("state", key.state.rawValue)
        field("label", key.shownLabel)
    }

    private mutating func field(_ name: String, _ outcome: RotationForecast.Outcome) {
        object(name) { object in
            object.field("outcome", outcome.code)
            object.field("pins", outcome.keys.map(\.pin.base64))
        }
    }
}

extension PinRefresh.Status {
    /// The code in JSON output; part of the interface.
    var code: String {
        switch self {
        case .served: "served"
        case .returned: "returned"
        case .wrongRole: "wrong-role"
        case .reinstated: "reinstated"
        case .retiredServed: "retired-in-use"
        case .gone: "gone"
        case .retires: "retires"
        case .unserved: "unserved"
        case .unknown: "unknown"
        case .backup: "backup"
        case .backupServed: "backup-in-use"
        case .backupPromoted: "promoted"
        case .retired: "retired"
        }
    }

    var since: Timestamp? {
        switch self {
        case .gone(let since, _, _), .retires(let since): since
        default: nil
        }
    }

    var retires: Timestamp? { if case .gone(_, let retires, _) = self { retires } else { nil } }
}
