internal import Arguments
internal import Fetching
internal import Pinning

/// Whom to trust for the hosts of a file that is linted: the anchors that the set itself names, as far as they can be read, unless the
/// command line names others. Other mistakes of the set change nothing of that.
struct LintTrust {
    /// The first is for every host without anchors of its own.
    private var sources: [TrustSource]
    private var places: [String: Int] = [:]
    let warnings: [String]
    /// The anchors that cannot be read.
    private(set) var findings: [LintFinding] = []

    init(_ values: Values, _ input: LintInput, _ path: String, _ console: Console) throws(CommandError) {
        let (source, warnings) = try TrustFlags.source(in: values, console)
        (sources, self.warnings) = ([source], warnings)
        guard values[TrustFlags.anchors].isEmpty else { return }
        var known: [String: [Certificate]] = [:]
        var certificates: [String: [Certificate]] = [:]
        for anchor in input.anchors {
            let file = PinSetFile.resolved(anchor.path, beside: path)
            var read: [Certificate] = []
            do throws(CommandError) {
                read = if let read = known[file] { read } else { try AnchorFiles.certificates(at: file, console) }
                known[file] = read
            } catch {
                let hint = error.hint ?? "\"anchors\" are relative to the folder of the pin set"
                findings.append(anchor.finding(error.message, hint: hint))
            }
            if let name = anchor.name { certificates[name, default: []] += read }
        }
        for (name, certificates) in certificates {
            places[name] = sources.count
            sources.append(TrustSource(anchors: TrustAnchors(certificates)))
        }
    }

    /// - Parameter host: of ``LintInput/hosts``.
    func source(for host: String) -> TrustSource { sources[places[host, default: 0]] }

    var policy: TrustPolicy {
        TrustPolicy(sources) { [places] target in places[target.identity.text, default: 0] }
    }
}
