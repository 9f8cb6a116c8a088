internal import CommandSupport
internal import ConnectionFailures
internal import Encodings
internal import Fetching
internal import Pinning

/// JSON: a list with one object for each failure.
enum ExplainJSON {
    static func document(_ explanations: [Explanation], _ plan: ExplainPlan) -> [UInt8] {
        var output = Array(JSONList.start(schema: "pinctl/explain/1", list: "failures").utf8)
        for (index, explanation) in explanations.enumerated() {
            if index > 0 { output += Array(JSONList.separator.utf8) }
            output += JSONList.element { writer in writer.object { $0.fields(of: explanation, plan) } }
        }
        return output + Array(JSONList.end.utf8)
    }
}

extension JSONWriter {
    fileprivate mutating func fields(of explanation: Explanation, _ plan: ExplainPlan) {
        let failure = explanation.failure
        field("source", failure.source.rawValue)
        field("kind", failure.kind.rawValue)
        field("line", failure.line)
        field("count", explanation.count)
        field("message", failure.message)
        field("host", failure.host)
        field("hostLine", failure.hostLine)
        field("target", explanation.target?.description)
        array("expected") { array in
            for pin in explanation.expected { array.object { $0.field(pin, knownAs: plan.names.name(of: pin)) } }
        }
        field("otherPins", failure.otherPins)
        array("seen") { array in
            for certificate in failure.seen {
                array.object { object in
                    object.field("subject", certificate.subject)
                    object.field("issuer", certificate.issuer)
                    object.field("pin", certificate.pin?.base64)
                    object.field("knownAs", certificate.pin.flatMap { KnownAuthorities.name(of: $0) })
                }
            }
        }
        live(explanation)
        object("conclusion") { object in
            object.field("verdict", explanation.conclusion.verdict.rawValue)
            object.field("sentence", explanation.conclusion.sentence)
            object.field("command", explanation.command(plan))
            object.field("purpose", explanation.purpose)
        }
    }

    /// What the host serves now; null if pinctl did not connect.
    private mutating func live(_ explanation: Explanation) {
        guard let host = explanation.host else { return null("live") }
        object("live") { object in
            if let chain = explanation.chain { object.trust(of: chain) } else { object.null("trust") }
            object.field("clients", explanation.comparison.subject?.otherClientText)
            object.certificates(of: explanation.chain, explanation)
            object.array("otherChains") { array in
                for served in explanation.comparison.others {
                    array.object { object in
                        object.trust(of: served.chain)
                        object.field("clients", served.otherClientText)
                        object.certificates(of: served.chain, explanation)
                    }
                }
            }
            let error: FetchError? = if case .failure(let error) = host.result.outcome { error } else { nil }
            object.failure("error", error.map { ($0.code.rawValue, $0.message) })
        }
    }

    private mutating func certificates(of chain: CertificateChain?, _ explanation: Explanation) {
        array("chain") { array in
            for entry in chain?.entries ?? [] {
                array.object { object in
                    object.field("role", entry.role.rawValue)
                    object.field("subject", entry.certificate.subject?.description)
                    object.field("notAfter", entry.certificate.notAfter)
                    let pin = entry.certificate.pin
                    object.field(pin, knownAs: KnownAuthorities.name(of: pin))
                    object.field("pinned", explanation.comparedPins.contains(pin))
                }
            }
        }
    }
}
