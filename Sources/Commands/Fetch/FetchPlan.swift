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

    let source: TargetSource
    let selections: [Selection]
    let format: FetchFormat
    let destination: Destination
    let acceptsUntrusted: Bool
    let connection: ConnectionOptions
    let trust: TrustSource
    let time: Timestamp?
    let load: LoadLimits
    let warnings: [String]

    init(_ values: Values, _ console: Console) throws(CommandError) {
        try StandardInput.checkReadOnce([
            ("--from", values[TargetFlags.from]), ("--anchors", values[TrustFlags.anchors]),
        ])
        source = try TargetSource(values, console)
        guard !source.isEmpty else { throw Self.noHost }
        selections = values[FetchCommand.select].isEmpty ? [.all] : values[FetchCommand.select]
        destination = Self.destination(values[FetchCommand.output])
        format =
            values.contains(TargetFlags.resume) ? .ndjson : Self.format(values[FetchCommand.format], for: destination)
        acceptsUntrusted = values[FetchCommand.insecure]
        time = values[TrustFlags.time]
        var connection = try ConnectionFlags.options(in: values)
        connection.allowsWeak = acceptsUntrusted
        self.connection = connection
        (trust, warnings) = try TrustFlags.source(in: values, console)
        load = try LoadFlags.load(in: values, hosts: source.bound)
        try Self.checkResume(values)
        try checkFormat(outputIsTerminal: console.isOutputTerminal)
        switch destination {
        case .standardOutput: break
        case .file(let path): try OutputFile.check(path)
        case .folder(let path): try OutputFile.checkFolder(path)
        }
    }

    static let noHost = CommandError(
        "there is no host to fetch from", hint: "give one, as in: pinctl fetch example.com"
    )

    /// Whether lines of bare material must say whose they are.
    var namesHosts: Bool { source.isList || source.given.count > 1 || connection.asksEveryAddress }

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

    private static func checkResume(_ values: Values) throws(CommandError) {
        guard let path = values[TargetFlags.resume], let format = values[FetchCommand.format], format != .ndjson else {
            return
        }
        throw CommandError(
            "\"--resume \(path)\" is written as ndjson, and not as \"\(format.rawValue)\"", hint: "leave --format out"
        )
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
        guard !namesHosts, selections.count == 1, selections.allSatisfy(\.isSingle) else {
            throw CommandError(
                "a DER file holds one certificate, and more than one may come",
                hint: "choose one with --select leaf, or give a folder: --output certs/"
            )
        }
    }
}
