internal import CertificateDetails
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import Pinning

/// JSON: a list with one object for each file and each host.
final class InspectJSON: InspectFormat {
    private let plan: InspectPlan
    private let now: Timestamp

    init(_ plan: InspectPlan) {
        self.plan = plan
        now = plan.time ?? .now
    }

    var start: String { JSONList.start(schema: "pinctl/inspect/1", list: "sources") }
    var separator: String { JSONList.separator }
    var end: String { JSONList.end }
    var containsErrors: Bool { true }

    func output(for file: InspectedFile) -> [UInt8] {
        JSONList.element { writer in
            writer.object { object in
                object.field("file", file.path)
                for name in ["target", "address", "protocol", "cipher", "trust", "ocsp"] { object.null(name) }
                object.array("certificates") { array in
                    for (number, certificate) in file.certificates {
                        array.object { object in
                            object.field("number", number)
                            for name in ["role", "position", "source"] { object.null(name) }
                            object.details(of: certificate, at: self.now)
                        }
                    }
                }
                object.errors(file.problems.map { ("unreadable", $0.message) })
            }
        }
    }

    func output(forSkipped target: Target) -> [UInt8] {
        JSONList.element { writer in
            writer.object { object in
                object.null("file")
                object.field("target", target.description)
                for name in ["address", "protocol", "cipher", "trust", "ocsp"] { object.null(name) }
                object.array("certificates") { _ in }
                object.errors([("skipped", "a file of the command line cannot be read")])
            }
        }
    }

    func fragment(for result: FetchResult) -> ReportFragment {
        let handshake = try? result.outcome.get()
        let error: FetchError? = if case .failure(let error) = result.outcome { error } else { nil }
        let entries = handshake?.chain.entries.filter(plan.selects) ?? []
        let output = JSONList.element { writer in
            writer.object { object in
                object.null("file")
                object.field("target", result.target.description)
                object.field("address", (handshake?.endpoint ?? result.part?.endpoint ?? error?.endpoint)?.description)
                object.field("protocol", handshake?.protocolVersion)
                object.field("cipher", handshake?.cipherSuite)
                if let chain = handshake?.chain { object.trust(of: chain) } else { object.null("trust") }
                object.ocsp(handshake?.stapledStatus(at: self.now))
                object.array("certificates") { array in
                    for entry in entries {
                        array.object { object in
                            object.field("number", entry.position + 1)
                            object.field("role", entry.role.rawValue)
                            object.field("position", entry.position)
                            object.field("source", entry.source.rawValue)
                            object.details(of: entry.certificate, at: self.now)
                        }
                    }
                }
                object.errors(error.map { [($0.code.rawValue, $0.message)] } ?? [])
            }
        }
        var fragment = ReportFragment(output: output, status: result.status(acceptsUntrusted: plan.acceptsUntrusted))
        if let chain = handshake?.chain { fragment.noteMissingSelection(entries, of: result, chain) }
        return fragment
    }
}

extension JSONWriter {
    fileprivate mutating func errors(_ errors: [(code: String, message: String)]) {
        array("errors") { array in
            for error in errors {
                array.object { object in
                    object.field("code", error.code)
                    object.field("message", error.message)
                }
            }
        }
    }

    fileprivate mutating func ocsp(_ status: StapledStatus?) {
        guard let status else { return null("ocsp") }
        object("ocsp") { object in
            object.field("status", status.verdict.rawValue)
            object.field("thisUpdate", status.thisUpdate)
            object.field("nextUpdate", status.nextUpdate)
            object.field("reason", status.reason)
        }
    }

    /// All fields of a certificate, its extensions and its problems.
    fileprivate mutating func details(of certificate: Certificate, at now: Timestamp) {
        let extensions = certificate.extensions
        fields(of: certificate)
        field("version", certificate.version)
        field("securityBits", certificate.keySecurityBits)
        field("sha1", hex: certificate.sha1)
        array("extensions") { array in
            for item in extensions {
                array.object { object in
                    object.field("oid", item.type.dotted)
                    object.field("name", item.name)
                    object.field("critical", item.isCritical)
                    object.field("der", base64: item.value)
                    object.content(of: item)
                }
            }
        }
        array("problems") { array in
            for problem in certificate.problems(in: extensions, at: now) {
                array.object { object in
                    object.field("code", problem.code.rawValue)
                    object.field("severity", problem.severity.rawValue)
                    object.field("field", problem.field.name(in: extensions))
                    object.field("message", problem.message)
                }
            }
        }
    }

    /// The decoded value in the field `value`; null if pinctl does not know the type or the value is malformed.
    private mutating func content(of item: CertificateExtension) {
        switch item.content {
        case .malformed, .unknown: null("value")
        case .subjectAlternativeNames(let value), .issuerAlternativeNames(let value): names("value", value)
        case .keyUsage(let value): field("value", value.map(\.name))
        case .extendedKeyUsage(let value):
            field("value", value.map { ObjectName.ofKeyPurpose($0) ?? $0.dotted })
        case .subjectKeyIdentifier(let value): field("value", hex: value)
        case .inhibitAnyPolicy(let value): field("value", value)
        case .precertificatePoison, .noRevocationCheck: field("value", true)
        case .tlsFeatures(let value): field("value", value.map(ObjectName.ofTLSFeature))
        case .basicConstraints(let isAuthority, let maximum):
            object("value") { object in
                object.field("ca", isAuthority)
                object.field("pathLength", maximum)
            }
        case .nameConstraints(let permitted, let excluded):
            object("value") { object in
                object.names("permitted", permitted.map(\.base))
                object.names("excluded", excluded.map(\.base))
            }
        case .policyConstraints(let explicit, let mapping):
            object("value") { object in
                object.field("requireExplicitPolicy", explicit)
                object.field("inhibitPolicyMapping", mapping)
            }
        case .authorityKeyIdentifier(let key, let issuer, let serial):
            object("value") { object in
                object.field("keyIdentifier", hex: key)
                object.names("issuer", issuer)
                object.field("serialNumber", hex: serial)
            }
        case .policies(let value): list(value) { $0.fields(of: $1) }
        case .policyMappings(let value):
            list(value) { object, mapping in
                object.field("issuer", mapping.issuer.dotted)
                object.field("subject", mapping.subject.dotted)
            }
        case .access(let value):
            list(value) { object, access in
                object.field("method", ObjectName.ofAccessMethod(access.method) ?? access.method.dotted)
                object.field("type", access.location.kind)
                object.field("name", access.location.text)
            }
        case .distributionPoints(let value):
            list(value) { object, point in
                object.names("names", point.names)
                object.names("issuer", point.issuer)
            }
        case .signedTimestamps(let value):
            list(value) { object, timestamp in
                object.field("version", Int(timestamp.version) + 1)
                object.field("log", base64: timestamp.logIdentifier)
                object.field("time", timestamp.time)
                object.field("milliseconds", timestamp.milliseconds)
            }
        }
    }

    private mutating func fields(of policy: CertificatePolicy) {
        field("oid", policy.type.dotted)
        field("name", ObjectName.ofPolicy(policy.type))
        field("statements", policy.statements)
        field("notices", policy.notices)
    }

    private mutating func list<Element>(_ values: [Element], _ write: (inout JSONWriter, Element) -> Void) {
        array("value") { array in
            for value in values { array.object { write(&$0, value) } }
        }
    }

    private mutating func names(_ key: String, _ names: [GeneralName]) {
        array(key) { array in
            for name in names {
                array.object { object in
                    object.field("type", name.kind)
                    object.field("name", name.text)
                    if case .dns(let text) = name { object.field("unicode", DomainName.unicode(of: text)) }
                }
            }
        }
    }
}

extension CertificateProblem.Field {
    /// The field as JSON output names it; for an extension its name, or its OID.
    fileprivate func name(in extensions: [CertificateExtension]) -> String {
        switch self {
        case .serialNumber: "serial"
        case .validity: "validity"
        case .key: "key"
        case .signature: "signatureAlgorithm"
        case .names: "names"
        case .version: "version"
        case .extension(let index):
            extensions.indices.contains(index) ? extensions[index].name ?? extensions[index].type.dotted : "extensions"
        }
    }
}
