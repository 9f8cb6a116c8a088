internal import Encodings
public import PinSetCodec
internal import PinSetFormats
public import Pinning

/// Finds mistakes and risks in a pin set.
///
/// ```swift
/// let input = try LintInput(bytes)
/// for finding in Linter(at: now).findings(in: input) { print(finding) }
/// ```
///
/// One run reports all mistakes of a file, while `PinSet(json:)` stops at the first one. Of the findings with the same code and severity, it
/// reports the first 10,000 and the number of the others.
public struct Linter: Sendable {
    /// The time with which dates are compared.
    public let now: Timestamp
    /// Number of days before a date at which the linter warns.
    public let days: Int

    public init(at now: Timestamp, expiringWithin days: Int = 30) { (self.now, self.days) = (now, days) }

    /// - Parameter chains: the chains of the hosts, by the names in `LintInput.hosts`. Pins are compared only with a trusted chain.
    /// - Returns: the findings in the order of the file.
    public func findings(in input: LintInput, chains: [String: CertificateChain] = [:]) -> [LintFinding] {
        findings(in: input, allChains: chains.mapValues { [$0] })
    }

    /// - Parameters:
    ///   - chains: the chains of the hosts, by name. A host can have several, for its addresses and for types of keys.
    ///   - untrustedStep: returns the next step after a chain of a host that does not validate.
    package func findings(
        in input: LintInput, allChains chains: [String: [CertificateChain]],
        untrustedStep: (CertificateChain, String) -> String? = { _, _ in nil }
    ) -> [LintFinding] {
        var findings = input.findings
        for entry in input.set.entries {
            let chains = entry.name.flatMap { chains[$0] } ?? []
            PinRules.check(entry, in: input.set, &findings)
            CoverageRules.check(entry, chains, in: input.set, &findings)
            DateRules.check(entry, self, in: input.set, &findings)
            ChainRules.check(entry, chains, in: input.set, &findings, untrustedStep: untrustedStep)
        }
        HostRules.check(input.set, &findings)
        FormatRules.check(input, &findings)
        return findings.sorted
    }

    /// Finds backups that do not work on a platform.
    ///
    /// - Parameters:
    ///   - set: the set that was read from the input.
    ///   - chains: as for ``findings(in:allChains:)``. For other hosts, the chain is assumed to have the active keys.
    ///   - configurations: returns the platforms that an entry of the set is for.
    package func findings(
        in set: PinSet, allChains chains: [String: [CertificateChain]],
        on configurations: (PinSet.Entry) -> [PlatformConfiguration]
    ) -> [LintFinding] {
        var findings = LintFindings()
        for entry in set.entries {
            let trusted = (chains[entry.name] ?? []).filter(\.isTrusted)
            let links =
                trusted.isEmpty
                ? [PlatformConnection.expectedChain(of: entry)]
                : trusted.map { PlatformConnection(host: entry.name, chain: $0, at: now).chain }
            guard let own = RotationForecast(of: entry, chainPins: links.map { $0.map(\.certificate) }, at: now) else {
                continue
            }
            var platforms: [PinSet.PinnedKey: [String]] = [:]
            for configuration in configurations(entry) {
                let forecast = PlatformForecast(
                    on: configuration, of: entry, comparedWith: own, chains: links, at: now)
                for key in forecast?.lostBackups ?? [] {
                    platforms[key, default: []].append(configuration.platform.rawValue)
                }
            }
            for key in entry.pins {
                guard let names = platforms[key] else { continue }
                findings.add(
                    .backupNotOnPlatform, PlatformForecast.message(on: key, lostOn: names), action: .addAuthority,
                    host: entry.host, pin: key.pin.base64, at: key.position ?? entry.position)
            }
        }
        return findings.inOrderOfAddition
    }

    /// Whether this time is in the future and at most ``days`` days away.
    func isSoon(_ end: Timestamp) -> Bool { end > now && now.days(until: end) < Int64(days) }
}

/// A pin set as lint reads it.
public struct LintInput: Sendable {
    /// The format as given or as recognized in the contents.
    public let format: PinSetFormat
    let bytes: [UInt8]
    let inputs: ConversionInputs
    let set: LintSet
    /// The findings of the reader.
    let findings: LintFindings
    /// The numbers of hosts and of pins that were read, with the format: `2 hosts, 4 pins (pins)`.
    package var contentsSummary: String {
        let (hosts, pins) = (set.entries.count, set.entries.reduce(0) { $0 + $1.pins.count })
        return "\(hosts) host\(hosts == 1 ? "" : "s"), \(pins) pin\(pins == 1 ? "" : "s") (\(format.rawValue))"
    }
    /// The index of each host's entry in ``set``.
    private let indices: [String: Int]

    /// - Parameters:
    ///   - bytes: the contents of a file.
    ///   - format: the format of the file; nil to recognize it from the contents.
    ///   - inputs: the other inputs that the format needs.
    /// - Throws: if the file is not a pin set of a known format, or if the format needs an input that was not given. Every other
    ///   mistake is a finding.
    public init(
        _ bytes: [UInt8], as format: PinSetFormat? = nil, with inputs: ConversionInputs = ConversionInputs()
    ) throws(PinSetFormatError) {
        self.bytes = bytes
        self.inputs = inputs
        let known: PinSetFormat
        if let format { known = format } else { known = try PinSetFormat.recognized(in: bytes) }
        self.format = known
        (set, findings) = try Self.read(bytes, as: known, with: inputs)
        let names = set.entries.enumerated().compactMap { index, entry in entry.name.map { ($0, index) } }
        indices = Dictionary(names, uniquingKeysWith: { first, _ in first })
    }

    private static func read(
        _ bytes: [UInt8], as format: PinSetFormat, with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> (LintSet, LintFindings) {
        guard !format.traits.isNative else {
            var findings = LintFindings()
            let set = LintSet(json: bytes, &findings)
            return (set, findings)
        }
        if let codec = format.codec as? any FingerprintCodec.Type {
            return FingerprintReader.read(bytes, with: codec)
        }
        if let codec = format.codec as? any FingerprintReadingCodec.Type {
            return try FingerprintFormatReader.read(bytes, by: codec, host: inputs.host)
        }
        return try PlatformFormatReader.read(bytes, as: format, with: inputs)
    }

    /// The finding for a host whose chain could not be fetched.
    ///
    /// - Parameter host: one of ``hosts``.
    public func finding(unreachable host: String, _ message: String, hint: String?) -> LintFinding {
        let entry = indices[host].map { set.entries[$0] }
        return LintFinding(
            code: .unreachable, severity: LintCode.unreachable.severity, host: (entry?.host ?? host).withoutUserInfo,
            pin: nil,
            message: "no chain to compare with: \(message)", hint: hint, action: nil, line: entry?.position?.line,
            column: entry?.position?.column
        )
    }

    /// The files with the only trust anchors of their hosts, in the order of the file. A host without such a file uses the caller's
    /// trust anchors.
    public var anchors: [LintAnchor] {
        self.set.entries.flatMap { entry in
            entry.anchors.map { LintAnchor(name: entry.name, host: entry.host, path: $0.path, position: $0.position) }
        }
    }

    /// The endpoints of a host, one of ``hosts``; empty if the set names none.
    public func endpoints(of host: String) -> [PinSet.Endpoint] {
        indices[host].map { set.entries[$0].endpoints } ?? []
    }

    /// The names of the hosts, without duplicates: the hosts whose chains ``Linter/findings(in:chains:)`` can use.
    public var hosts: [String] {
        var known: Set<String> = []
        return set.entries.compactMap(\.name).filter { known.insert($0).inserted }
    }
}
