internal import Authentication
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import HTTPSession
internal import Pinning

/// JSON: one document (`json`), or one line for each URL as it finishes (`ndjson`).
final class ChallengeJSONReport: HostReport {
    let isStreamed: Bool

    init(isStreamed: Bool) { self.isStreamed = isStreamed }

    var start: String { isStreamed ? "" : JSONList.start(schema: "pinctl/challenge/1", list: "urls") }
    var separator: String { isStreamed ? "" : JSONList.separator }
    var end: String { isStreamed ? "" : JSONList.end }

    func fragment(for outcome: ChallengeOutcome) throws(CommandError) -> ReportFragment {
        let write = { (writer: inout JSONWriter) in writer.object { $0.fields(of: outcome) } }
        return ReportFragment(
            output: isStreamed ? JSONList.line(write) : JSONList.element(write), status: outcome.status)
    }
}

extension JSONWriter {
    fileprivate mutating func fields(of outcome: ChallengeOutcome) {
        let result = outcome.result
        let response = try? result.outcome.get()
        field("url", outcome.shownURL)
        field("method", outcome.method.rawValue)
        field("admission", result.admission.name)
        field("status", response?.status)
        field("reason", response?.reason)
        array("requests") { array in
            for hop in result.hops {
                array.object { object in
                    object.field("url", hop.url)
                    object.field("status", hop.status)
                }
            }
        }
        array("challenges") { array in
            for record in result.challenges { array.object { $0.fields(of: record) } }
        }
        failure("error", outcome.error.map { ($0.code.rawValue, $0.message) })
    }

    private mutating func fields(of record: ChallengeRecord) {
        let space = record.protectionSpace
        field("url", record.url)
        field("authenticationMethod", space.authenticationMethod.rawValue)
        field("host", space.host)
        field("port", Int(space.port))
        field("protocol", space.protocol.rawValue)
        field("proxyType", space.proxyType?.rawValue)
        field("realm", space.realm)
        field("scheme", record.scheme)
        field("charset", record.charset)
        field("encrypted", space.isEncrypted)
        field("receivesCredentialSecurely", space.receivesCredentialSecurely)
        field("previousFailureCount", record.previousFailureCount)
        field("answer", record.answer.rawValue)
        field("user", record.user)
        field("result", record.result.rawValue)
        field("reason", record.reason)
        field("address", record.address)
        field("tls", record.protocolVersion)
        field("trusted", record.chain?.isTrusted)
        field("trustReason", record.chain.flatMap { $0.isTrusted ? nil : $0.reason })
        field("pinVerdict", record.pins?.verdict.name)
        array("pins") { array in
            for entry in record.chain?.entries ?? [] {
                array.object { object in
                    object.field("role", entry.role.rawValue)
                    object.field("pin", entry.certificate.pin.base64)
                }
            }
        }
        names("authorities", space.distinguishedNames ?? [])
        field("certificateRequired", record.isRequired)
        field("certificate", record.certificate?.subject?.description)
    }
}

extension TaskResult.Admission {
    fileprivate var name: String {
        switch self {
        case .admitted: "admitted"
        case .refused: "refused"
        case .undecided: "undecided"
        }
    }
}

extension PinEvaluation.Verdict {
    fileprivate var name: String {
        switch self {
        case .match: "match"
        case .mismatch: "mismatch"
        case .expired: "expired"
        case .noPins: "no-pins"
        }
    }
}
