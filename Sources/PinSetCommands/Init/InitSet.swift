internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import PinSetFormats
internal import PinSetMaintenance
internal import Pinning

/// A new pin set, built from one host after another.
struct InitSet {
    /// Why a host cannot be added.
    struct Problem {
        /// What the host or the command line lacks.
        enum Cause {
            case chain, pinnedRole, unusedBackup
        }

        let message: String
        var hint: String?
        var status = ExitStatus.failure
        var cause = Cause.chain
    }

    private let plan: InitPlan
    private var hosts: [String] = []
    private var pins: [String: [PinSet.PinnedKey]] = [:]
    /// The targets of each host.
    private var targets: [String: [Target]] = [:]
    /// The roots of all chains of each host.
    private var roots: [Target.Host: [Certificate]] = [:]
    private var paths = UnpinnedPaths()
    private var foundWarnings: [String] = []
    /// Warnings about the hosts that were added.
    var warnings: [String] {
        var keys: [Target: Set<Pin>] = [:]
        for (host, targets) in targets {
            for target in targets { keys[target, default: []].formUnion((pins[host] ?? []).map(\.pin)) }
        }
        return foundWarnings
            + paths.findings(keys).map { finding in
                Message.warning(
                    finding.message,
                    hint: "pin a key that all paths contain: \(plan.listing(ofPathsTo: finding.target)) lists them")
            }
    }

    init(_ plan: InitPlan) { self.plan = plan }

    /// Adds a host with the chains of all its addresses, for each type of key that it has.
    ///
    /// - Returns: why the host cannot be added; empty if it was.
    mutating func add(_ result: FetchResult) -> [Problem] {
        var problems: [Problem] = []
        var keys: [PinSet.PinnedKey] = []
        for address in AddressHandshake.all(of: result).contacted {
            do throws(FetchError) {
                let first = try address.result.get()
                if first.includesUnfinished { problems.append(unauthenticated(address)) }
                problems += add(first.chain, "chain", of: address, to: &keys)
                guard let others = address.otherChains else { continue }
                for other in others.results {
                    let type = other.chain.entries.first?.certificate.key.type
                    problems += add(
                        other.chain, type.map { "\($0) chain" } ?? "chain", of: address, isOther: true, to: &keys)
                }
                guard let failure = others.failure else { continue }
                // Servers without another certificate also close the connection or send other alerts: slapd with GnuTLS sends none.
                if failure.isServerRefusal {
                    warn(
                        "\(address.target): the server may have another certificate: \(failure.message)",
                        hint: "check with \(plan.verification(ofAllChainsOf: address.target))")
                } else {
                    // Another run fails in the same way without the client certificate.
                    let step = failure.nextStep == .sendClientCertificate ? failure.hint : nil
                    // No pin of an unfinished handshake is added, also not of only one chain.
                    let alternative = first.isUnfinished ? "" : ", or \(Self.oneChain)"
                    problems.append(
                        Problem(
                            message: failure.message, hint: (step ?? "run init again") + alternative,
                            status: .undecided))
                }
            } catch {
                problems.append(Problem(message: error.message, hint: error.hint, status: .undecided))
            }
        }
        guard problems.isEmpty else { return Self.distinct(problems) }
        let host = plan.identities[result.index].text
        if pins[host] == nil { hosts.append(host) }
        var known = pins[host] ?? []
        for key in keys where !known.contains(where: { $0.pin == key.pin && $0.role == key.role }) { known.append(key) }
        pins[host] = known
        targets[host, default: []].append(result.target)
        return []
    }

    /// Adds the chains that the addresses of a host send to other clients. The host must have been added.
    ///
    /// - Returns: why the chains cannot be added; empty if they were.
    mutating func add(_ search: OtherClientSearch, of result: FetchResult) -> [Problem] {
        let host = plan.identities[result.index].text
        var keys = pins[host] ?? []
        var problems: [Problem] = []
        for address in AddressHandshake.all(of: result).contacted {
            guard let findings = search.findings(of: address) else { continue }
            for (chain, client) in findings.newChains(of: address) {
                problems += add(chain, "chain for \(client)", of: address, isOther: true, to: &keys)
            }
            if findings.includesUnfinished { problems.append(unauthenticated(address)) }
            switch findings.failure {
            case nil: break
            case .unanswered(let client, let error)? where error.isServerRefusal:
                warn(
                    "\(address.target): the server may have another certificate for \(client): \(error.message)",
                    hint: "if it has one, add its pin with pinctl add")
            case .unanswered(let client, let error)?:
                let step = error.nextStep == .sendClientCertificate ? error.hint : nil
                problems.append(
                    Problem(
                        message: "no answer for \(client): \(error.message)",
                        hint: "\(step ?? "run init again"), or \(Self.oneChain)", status: .undecided))
            case .interrupted?:
                problems.append(
                    Problem(
                        message: "the search for the chains of \(address.name) for other clients was interrupted",
                        hint: "run init again", status: .undecided))
            }
        }
        guard problems.isEmpty else { return Self.distinct(problems) }
        pins[host] = keys
        return []
    }

    private static let oneChain = "use --key-type any to pin only the chain that most clients receive"

    /// Adds the keys of a chain.
    ///
    /// - Parameters:
    ///   - noun: the chain in messages.
    ///   - isOther: whether only clients that do not receive the first chain receive this one.
    /// - Returns: why the chain cannot be pinned; empty if its keys were added.
    private mutating func add(
        _ chain: CertificateChain, _ noun: String, of address: AddressHandshake, isOther: Bool = false,
        to keys: inout [PinSet.PinnedKey]
    ) -> [Problem] {
        var problems: [Problem] = []
        if chain.isTrusted {
            if let authority = UnlistedAuthority(of: chain, plan.trust) {
                warn("\(address.target): \(authority.message)", hint: UnlistedAuthority.step)
            }
            noteRoot(of: chain, noun, at: address)
            paths.note(chain, to: address.target)
            problems = backupProblems(in: chain)
            switch plan.policy.entries(of: chain) {
            case .success(let entries): merge(entries, into: &keys)
            case .failure(let missing):
                problems.append(
                    Problem(
                        message:
                            "the \(noun) has no \(missing.role.rawValue), which \"--policy \(plan.policy.text)\" pins: \(chain.summary)",
                        hint: plan.policy.alternative(for: chain).map { policy in
                            "use \"--policy \(policy)\"" + (isOther ? ", or \(Self.oneChain)" : "")
                        },
                        cause: .pinnedRole))
            }
        } else {
            problems = [untrusted(chain, noun, at: address)]
        }
        guard isOther else { return problems }
        return problems.map { problem in
            var problem = problem
            problem.hint = problem.hint ?? "correct this chain or the policy, or \(Self.oneChain)"
            return problem
        }
    }

    /// Warns if a chain has another root than the first one of its host, also one of another port. This is usual for servers with
    /// certificates of two CAs, but an interceptor whose CA the machine trusts can also answer some of the connections only.
    private mutating func noteRoot(of chain: CertificateChain, _ noun: String, at address: AddressHandshake) {
        guard let root = chain.anchor else { return }
        let known = roots[address.target.host] ?? []
        guard !known.contains(where: { $0.pin == root.pin }) else { return }
        roots[address.target.host] = known + [root]
        guard let first = known.first else { return }
        func name(_ certificate: Certificate) -> String { (certificate.subject?.displayName ?? "").quoted }
        warn(
            "\(address.target): the \(noun) at \(address.name) has the root \(name(root)), and the first chain has the root \(name(first)): the set has pins of both chains",
            hint: "check that the host uses both CAs: an interceptor can answer some of the connections only")
    }

    /// The problem of an address whose certificates an interceptor can have replaced.
    private func unauthenticated(_ address: AddressHandshake) -> Problem {
        Problem(
            message: UnfinishedHandshake.doubt(at: address.name), hint: UnfinishedHandshake.step, status: .undecided)
    }

    /// Adds a warning, unless another address has the same one.
    private mutating func warn(_ message: String, hint: String) {
        let warning = Message.warning(message, hint: hint)
        if !foundWarnings.contains(warning) { foundWarnings.append(warning) }
    }

    /// The set as the contents of a pins.json.
    func bytes() throws(CommandError) -> [UInt8] {
        do {
            var entries: [PinSet.Entry] = []
            for host in hosts {
                let pins = (pins[host] ?? []) + plan.backups
                entries.append(
                    try PinSet.Entry(
                        host: host, subdomains: plan.subdomains, expires: plan.expires, anchors: plan.anchors,
                        endpoints: try endpoints(of: host), pins: pins))
            }
            let writing = try PinSet(entries: entries).written(as: .pins, with: ConversionInputs(date: .now))
            return writing.files.first?.bytes ?? []
        } catch {
            throw CommandError("cannot create the pin set: \(error)")
        }
    }

    /// The endpoints of a host; none if it was contacted on port 443 only.
    private func endpoints(of host: String) throws(PinSetError) -> [PinSet.Endpoint] {
        let targets = targets[host] ?? []
        guard targets.contains(where: { $0.port != Target.defaultPort || $0.startTLS != nil }) else { return [] }
        var endpoints: [PinSet.Endpoint] = []
        for target in targets {
            let endpoint = try PinSet.Endpoint(target.endpointText(for: host))
            if !endpoints.contains(endpoint) { endpoints.append(endpoint) }
        }
        return endpoints
    }

    var summary: String {
        let spare = hosts.count * plan.backups.count
        let count = hosts.reduce(spare) { $0 + (pins[$1]?.count ?? 0) }
        let backups = spare == 0 ? "no backup" : "\(spare) of them \(spare == 1 ? "a backup" : "backups")"
        return
            "\(hosts.count) \(hosts.count == 1 ? "host" : "hosts") with \(count) \(count == 1 ? "pin" : "pins"), \(backups),"
    }

    private func merge(_ entries: [CertificateChain.Entry], into keys: inout [PinSet.PinnedKey]) {
        for entry in entries {
            let certificate = entry.certificate
            let pin = certificate.pin
            let role = PinSet.AllowedRole(entry.role)
            guard !keys.contains(where: { $0.pin == pin && $0.role == role }) else { continue }
            keys.append(
                PinSet.PinnedKey(
                    pin: pin, role: role, label: KnownAuthorities.name(of: pin) ?? certificate.subject?.displayName,
                    notAfter: certificate.notAfter?.startOfDay))
        }
    }

    private func backupProblems(in chain: CertificateChain) -> [Problem] {
        let live = chain.keys
        if chain.hasUnknownPaths, !plan.backups.isEmpty {
            return [
                Problem(
                    message:
                        "a backup can be in one of the host's valid paths, of which there are more than init searches",
                    hint: "use --no-backup, or correct the certificates that the server sends", status: .undecided,
                    cause: .unusedBackup)
            ]
        }
        return plan.backups.compactMap { key in
            guard !live.contains(key.pin) else {
                return Problem(
                    message: "the pin \(key.pin.base64) cannot be a backup: its key is in a chain of the host",
                    hint: key.role == .leaf
                        ? "create a key that no server uses with pinctl keygen, and use its request with --from-csr"
                        : "choose a CA that is in no chain of the host",
                    cause: .unusedBackup)
            }
            guard chain.crossCertificate(at: plan.time ?? .now, by: key, isNew: true) != nil else { return nil }
            return Problem(
                message: "the pin \(key.pin.base64) \(RefreshFindings.crossCertified)",
                hint: "use the key of another CA, or --no-backup", status: .undecided, cause: .unusedBackup)
        }
    }

    /// A warning about an address that was left out because this machine has no route to it.
    static func warning(onSkipped address: AddressHandshake) -> String {
        Message.warning(
            "\(address.target): the set has no pins from \(address.name): this machine has no route to it",
            hint: "run init on a machine that reaches every address, or check this address with pinctl verify")
    }

    /// A warning about a host that may have more addresses than name resolution returned.
    static func warning(
        about target: Target, _ problem: LookUpProblem, backups: [PinSet.PinnedKey]
    ) -> String {
        let use = backups.isEmpty ? "" : ", and a server may use the backup"
        return Message.warning(
            "\(target): the set may lack pins\(use): \(problem.reason)", hint: problem.step(for: "init"))
    }

    private func untrusted(_ chain: CertificateChain, _ noun: String, at address: AddressHandshake) -> Problem {
        Problem(
            message: "the \(noun) that \(address.name) serves does not validate: \(chain.reason)",
            hint: UntrustedChainStep(plan.trust).text(for: chain))
    }

    /// Removes repeated problems, because several addresses often have the same one.
    private static func distinct(_ problems: [Problem]) -> [Problem] {
        var messages: Set<String> = []
        return problems.filter { messages.insert($0.message).inserted }
    }
}
