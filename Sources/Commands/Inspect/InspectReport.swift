internal import CommandSupport
internal import Encodings
internal import Fetching
internal import Pinning

/// An output format of `inspect`.
protocol InspectFormat: AnyObject {
    var start: String { get }
    var separator: String { get }
    var end: String { get }
    func output(for file: InspectedFile) -> [UInt8]
    func fragment(for result: FetchResult) -> ReportFragment
    /// The output for a host that pinctl did not contact, because a file cannot be read.
    func output(forSkipped target: Target) -> [UInt8]
    /// Whether the output contains the errors of files, so that standard error does not.
    var containsErrors: Bool { get }
}

extension InspectFormat {
    func output(forSkipped target: Target) -> [UInt8] { [] }
}

/// Writes files and hosts in the order of the command line.
final class InspectReport: HostReport {
    private let plan: InspectPlan
    private let format: any InspectFormat
    /// Number of hosts whose files were written.
    private var hostsWithFiles = 0
    private var isEmpty = true

    init(_ plan: InspectPlan, _ format: any InspectFormat) { (self.plan, self.format) = (plan, format) }

    /// The fragment of a host begins with the files before it.
    var needsInputOrder: Bool { true }
    var start: String { format.start }
    var separator: String { format.separator }
    /// The files after the last host, and the end of the format.
    var end: String {
        let files = takeFiles(before: plan.files.count)
        let text = String(decoding: files.output, as: UTF8.self)
        return (isEmpty || text.isEmpty ? "" : format.separator) + text + format.end
    }

    func fragment(for result: FetchResult) throws(CommandError) -> ReportFragment {
        var fragment = takeFiles(before: result.index + 1)
        let own = format.fragment(for: result)
        if fragment.output.isEmpty {
            fragment.output = own.output
        } else if !own.output.isEmpty {
            fragment.output += Array(format.separator.utf8) + own.output
        }
        fragment.messages += own.messages
        fragment.status = fragment.status.combined(with: own.status)
        if !fragment.output.isEmpty { isEmpty = false }
        return fragment
    }

    /// Writes the files, and in their places the hosts that are not contacted.
    func writeFiles(to console: Console) throws(CommandError) -> ExitStatus {
        console.write(format.start)
        var status = ExitStatus.success
        for index in 0...plan.targets.count {
            let fragment = takeFiles(before: index + 1)
            let skipped = index < plan.targets.count ? format.output(forSkipped: plan.targets[index]) : []
            for output in [fragment.output, skipped] where !output.isEmpty {
                if !isEmpty { console.write(format.separator) }
                console.write(output)
                isEmpty = false
            }
            if !fragment.messages.isEmpty { console.writeError(fragment.messages) }
            status = status.combined(with: fragment.status)
        }
        console.write(format.end)
        if !plan.targets.isEmpty {
            let hosts = plan.targets.map(\.description)
            let shown = Array(hosts.prefix(3)) + (hosts.count > 3 ? ["\(hosts.count - 3) more"] : [])
            console.writeError(
                Message.error("no connection to \(shown.joined(conjunction: "and")): not all of the files can be read"))
        }
        return status
    }

    private func takeFiles(before host: Int) -> ReportFragment {
        var fragment = ReportFragment()
        guard hostsWithFiles < host, host <= plan.files.count else { return fragment }
        for file in plan.files[hostsWithFiles..<host].joined() {
            let output = format.output(for: file)
            if !fragment.output.isEmpty, !output.isEmpty { fragment.output += Array(format.separator.utf8) }
            fragment.output += output
            for problem in file.problems {
                fragment.status = .usageError
                if !format.containsErrors {
                    fragment.messages += Message.error(problem.message, hint: problem.hint)
                }
            }
        }
        hostsWithFiles = host
        return fragment
    }
}

/// Bare pins, or certificates in PEM: of files, and of trusted chains; with `--insecure`, of all chains.
final class InspectBare: InspectFormat {
    private let plan: InspectPlan

    init(_ plan: InspectPlan) { self.plan = plan }

    var start: String { "" }
    var separator: String { "" }
    var end: String { "" }
    var containsErrors: Bool { false }

    func output(for file: InspectedFile) -> [UInt8] {
        file.certificates.flatMap { contents(of: $0.certificate, isAuthority: $0.certificate.isCA) }
    }

    func fragment(for result: FetchResult) -> ReportFragment {
        var fragment = ReportFragment(status: result.status(acceptsUntrusted: plan.acceptsUntrusted))
        switch result.outcome {
        case .failure(let error): fragment.messages = result.message(error.message, hint: error.hint)
        case .success(let handshake):
            let chain = handshake.chain
            guard chain.isTrusted || plan.acceptsUntrusted else {
                fragment.messages = result.message(
                    "the chain is not trusted: \(chain.reason)",
                    hint: (UntrustedChainStep(plan.trust).text(for: chain).map { "\($0); " } ?? "")
                        + "use --insecure to print untrusted pins")
                break
            }
            let entries = chain.entries.filter(plan.selects)
            fragment.output = entries.flatMap { contents(of: $0.certificate, isAuthority: $0.role != .leaf) }
            fragment.noteMissingSelection(entries, of: result, chain)
        }
        return fragment
    }

    private func contents(of certificate: Certificate, isAuthority: Bool) -> [UInt8] {
        guard let spelling = plan.format.spelling else { return Array(PEM.certificate(certificate.der).utf8) }
        return Array((spelling.text(of: certificate.pin, isAuthority: isAuthority) + "\n").utf8)
    }
}
