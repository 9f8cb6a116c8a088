internal import Arguments
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetMaintenance
internal import Pinning

/// Where lint gets the chains with which it compares the pins.
struct LintChainSource {
    private enum Source {
        case none
        case saved([(file: String, certificates: [Certificate])])
        case live(ConnectionOptions)
    }

    private let source: Source
    private let values: Values
    private let time: Timestamp?

    struct Found {
        /// The different chains by host name, of all addresses, endpoints and types of keys.
        var chains: [String: [CertificateChain]] = [:]
        var findings: [LintFinding] = []
        let trust: LintTrust
    }

    init(_ values: Values, _ console: Console) throws(CommandError) {
        self.values = values
        time = values[TrustFlags.time]
        let files = values[LintCommand.chain]
        guard files.isEmpty else {
            var chains: [(String, [Certificate])] = []
            for file in files {
                chains.append((file, try CertificateFile.certificates(at: file, each: "certificate", console)))
            }
            source = .saved(chains)
            return
        }
        guard values[LintCommand.live] else {
            let connecting = ConnectionFlags.declared + [TrustFlags.anchors, TrustFlags.systemAnchors]
            if let location = connecting.compactMap({ values.location(of: $0) }).first {
                throw CommandError(
                    "\(location.shown.quoted) has no effect without --live or --chain",
                    hint: "use --live to fetch the chains, or --chain FILE for a saved chain"
                )
            }
            source = .none
            return
        }
        var options = try ConnectionFlags.options(in: values, console)
        options.asksEveryAddress = true
        // A backup can be in a path that only some clients build.
        options.findsAllPaths = true
        source = .live(options)
    }

    /// Whether the chains come from files, and so apply only to some hosts.
    var areSaved: Bool { if case .saved = source { true } else { false } }

    /// Gets the chains for the hosts of one file.
    func chains(for input: LintInput, _ path: String, _ console: Console) throws(CommandError) -> Found {
        let trust = try LintTrust(values, input, path, console)
        var found: Found
        switch source {
        case .none: found = Found(trust: trust)
        case .saved(let files):
            found = try saved(files, trust, input)
            for warning in trust.warnings { console.writeError(Message.warning(warning)) }
        case .live(let options):
            found =
                input.hosts.isEmpty ? Found(trust: trust) : try live(options, trust, input, path, console)
        }
        found.findings += trust.findings
        return found
    }

    // MARK: Saved

    /// Uses each saved chain for the hosts that its first certificate names.
    private func saved(
        _ files: [(file: String, certificates: [Certificate])], _ trust: LintTrust, _ input: LintInput
    ) throws(CommandError) -> Found {
        var found = Found(trust: trust)
        for (file, certificates) in files {
            for host in input.hosts where found.chains[host] == nil {
                do throws(CertificateChainError) {
                    let chain = try CertificateChain(
                        validating: certificates, by: trust.source(for: host), for: Target(named: host).identity,
                        at: time
                    )
                    let isForOthers = chain.failures.contains { if case .nameMismatch = $0 { true } else { false } }
                    if !isForOthers { found.chains[host] = [chain] }
                } catch {
                    throw CommandError("cannot validate the chain in \(InputFile.name(of: file)): \(error)")
                }
            }
        }
        return found
    }

    // MARK: Live

    private static let step = "retry when the host answers, or omit --live"

    private func live(
        _ options: ConnectionOptions, _ trust: LintTrust, _ input: LintInput, _ path: String, _ console: Console
    ) throws(CommandError) -> Found {
        let hosts = input.hosts
        guard hosts.count < 2 || !values.contains(ConnectionFlags.serverName) else {
            throw CommandError("\"--servername\" applies to one host: \(InputFile.name(of: path)) has \(hosts.count)")
        }
        let scheme = TargetFlags.bareScheme(in: values)
        var targets: [Target] = []
        var names: [String] = []
        for host in hosts {
            let endpoints = input.endpoints(of: host).map { Target($0) }
            let own = endpoints.isEmpty ? [Target(named: host, scheme: scheme)] : endpoints
            targets += own
            names += own.map { _ in host }
        }
        for warning in trust.warnings { console.writeError(Message.warning(warning)) }
        let load = try LoadFlags.load(in: values, hosts: targets.count, asksEveryAddress: true)
        var hostsByTarget: [Target: String] = [:]
        // If two entries have one endpoint, the entry for exactly its name has precedence, as in verify.
        for (target, name) in zip(targets, names) where hostsByTarget[target] == nil || name == target.identity.text {
            hostsByTarget[target] = name
        }
        let fetcher = try Fetcher.started(
            options, trust: trust.policy(for: hostsByTarget), at: time, load: load, targets: targets)
        var found = Found(trust: trust)
        while let result = fetcher.nextResult() {
            let host = names[result.index]
            for part in result.withoutUnusableAddresses.parts {
                let warning = part.unfinishedWarning
                if !warning.isEmpty { console.writeError(warning) }
                switch part.outcome {
                case .success(let presentation):
                    let known = found.chains[host] ?? []
                    guard !known.contains(where: { $0.hasSameCertificates(as: presentation.chain) }) else { continue }
                    found.chains[host] = known + [presentation.chain]
                case .failure(let error):
                    let hint = error.hint ?? Self.step
                    found.findings.append(input.finding(unreachable: host, error.message, hint: hint))
                }
            }
        }
        return found
    }
}
