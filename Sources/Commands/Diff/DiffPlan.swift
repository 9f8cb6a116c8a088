internal import Arguments
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import KeyFiles
internal import Pinning

/// One side of a comparison.
enum DiffSide {
    case set(PinSetFile)
    /// The certificates of a file.
    case chain([Certificate], path: String)
    case host(Target)
}

/// The validated input of `diff`.
struct DiffPlan {
    let trust: TrustSource
    let warnings: [String]
    private let names: (left: String, right: String)
    private let left: DiffSide
    private let right: DiffSide
    private let settings: RunSettings

    private var connection: ConnectionOptions { settings.options }
    /// Whether the chains of a host for all types of keys are compared.
    private var comparesAllKeyTypes: Bool { connection.keyTypes == .all }

    init(_ values: Values, _ console: Console) throws(CommandError) {
        let inputs = values[DiffCommand.inputs]
        guard inputs.count == 2, let first = inputs.first, let second = inputs.last else {
            throw CommandError(
                "diff compares two files or hosts: \(inputs.count) \(inputs.count == 1 ? "was" : "were") given",
                hint: "run \"pinctl help diff\" for the usage")
        }
        names = (first, second)
        try StandardInput.checkReadOnce(
            [(nil, inputs), ("--anchors", values[TrustFlags.anchors])] + ConnectionFlags.files(in: values))
        let sides = (try Self.side(first, values, console), try Self.side(second, values, console))
        left = try Self.endpoint(of: sides.0, first, beside: sides.1, values)
        right = try Self.endpoint(of: sides.1, second, beside: sides.0, values)
        let connection = try ConnectionFlags.options(in: values, console)
        let trustWarnings: [String]
        (trust, trustWarnings) = try Self.trust(of: left, and: right, connection, values, console)
        settings = RunSettings(
            connection, trust: TrustPolicy(trust), at: values[TrustFlags.time],
            load: try LoadFlags.load(in: values, hosts: 2))
        var warnings = trustWarnings
        for side in [left, right] { if case .set(let file) = side { warnings += file.warnings } }
        self.warnings = warnings
        if !hasHosts, let location = ConnectionFlags.declared.compactMap({ values.location(of: $0) }).first {
            throw CommandError("\(location.shown.quoted) has no effect without a host", hint: "remove the option")
        }
    }

    /// The name of the first of two sets that can have pins which were not read; nil if none can, and for other inputs.
    var setWithUnreadPins: String? {
        guard case (.set(let first), .set(let second)) = (left, right) else { return nil }
        return [first, second].first(where: \.canHaveUnreadPins)?.name
    }

    var hasHosts: Bool {
        [left, right].contains { if case .host = $0 { true } else { false } }
    }

    // MARK: Input

    /// The anchors of the set's entry for the chain, unless the command line has others. A set needs an entry for a host.
    private static func trust(
        of left: DiffSide, and right: DiffSide, _ connection: ConnectionOptions, _ values: Values, _ console: Console
    ) throws(CommandError) -> (TrustSource, warnings: [String]) {
        let entry: PinSet.Entry?
        let file: PinSetFile
        switch (left, right) {
        case (.set(let set), .host(let target)), (.host(let target), .set(let set)):
            (file, entry) = (set, try Self.entry(of: set, for: target, connection))
        case (.set(let set), .chain(let certificates, _)), (.chain(let certificates, _), .set(let set)):
            (file, entry) = (set, Self.entry(of: set, for: certificates)?.entry)
        default: return try TrustFlags.source(in: values, console)
        }
        let trust = try PinSetTrust(values, file, for: [entry], serverName: connection.serverName, console)
        return (trust.source(for: entry), trust.warnings)
    }

    /// The entry for a host.
    private static func entry(
        of file: PinSetFile, for target: Target, _ connection: ConnectionOptions
    ) throws(CommandError) -> PinSet.Entry {
        let host = (target.serverName ?? connection.serverName ?? target.identity).text
        guard let entry = file.set.entry(for: host) else {
            throw CommandError(
                "\(file.name) has no entry for \(host.quoted)", hint: UncoveredHostHints(file.set).hint(for: host))
        }
        return entry
    }

    /// The entry for the first name of the first certificate that has one, and that name.
    private static func entry(
        of file: PinSetFile, for certificates: [Certificate]
    ) -> (name: String, entry: PinSet.Entry)? {
        for name in certificates.first.map({ $0.dnsNames + $0.ipAddresses }) ?? [] {
            if let entry = file.set.entry(for: name) { return (name, entry) }
        }
        return nil
    }

    /// Ends of the names of files; no host has them.
    private static let suffixes = [
        ".json", ".xml", ".plist", ".yaml", ".yml", ".toml", ".kt", ".swift", ".java", ".dart", ".txt", ".pem", ".crt",
        ".cer",
        ".der",
    ]

    private static func side(_ text: String, _ values: Values, _ console: Console) throws(CommandError) -> DiffSide {
        if text == "-" || InputFile.exists(at: text) { return try file(text, console) }
        do throws(TargetError) {
            if text.has("://") { _ = try TargetRange(parsing: text) }
        } catch {
            throw CommandError("\(text.withoutUserInfo.quoted): \(error.reason(about: text))", hint: error.hint)
        }
        // The name of a missing file can have the form of a host.
        guard let range = try? TargetRange(parsing: text), !suffixes.contains(where: text.lowercased().hasSuffix) else {
            return try file(text, console)
        }
        let targets = try TargetFlags.targets(of: [range], in: values)
        guard let target = targets.first, targets.count == 1 else {
            throw CommandError("\(text.quoted) is a range: diff compares single hosts")
        }
        return .host(target)
    }

    /// A side, with the endpoint that the set on the other side names in place of a host without a scheme and a port.
    ///
    /// - Parameter text: the operand of the side.
    private static func endpoint(
        of side: DiffSide, _ text: String, beside other: DiffSide, _ values: Values
    ) throws(CommandError) -> DiffSide {
        guard case .host = side, case .set(let file) = other, let range = try? TargetRange(parsing: text) else {
            return side
        }
        let given = try TargetFlags.ranges(of: [range], in: values)
        let endpoints = TargetFlags.ranges(of: given, in: file.set, values).map(\.first)
        guard let endpoint = endpoints.first, endpoints.count == 1 else {
            throw CommandError(
                "\(file.name) has \(endpoints.count) endpoints for \(text.quoted), and diff compares one",
                hint:
                    "name \(endpoints.map(\.description).joined(conjunction: "or")), or use pinctl verify for all of them"
            )
        }
        return .host(endpoint)
    }

    private static func file(_ path: String, _ console: Console) throws(CommandError) -> DiffSide {
        let bytes = try InputFile.bytes(at: path, console)
        // A pin set in source code can contain certificates, too; JSON and XML do not begin with a PEM block.
        let isSet = bytes[...].trimmed.first.map { "{<[".utf8.contains($0) } ?? false
        let results = isSet ? [] : CertificateBundle.results(in: bytes)
        guard results.contains(where: { (try? $0.get()) != nil }) else {
            return .set(try PinSetFile(bytes, path: path))
        }
        do throws(CertificateBundle.Unreadable) {
            return .chain(
                try results.map { result throws(CertificateBundle.Unreadable) in try result.get() }, path: path)
        } catch {
            throw CommandError("\(InputFile.name(of: path)): \(error.message)")
        }
    }

    // MARK: Comparison

    /// Connects to the hosts and compares.
    ///
    /// - Parameter report: Receives whole lines for standard error.
    func differences(report: (String) -> Void) throws(CommandError) -> [Difference] {
        if case .set(let a) = left, case .set(let b) = right { return Difference.between(a, b) }
        let chains = try chains(report)
        switch (left, right) {
        case (.set(let file), _): return try compare(file, with: right, chains.right, setIsLeft: true)
        case (_, .set(let file)): return try compare(file, with: left, chains.left, setIsLeft: false)
        default:
            return DiffChain.pairs(chains.left, chains.right).flatMap { left, right in
                (Difference.ofTrust(left?.validated, right?.validated)
                    + Difference.between(
                        left?.certificates(comparedWith: right) ?? [], right?.certificates(comparedWith: left) ?? []))
                    .map { $0.about(left?.keyType ?? right?.keyType) }
            }
        }
    }

    /// The chains of both sides; empty for a set.
    private func chains(_ report: (String) -> Void) throws(CommandError) -> (left: [DiffChain], right: [DiffChain]) {
        let targets = [left, right].compactMap { side -> Target? in
            if case .host(let target) = side { target } else { nil }
        }
        var found: [Int: [DiffChain]] = [:]
        if !targets.isEmpty {
            let fetcher = try settings.fetcher(for: targets)
            while let result = fetcher.nextResult() {
                found[result.index] = try chains(of: result)
                let warning = result.unfinishedWarning
                if !warning.isEmpty { report(warning) }
            }
        }
        guard case .host = left else { return (chains(in: left), found[0] ?? chains(in: right)) }
        guard case .host = right else { return (found[0] ?? [], chains(in: right)) }
        return (found[0] ?? [], found[1] ?? [])
    }

    private func chains(of result: FetchResult) throws(CommandError) -> [DiffChain] {
        func undecided(_ error: FetchError) -> CommandError {
            CommandError("\(result.target): \(error.message)", hint: error.hint, status: .undecided)
        }
        switch result.outcome {
        case .success(let handshake):
            if let failure = handshake.otherChains?.failure { throw undecided(failure) }
            return DiffChain.all(of: handshake, namesKeyType: comparesAllKeyTypes)
        case .failure(let error): throw undecided(error)
        }
    }

    /// The chains of a file; empty for another side.
    private func chains(in side: DiffSide) -> [DiffChain] {
        guard case .chain(let certificates, _) = side else { return [] }
        return DiffChain.all(in: certificates, namesKeyType: comparesAllKeyTypes)
    }

    private func compare(
        _ file: PinSetFile, with side: DiffSide, _ chains: [DiffChain], setIsLeft: Bool
    ) throws(CommandError) -> [Difference] {
        let (entry, chains) = try subject(file, side, chains)
        let trust = chains.flatMap { chain in
            Difference.ofTrust(setIsLeft ? nil : chain.validated, setIsLeft ? chain.validated : nil).map {
                $0.about(chain.keyType)
            }
        }
        // Pins are compared with validated chains only.
        let trusted = chains.filter { $0.validated?.isTrusted == true }
        guard !trusted.isEmpty else { return trust }
        return trust + Difference.between(entry, trusted, at: settings.time ?? .now, setIsLeft: setIsLeft)
    }

    /// The entry for chains, and the chains, validated for the host of the entry.
    private func subject(
        _ file: PinSetFile, _ side: DiffSide, _ chains: [DiffChain]
    ) throws(CommandError) -> (PinSet.Entry, [DiffChain]) {
        switch side {
        case .host(let target):
            return (try Self.entry(of: file, for: target, connection), chains)
        case .chain(let certificates, let path):
            guard let (name, entry) = Self.entry(of: file, for: certificates) else {
                throw CommandError(
                    "\(file.name) has no entry for a name of the first certificate in \(InputFile.name(of: path))",
                    hint: "use "
                        + ShellCommand.line([
                            "pinctl", "verify", "--pins", ShellCommand.path(file.path), "--chain",
                            ShellCommand.path(path), "HOST",
                        ])
                        + " for a certificate with a wildcard"
                )
            }
            do throws(CertificateChainError) {
                let chain = try CertificateChain(
                    validating: certificates, by: trust, for: Target(named: name).identity, at: settings.time)
                return (entry, [DiffChain(chain)])
            } catch {
                throw CommandError("cannot validate the chain in \(InputFile.name(of: path)): \(error)")
            }
        case .set: throw CommandError("a set is not a chain")
        }
    }

    /// The JSON document.
    func document(_ differences: [Difference], _ names: AuthorityNames) -> [UInt8] {
        var writer = JSONWriter(.pretty)
        writer.object { object in
            object.field("schema", "pinctl/diff/1")
            object.field("a", self.names.left.withoutUserInfoInURLs)
            object.field("b", self.names.right.withoutUserInfoInURLs)
            object.field("equal", !differences.contains { $0.isFailure })
            object.array("differences") { array in
                for difference in differences { array.object { $0.fields(of: difference, names) } }
            }
        }
        writer.endLine()
        return writer.output
    }
}
