internal import Encodings
public import PinSetFormats
public import Pinning

/// Finds what is wrong or risky in a pin set.
///
/// ```swift
/// let input = try LintInput(bytes)
/// for finding in Linter(at: now).findings(in: input) { print(finding) }
/// ```
///
/// Every finding of a file comes in one run: what `PinSet(json:)` refuses at the first mistake is explained mistake by mistake.
public struct Linter: Sendable {
    /// The moment by which dates are judged.
    public let now: Timestamp
    /// What ends within so many days is told of.
    public let days: Int

    public init(at now: Timestamp, expiringWithin days: Int = 30) { (self.now, self.days) = (now, days) }

    /// - Parameter chains: what hosts present, by the names in `LintInput.hosts`. Pins are compared only with a chain that
    ///   validates: nobody vouches for any other.
    /// - Returns: in the order of the file.
    public func findings(in input: LintInput, chains: [String: CertificateChain] = [:]) -> [LintFinding] {
        var findings = input.findings
        for entry in input.set.entries {
            let chain = entry.name.flatMap { chains[$0] }
            PinRules.check(entry, in: input.set, &findings)
            CoverageRules.check(entry, chain, in: input.set, &findings)
            DateRules.check(entry, self, in: input.set, &findings)
            if let chain { ChainRules.check(entry, chain, in: input.set, &findings) }
        }
        HostRules.check(input.set, &findings)
        PlatformLint.check(input, &findings)
        return findings.sorted
    }

    /// Whether this moment is still to come, and soon.
    func isSoon(_ end: Timestamp) -> Bool { end > now && now.days(until: end) < Int64(days) }
}

/// A pin set that was read for a linter.
public struct LintInput: Sendable {
    /// What the bytes turned out to be.
    public let format: PinSetFormat
    let bytes: [UInt8]
    let set: LintSet
    /// Those of the reading.
    let findings: LintFindings

    /// - Parameters:
    ///   - bytes: a file's contents.
    ///   - format: nil where the contents are to tell.
    ///   - inputs: what the format needs beside the file.
    /// - Throws: for what is no pin set in any format that is known, and where the format needs what was not given. Whatever else is
    ///   wrong is a finding.
    public init(
        _ bytes: [UInt8], as format: PinSetFormat? = nil, with inputs: ConversionInputs = ConversionInputs()
    ) throws(PinSetFormatError) {
        self.bytes = bytes
        let known: PinSetFormat
        if let format { known = format } else { known = try PinSetFormat.recognized(in: bytes) }
        self.format = known
        guard known != .pins else {
            var findings = LintFindings()
            set = LintSet(json: bytes, &findings)
            self.findings = findings
            return
        }
        guard known != .wultra else {
            (set, findings) = WultraReading.read(bytes)
            return
        }
        (set, findings) = try ForeignReading.read(bytes, as: known, with: inputs)
    }

    /// What to tell of a host that gave no chain.
    ///
    /// - Parameter host: of ``hosts``.
    public func finding(unreachable host: String, _ message: String, hint: String?) -> LintFinding {
        let entry = set.entries.first { $0.name == host }
        return LintFinding(
            code: .unreachable, severity: LintCode.unreachable.severity, host: entry?.host ?? host, pin: nil,
            message: "no chain to compare with: \(message)", hint: hint, line: entry?.position?.line,
            column: entry?.position?.column
        )
    }

    /// The files of certificates that alone are trusted for their hosts, in the order of the file. A host without one is trusted by
    /// whatever counts otherwise.
    public var anchors: [LintAnchor] {
        self.set.entries.flatMap { entry in
            entry.anchors.map { LintAnchor(name: entry.name, host: entry.host, path: $0.path, position: $0.position) }
        }
    }

    /// The names of the hosts, each once: what to fetch for ``Linter/findings(in:chains:)``.
    public var hosts: [String] {
        var known: Set<String> = []
        return set.entries.compactMap(\.name).filter { known.insert($0).inserted }
    }
}
