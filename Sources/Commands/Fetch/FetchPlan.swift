internal import Arguments
internal import Fetching
internal import Pinning

/// A `fetch` that can be carried out: whatever can be refused has been, before a packet leaves.
struct FetchPlan {
    enum Destination {
        case standardOutput
        case file(String)
        case folder(String)
    }

    let targets: [Target]
    let selections: [Selection]
    let format: FetchFormat
    let destination: Destination
    let acceptsUntrusted: Bool
    let connection: ConnectionOptions
    let trust: TrustSource
    let time: Timestamp?
    let jobs: Int
    let warnings: [String]

    init(_ values: Values, outputIsTerminal: Bool) throws(CommandError) {
        targets = try TargetFlags.targets(in: values)
        guard !targets.isEmpty else {
            throw CommandError("there is no host to fetch from", hint: "give one, as in: pinctl fetch example.com")
        }
        selections = values[FetchCommand.select].isEmpty ? [.all] : values[FetchCommand.select]
        destination = Self.destination(values[FetchCommand.output])
        format = Self.format(values[FetchCommand.format], for: destination)
        acceptsUntrusted = values[FetchCommand.insecure]
        time = values[TrustFlags.time]
        jobs = min(values[TargetFlags.jobs], targets.count)
        var connection = try ConnectionFlags.options(in: values)
        connection.allowsWeak = acceptsUntrusted
        self.connection = connection
        (trust, warnings) = try TrustFlags.source(in: values)
        try checkFormat(outputIsTerminal: outputIsTerminal)
        switch destination {
        case .standardOutput: break
        case .file(let path): try OutputFile.check(path)
        case .folder(let path): try OutputFile.checkFolder(path)
        }
        try TargetFlags.reserveDescriptors(forJobs: jobs)
    }

    /// Whether any of the selections takes this certificate.
    func selects(_ entry: Chain.Entry) -> Bool { selections.contains { $0.includes(entry) } }

    private static func destination(_ path: String?) -> Destination {
        guard let path, path != "-" else { return .standardOutput }
        return path.hasSuffix("/") || InputFile.isFolder(path) ? .folder(path) : .file(path)
    }

    private static func format(_ given: FetchFormat?, for destination: Destination) -> FetchFormat {
        if let given { return given }
        switch destination {
        case .standardOutput: return .text
        case .file(let path): return FetchFormat(ofFile: path) ?? .text
        case .folder: return .der
        }
    }

    private func checkFormat(outputIsTerminal: Bool) throws(CommandError) {
        if case .folder(let path) = destination, format.isReport {
            throw CommandError(
                "\"--output \(path)\" is a folder, and \"\(format.rawValue)\" is one report for all",
                hint: "give a file, or a format with a file a certificate: der, pem, base64 or pin"
            )
        }
        guard format == .der else { return }
        if case .folder = destination { return }
        if case .standardOutput = destination, outputIsTerminal {
            throw CommandError(
                "DER is binary, and standard output is a terminal",
                hint: "give --output FILE, or --format pem"
            )
        }
        guard targets.count == 1, selections.count == 1, selections.allSatisfy(\.isSingle) else {
            throw CommandError(
                "a DER file holds one certificate, and more than one may come",
                hint: "choose one with --select leaf, or give a folder: --output certs/"
            )
        }
    }
}
