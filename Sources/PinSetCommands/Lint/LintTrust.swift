internal import Arguments
internal import CommandSupport
internal import Fetching
internal import FileConflicts
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

/// The trust anchors for the hosts of a linted file: those of the command line, otherwise those of the set that can be read.
struct LintTrust {
    /// The trust sources; the first is for hosts without their own anchors.
    private var sources: [TrustSource]
    /// The index in ``sources`` by host.
    private var indices: [String: Int] = [:]
    let warnings: [String]
    private let path: String
    /// Whether the format of the file has a field for anchors.
    private let namesAnchors: Bool
    /// Findings for anchors that cannot be read.
    private(set) var findings: [LintFinding] = []

    init(_ values: Values, _ input: LintInput, _ path: String, _ console: Console) throws(CommandError) {
        let (source, warnings) = try TrustFlags.source(in: values, console)
        (sources, self.warnings) = ([source], warnings)
        (self.path, namesAnchors) = (path, input.format.traits.isNative)
        PinSetTrust.protect(input.anchors.map { PinSetFile.resolved($0.path, beside: path) })
        guard values[TrustFlags.anchors].isEmpty else { return }
        var known: [PathKey: [TrustAnchor]] = [:]
        var anchors: [String: [TrustAnchor]] = [:]
        var limit = LintFindingLimit()
        for anchor in input.anchors {
            let file = PinSetFile.resolved(anchor.path, beside: path)
            var read: [TrustAnchor] = []
            do throws(CommandError) {
                read = if let read = known[PathKey(file)] { read } else { try AnchorFiles.anchors(at: file) }
                known[PathKey(file)] = read
            } catch {
                let hint = error.hint ?? "check the path: \"anchors\" are relative to the folder of the pin set"
                let finding = anchor.finding(error.message, hint: hint)
                if !limit.isReached(by: finding) { findings.append(finding) }
                limit.add(finding)
            }
            if let name = anchor.name { anchors[name, default: []] += read }
        }
        findings += limit.sentences
        for (name, anchors) in anchors {
            indices[name] = sources.count
            sources.append(TrustSource(anchors: TrustAnchors(anchors: anchors)))
        }
    }

    /// - Parameter host: One of ``LintInput/hosts``.
    func source(for host: String) -> TrustSource { sources[indices[host, default: 0]] }

    /// The next step after a chain of a host that does not validate.
    func step(after chain: CertificateChain, of host: String) -> String? {
        UntrustedChainStep(
            source(for: host), hasOwnAnchors: indices[host] != nil, inSetAt: path, namesAnchors: namesAnchors
        ).text(for: chain)
    }

    /// The sources for connections. An endpoint has the anchors of its entry, also if it has another name than the entry.
    ///
    /// - Parameter hosts: The host of each target, one of ``LintInput/hosts``.
    func policy(for hosts: [Target: String]) -> TrustPolicy {
        guard sources.count > 1 else { return TrustPolicy(sources[0]) }
        let indices = hosts.mapValues { self.indices[$0, default: 0] }
        return TrustPolicy(sources) { target in indices[target, default: 0] }
    }
}
