internal import CommandSupport
internal import ConnectionFailures
internal import Encodings
internal import Fetching
internal import Pinning

/// A failure of the log with its conclusion.
struct Explanation {
    let failure: ConnectionFailure
    let count: Int
    /// Nil if the host is unknown.
    let target: Target?
    let expected: [Pin]
    /// The pins of the set for the host.
    let setPins: [Pin]
    /// Nil if pinctl did not connect.
    let host: HostResults?
    let comparison: HostComparison
    /// Whether the host is that of a URL in another line than the message.
    let isGuess: Bool
    let conclusion: Conclusion

    /// The next step. A host that the log does not name can have been given with `--host`.
    private var step: Conclusion.Step {
        guard conclusion.step == .nameHost, target != nil, !isGuess else { return conclusion.step }
        return failure.hasRepeatedParts ? .separate : .connect
    }

    /// The chain of the host that the conclusion is about; nil if the host did not answer.
    var chain: CertificateChain? { comparison.chain }

    /// The pins that pinctl compares with the chain of the host.
    var comparedPins: Set<Pin> { Set(expected + setPins) }

    /// Whether name resolution does not know the host.
    private var isUnresolved: Bool {
        if case .failure(let error)? = host?.result.outcome { error.nextStep == .checkName } else { false }
    }

    /// The option for an address of a host whose name does not resolve here.
    private var address: [String] { isUnresolved ? ["--connect-to", "ADDRESS"] : [] }

    /// The option of refresh with the name whose entry of the set applies to the host.
    private func acceptance(_ plan: ExplainPlan) -> [String] {
        let name = target.map(plan.name) ?? "HOST"
        return name.begins(with: "-") ? ["--accept-new=\(name)"] : ["--accept-new", name]
    }

    /// The options for the chains on which the conclusion depends, with those for the connection.
    ///
    /// - Parameter words: The options for the connection.
    private func selecting(_ words: [String]) -> [String] {
        var words = words
        var selection: [String] = []
        func set(_ option: String, _ value: String?) {
            while let index = words.firstIndex(of: option) {
                words.removeSubrange(index...min(index + 1, words.count - 1))
            }
            if let value { selection += [option, value] }
        }
        switch comparison.decisive?.clients {
        case nil, .usual?: break
        case .otherKeyType?: if !words.contains("--key-type") { selection += ["--key-type", "all"] }
        case .other(let client)?:
            set("--key-type", "all")
            if client.offersOldVersions { set("--tls-max", TLSVersion.tls12.rawValue) }
            if let names = client.applicationProtocols {
                set("--alpn", names.isEmpty ? nil : names.joined(separator: ",").withoutUserInfoInURLs)
            }
        }
        return selection + words
    }

    /// The options for the chain of the host of the failure: without the server name of another host.
    private func chainWords(_ plan: ExplainPlan) -> [String] {
        var words = plan.words.connection
        if let target, plan.requestsOtherName(for: target), let index = words.firstIndex(of: "--servername") {
            words.removeSubrange(index...(index + 1))
        }
        return plan.words.trust + words
    }

    /// The command to run next. It contains only words that pinctl has parsed, because a log can contain any text.
    func command(_ plan: ExplainPlan) -> String {
        let host = target?.description ?? "HOST"
        // Standard input can be read only once.
        let set = plan.pins.map { $0.path == "-" ? "PINS" : ShellCommand.path($0.path) } ?? "PINS"
        let log = plan.path == "-" ? "LOG" : ShellCommand.path(plan.path)
        let pins = plan.pins != nil || step == .namePins ? ["--pins", set] : []
        let connecting = plan.words.trust + plan.words.connection
        let words =
            switch step {
            case .fetch:
                ["fetch", host] + (comparison.differByAddress ? ["--all-addresses"] : []) + selecting(chainWords(plan))
            case .fetchPaths:
                ["fetch", "--paths", host] + (comparison.differByAddress ? ["--all-addresses"] : [])
                    + selecting(chainWords(plan))
            case .inspect: ["inspect", host, "--select", "leaf"] + selecting(connecting)
            case .fetchIssuers: ["fetch", "--fetch-issuers", host] + selecting(connecting)
            case .verify: ["verify", "--pins", set, host] + connecting
            // The set can have other hosts, for which an address or a server name is wrong. No pin matches, so refresh learns the chain
            // only with --accept-new; without --write, it changes nothing.
            case .refresh: ["refresh", "--pins", set] + acceptance(plan) + [host] + connecting
            case .lint: ["lint", set]
            case .connect where plan.isOffline || isUnresolved:
                ["explain", log] + plan.hostWords + pins + connecting + address
            case .connect: ["fetch", host] + connecting
            case .nameHost: ["explain", log, "--host", "HOST"] + pins + connecting + address
            case .namePins: ["explain", log] + plan.hostWords + pins + connecting
            case .nameOwnPins: ["explain", log, "--pins", "PINS"] + plan.hostWords + connecting
            case .again: ["explain", log] + plan.hostWords + pins + connecting
            case .separate: ["explain", "LOG"] + plan.hostWords + pins + connecting
            }
        // A host of a log can look like an option.
        guard host.begins(with: "-"), words.contains(host) else { return ShellCommand.line(["pinctl"] + words) }
        return ShellCommand.line(["pinctl"] + words.filter { $0 != host }, operands: [host])
    }

    /// What the command does.
    var purpose: String {
        switch step {
        case .fetch where conclusion.verdict == .interception:
            "run it in the network of the device, and compare the chain with the one here"
        case .fetch where conclusion.verdict == .undecided:
            "run it here, in another network, and in that of the device, and compare the chains"
        case .fetch: "look at the chain of the host"
        case .fetchPaths: "look at all valid paths of the host's chain, and at the keys that all of them contain"
        case .inspect: "look at the server's certificate"
        case .fetchIssuers: "find the certificate that the server must send"
        case .verify: "compare the pins of the program with the host"
        case .refresh:
            "show which changes the pin set needs; if the keys were changed on purpose, add --write, and release the app with them"
        case .lint: "find the wrong pin"
        case .connect where isUnresolved:
            "repeat with an address of the host, because its name does not resolve here"
        case .connect: "compare with the chain that the host serves now"
        case .nameHost where isUnresolved:
            "repeat with the host of the failure, and with an address if its name does not resolve here"
        case .nameHost: "repeat with the host of the failure"
        case .namePins: "repeat with the pin set of the program"
        case .nameOwnPins:
            "repeat with the pin set of the program's own version; if it is this set, compare the chain in the network of the device"
        case .again: "repeat when pinctl can receive every chain of the host"
        case .separate: "repeat with the part of the log of this failure alone"
        }
    }
}
