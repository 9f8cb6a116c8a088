internal import Encodings
public import PinSetCodec
package import Pinning
package import XMLDocuments

/// `network_security_config.xml` of Android apps (Android Developers, "Network security configuration"):
///
/// ```xml
/// <network-security-config>
///     <domain-config>
///         <domain includeSubdomains="true">example.org</domain>
///         <pin-set expiration="2027-06-01">
///             <!-- ISRG Root X1 -->
///             <pin digest="SHA-256">C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=</pin>
///         </pin-set>
///     </domain-config>
/// </network-security-config>
/// ```
///
/// A comment before a pin, or after it on the same line, is the pin's label. TrustKit for Android has the element `<trustkit-config
/// enforcePinning="…">`, which corresponds to `enforce`. Its default is false, so if one host has report-only pins, every host gets
/// the element. Android itself always enforces pins.
package enum AndroidFormat: PinSetCodec {
    package static let traits = FormatTraits(
        name: "android", summary: "network_security_config.xml", fileName: "network_security_config.xml",
        mergesIntoFiles: true, platforms: [.android], lintRules: [.silentExpiry, .overridePins],
        capabilities: FormatCapabilities(
            subdomains: [.none, .all], expiry: .day, supportsReportOnly: true, notes: .markupComments))

    package static func recognizes(_ file: FileContents) -> Bool {
        if AndroidConfiguration.isCompiled(file.bytes) { return true }
        // Source code that generates such a file contains the element too.
        let text = file.bytes.starts(with: [0xef, 0xbb, 0xbf]) ? file.bytes.dropFirst(3) : file.bytes[...]
        return text.first { !$0.isWhiteSpace } == UInt8(ascii: "<")
            && (file.bytes.has("<network-security-config") || file.bytes.has(":network-security-config"))
    }

    package static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        let configuration = try AndroidConfiguration(bytes)
        var warnings = ConversionWarnings()
        let isOverridden = hasOverriddenPins(configuration.document)
        for warning in configuration.warnings {
            // Without an effect, these anchors are like others.
            let isOther = warning.reason == .pinsOverridden && !isOverridden
            warnings.add(isOther ? .notRepresented("<trust-anchors>") : warning.reason, of: warning.host)
        }
        var entries: [(entry: PinSet.Entry, offset: Int?)] = []
        var shared = 0
        for part in configuration.parts {
            try read(part, of: configuration, inherited: .none, &shared, into: &entries, warnings: &warnings)
        }
        if entries.isEmpty { warnings.add(.nothingPinned) }
        if configuration.namesTrustKit {
            addInheritedByTrustKit(entries.map(\.entry), in: configuration.document, &warnings)
        }
        return PinSetReading(set: try set(of: entries, in: bytes), warnings: warnings.list)
    }

    /// Whether the anchors of a host with pins skip them. A `<domain-config>` inherits anchors only if it has none (AOSP, frameworks/base,
    /// NetworkSecurityConfig.java, `getEffectiveCertificatesEntryRefs`).
    package static func hasOverriddenPins(_ document: XMLDocument) -> Bool {
        guard document.bytes.has("overridePins") else { return false }
        let model = AndroidModel(document)
        return model.failure != nil || model.domains.contains { !$0.pins.isEmpty && $0.hasOverridingAnchors }
    }

    /// Adds warnings about settings that TrustKit inherits from the `domain-config` around one, and Android does not
    /// (TrustKit-Android 1.1.5, config/DomainPinningPolicy.java, `Builder.build`).
    private static func addInheritedByTrustKit(
        _ entries: [PinSet.Entry], in document: XMLDocument, _ warnings: inout ConversionWarnings
    ) {
        let policies = Dictionary(
            TrustKitAndroidModel(document).policies.map { (ExactText($0.host), $0) },
            uniquingKeysWith: { first, _ in first })
        for entry in entries {
            guard let policy = policies[ExactText(entry.host)] else { continue }
            let line = document.position(of: policy.offset).line
            if policy.includesSubdomains, entry.subdomains == .none {
                warnings.add(
                    .uncheckedConnections(
                        "TrustKit also pins the subdomains, as the <domain-config> around this one says, and Android does not",
                        line: line), of: entry.host)
            }
            if policy.expires != nil, entry.expires == nil {
                warnings.add(
                    .uncheckedConnections(
                        "TrustKit uses the expiration of the <domain-config> around this one, and Android does not",
                        line: line),
                    of: entry.host)
            }
        }
    }

    /// Maximum number of pins that domains share with others, counted for each domain: a small file can have very many.
    private static let maximumSharedPins = SharedPinCount.maximum

    private static func read(
        _ part: AndroidConfiguration.Part, of configuration: AndroidConfiguration, inherited: AndroidPinState,
        _ shared: inout Int, into entries: inout [(entry: PinSet.Entry, offset: Int?)],
        warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) {
        let state = inherited.overridden(by: part)
        shared += (part.domains.count - (part.pins == nil ? 0 : 1)) * state.pins.count
        guard shared <= maximumSharedPins else {
            throw error(
                .android(.tooManyPins),
                at: part.domains.first.map {
                    configuration.document.position(of: $0.element.range.lowerBound)
                })
        }
        for domain in part.domains {
            let offset = domain.element.range.lowerBound
            if let problem = domain.problem {
                let line = configuration.document.position(of: offset).line
                warnings.add(.hostNeverMatches(problem, line: line), of: domain.host)
                continue
            }
            if let name = domain.nameToWrite {
                let line = configuration.document.position(of: offset).line
                warnings.add(.hostNotFound(written: name, line: line), of: domain.host)
                continue
            }
            guard !state.pins.isEmpty else {
                warnings.add(.hostExcluded, of: domain.host)
                continue
            }
            if state.enforces == nil, configuration.namesTrustKit {
                warnings.add(.trustKitReportsOnly, of: domain.host)
            }
            let entry = try entry(
                host: domain.host, at: configuration.document.position(of: offset),
                subdomains: domain.subdomains,
                expires: state.expires, enforce: state.enforces ?? true, pins: state.pins)
            entries.append((entry, offset))
        }
        for inner in part.parts {
            try read(inner, of: configuration, inherited: state, &shared, into: &entries, warnings: &warnings)
        }
    }

    package static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        try write(set, namesTrustKit: false)
    }

    /// - Parameter namesTrustKit: whether TrustKit reads the file even if all hosts of the set are enforced.
    static func write(_ set: PinSet, namesTrustKit: Bool) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        let writer = AndroidWriter()
        var output = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<network-security-config>\n"
        let entries = try writable(set, &warnings)
        let hasTrustKit = namesTrustKit || entries.haveReportOnly
        for entry in entries {
            if hasTrustKit { AndroidPinState.warn(of: entry, &warnings) }
            output += writer.part(
                of: AndroidWriter.domain(entry), state: AndroidPinState(of: entry, hasTrustKit: hasTrustKit),
                inherited: .none,
                indentation: writer.unit)
            output += "\n"
        }
        return PinSetWriting(output + "</network-security-config>\n", warnings)
    }

    package static func write(
        _ set: PinSet, into file: [UInt8], others: OtherHosts
    ) throws(PinSetFormatError) -> PinSetWriting {
        let configuration = try AndroidConfiguration(file)
        var warnings = ConversionWarnings()
        let entries = try writable(set, &warnings)
        var editor = AndroidEditor(configuration: configuration, entries: entries, others: others)
        let bytes = try editor.edited()
        if editor.hasTrustKit { for entry in entries { AndroidPinState.warn(of: entry, &warnings) } }
        for host in editor.others { warnings.add(.otherHost(others), of: host) }
        return PinSetWriting(bytes, warnings)
    }

    private static func writable(
        _ set: PinSet, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [WritableEntry] {
        let entries = try traits.capabilities.writable(set, as: format, &warnings)
        for entry in entries where !entry.entry.enforce {
            warnings.add(.reportOnlyIsForTrustKit, of: entry.entry.host)
        }
        return entries
    }
}

extension [WritableEntry] {
    var haveReportOnly: Bool { contains { !$0.entry.enforce } }
}

extension PinSetFormat {
    public static let android = PinSetFormat(AndroidFormat.self)
}
