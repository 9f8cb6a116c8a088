internal import Arguments
internal import Fetching
internal import Pinning

/// Where the chains come from that pins are compared with.
struct LintChains {
    private enum Source {
        case none
        case saved([(file: String, certificates: [Certificate])], TrustSource)
        case live(ConnectionOptions)
    }

    private let source: Source
    private let values: Values
    private let time: Timestamp?

    struct Found {
        /// By the names of the hosts.
        var chains: [String: Chain] = [:]
        var findings: [LintFinding] = []
    }

    init(_ values: Values) throws(CommandError) {
        self.values = values
        time = values[TrustFlags.time]
        let files = values[LintCommand.chain]
        guard files.isEmpty else {
            var chains: [(String, [Certificate])] = []
            for file in files { chains.append((file, try CertificateFile.certificates(at: file, each: "certificate"))) }
            source = .saved(chains, try TrustFlags.source(in: values).0)
            return
        }
        guard values[LintCommand.live] else {
            let connecting = ConnectionFlags.declared + [TrustFlags.anchors, TrustFlags.systemAnchors]
            if let place = connecting.compactMap({ values.place(of: $0) }).first {
                throw CommandError(
                    "\(place.text.quoted) means nothing where no chain is looked at",
                    hint: "--live fetches the hosts, and --chain FILE takes a saved chain"
                )
            }
            source = .none
            return
        }
        source = .live(try ConnectionFlags.options(in: values))
    }

    /// The chains of the hosts of one file.
    func chains(
        for input: LintInput, _ bytes: [UInt8], _ path: String, _ console: Console
    ) throws(CommandError) -> Found {
        switch source {
        case .none: return Found()
        case .saved(let files, let trust): return try saved(files, trust, input, path)
        case .live(let options):
            guard !input.hosts.isEmpty else { return Found() }
            return try live(options, input, bytes, path, console)
        }
    }

    // MARK: Saved

    /// Each chain counts for the hosts that its first certificate is for.
    private func saved(
        _ files: [(file: String, certificates: [Certificate])], _ trust: TrustSource, _ input: LintInput,
        _ path: String
    ) throws(CommandError) -> Found {
        var found = Found()
        for (file, certificates) in files {
            for host in input.hosts where found.chains[host] == nil {
                do throws(ChainError) {
                    let chain = try Chain(
                        validating: certificates, by: trust, for: Target(named: host).identity, at: time
                    )
                    let isForOthers = chain.failures.contains { if case .nameMismatch = $0 { true } else { false } }
                    if !isForOthers { found.chains[host] = chain }
                } catch {
                    throw CommandError("cannot judge the chain in \(InputFile.name(of: file)): \(error)")
                }
            }
        }
        guard !found.chains.isEmpty else {
            throw CommandError("the chain of \"--chain\" is for no host of \(InputFile.name(of: path))")
        }
        return found
    }

    // MARK: Live

    private func live(
        _ options: ConnectionOptions, _ input: LintInput, _ bytes: [UInt8], _ path: String,
        _ console: Console
    ) throws(CommandError) -> Found {
        let hosts = input.hosts
        guard hosts.count < 2 || !values.contains(ConnectionFlags.serverName) else {
            throw CommandError("\"--servername\" is one name, and \(InputFile.name(of: path)) has \(hosts.count) hosts")
        }
        let targets = hosts.map { Target(named: $0) }
        let (policy, warnings) = try trust(bytes, path, targets)
        for warning in warnings { console.writeError(Message.warning(warning)) }
        let load = try LoadFlags.load(in: values, hosts: targets.count)
        let fetcher = try Fetcher.started(options, trust: policy, at: time, load: load, targets: targets)
        var found = Found()
        while let result = fetcher.nextResult() {
            switch result.outcome {
            case .success(let presentation): found.chains[hosts[result.index]] = presentation.chain
            case .failure(let error):
                found.findings.append(input.finding(unreachable: hosts[result.index], error.message, hint: error.hint))
            }
        }
        return found
    }

    /// Whom the set itself trusts, where it can be read as strictly as `verify` reads it.
    private func trust(
        _ bytes: [UInt8], _ path: String, _ targets: [Target]
    ) throws(CommandError) -> (TrustPolicy, warnings: [String]) {
        guard let pins = try? PinSetFile(bytes, path: path) else {
            let (source, warnings) = try TrustFlags.source(in: values)
            return (TrustPolicy(source), warnings)
        }
        let trust = try VerifyTrust(values, pins, for: targets.map { pins.set.entry(for: $0.identity.text) })
        return (trust.policy, trust.warnings)
    }
}
