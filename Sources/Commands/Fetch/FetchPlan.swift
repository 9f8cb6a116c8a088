internal import Arguments
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import Pinning

/// The validated input of `fetch`. Its initializer reports every usage error before the first connection.
struct FetchPlan {
    enum Destination {
        case standardOutput
        case file(OutputFile)
        case folder(String)
    }

    let source: TargetSource
    let selections: [ChainSelection]
    let format: FetchFormat
    let filter: FetchFilter
    let arrangement: FetchArrangement
    let destination: Destination
    /// The files of the folder of ``destination`` before the first connection.
    let snapshot: FolderSnapshot?
    /// The file of the report for people; nil without `--html`.
    let html: HTMLFile?
    let acceptsUntrusted: Bool
    let connection: ConnectionOptions
    let trust: TrustSource
    let time: Timestamp?
    let load: LoadLimits
    let warnings: [String]

    init(_ values: Values, _ console: Console) throws(CommandError) {
        try StandardInput.checkReadOnce(
            [("--from", values[TargetFlags.from]), ("--anchors", values[TrustFlags.anchors])]
                + ConnectionFlags.files(in: values))
        source = try TargetSource(values, of: .fetch, console)
        guard !source.isEmpty else { throw Self.noHostError }
        filter = FetchFilter(values)
        arrangement = FetchArrangement(values)
        selections = ChainFlags.selections(in: values)
        destination = try Self.destination(values[FetchCommand.output])
        html = try HTMLFile.file(in: values)
        format =
            values.contains(TargetFlags.resume)
            ? .ndjson
            : values[FetchCommand.tree] ? .tree : Self.format(values[FetchCommand.format], for: destination)
        snapshot =
            if case .folder(let path) = destination { FolderSnapshot(of: path, suffix: ".\(format.rawValue)") } else {
                nil
            }
        acceptsUntrusted = values[ChainFlags.insecure]
        time = values[TrustFlags.time]
        var connection = try ConnectionFlags.options(in: values, console)
        connection.allowsWeak = acceptsUntrusted
        connection.fetchesIssuers = values[ChainFlags.fetchIssuers]
        connection.readsCertificateOnly = values[ChainFlags.certificateOnly]
        connection.findsAllPaths = values[FetchCommand.paths] || format.isDiagram
        self.connection = connection
        (trust, warnings) = try TrustFlags.source(in: values, console)
        load = try LoadFlags.load(
            in: values, hosts: source.bound, asksEveryAddress: values.contains(TargetFlags.allAddresses))
        try Self.checkResume(values)
        try checkFormat(outputIsTerminal: console.isOutputTerminal)
        switch destination {
        case .standardOutput, .file: break
        case .folder(let path): try OutputFile.checkFolder(path)
        }
    }

    static let noHostError = CommandError(
        "no host to fetch from", hint: "add a host, as in: pinctl fetch example.com"
    )

    /// Whether each line of bare pins or certificates also contains the host.
    var namesHosts: Bool { source.isList || source.given.count > 1 || connection.asksEveryAddress }

    /// Whether a selection includes this certificate.
    func selects(_ entry: CertificateChain.Entry) -> Bool { selections.contains { $0.includes(entry) } }

    private static func destination(_ path: String?) throws(CommandError) -> Destination {
        guard let path, path != "-" else { return .standardOutput }
        return path.ends(with: "/") || InputFile.isFolder(path) ? .folder(path) : .file(try OutputFile(path))
    }

    private static func format(_ given: FetchFormat?, for destination: Destination) -> FetchFormat {
        if let given { return given }
        switch destination {
        case .standardOutput: return .text
        case .file(let file): return FetchFormat(ofFile: file.path) ?? .text
        case .folder: return .der
        }
    }

    private static func checkResume(_ values: Values) throws(CommandError) {
        guard let path = values[TargetFlags.resume], let format = values[FetchCommand.format], format != .ndjson else {
            return
        }
        throw CommandError(
            "\"--resume \(path)\" is written as ndjson: \"--format \(format.rawValue)\" is not possible",
            hint: "omit --format"
        )
    }

    private func checkFormat(outputIsTerminal: Bool) throws(CommandError) {
        if case .folder(let path) = destination, format.isReport {
            throw CommandError(
                "\"--output \(path)\" is a folder: \"--format \(format.rawValue)\" writes one report",
                hint: "use a file, or a format with one file per certificate: der, pem, base64 or pin"
            )
        }
        if connection.readsCertificateOnly, !format.isReport {
            throw CommandError(
                "\"--certificate-only\" is not possible with \"--format \(format.rawValue)\": bare pins and certificates have no place for"
                    + " the mark that the server proved nothing",
                hint: "use --format ndjson, which contains them with \"proven\": false")
        }
        if arrangement.needsAllRows, !format.isTable {
            throw CommandError(
                "\"--group-by\" and \"--sort\" have no effect with \"--format \(format.rawValue)\"",
                hint: "use --format table, csv or markdown")
        }
        if arrangement.group != nil, arrangement.order != nil {
            throw CommandError(
                "\"--sort\" has no effect with \"--group-by\": the groups are sorted by their size",
                hint: "remove one of the two options")
        }
        if !selections.contains(.all), format.isTable || format.isDiagram || format == .prometheus {
            throw CommandError(
                "\"--select\" has no effect with \"--format \(format.rawValue)\"", hint: "remove --select")
        }
        if connection.findsAllPaths, !format.isDiagram, ![.text, .json, .ndjson].contains(format) {
            throw CommandError(
                "\"--paths\" has no effect with \"--format \(format.rawValue)\"",
                hint: "use --format text, json or ndjson")
        }
        guard format != .svg || !namesHosts && connection.keyTypes != .all else {
            throw CommandError(
                "an SVG file holds one diagram: more than one host was given", hint: "use --format mermaid or --tree")
        }
        guard format == .der else { return }
        if case .folder = destination { return }
        if case .standardOutput = destination, outputIsTerminal {
            throw CommandError(
                "DER is binary: standard output is a terminal",
                hint: "use --output FILE or --format pem"
            )
        }
        guard !namesHosts, connection.keyTypes != .all, selections.count == 1, selections.allSatisfy(\.isSingle) else {
            throw CommandError(
                "a DER file holds one certificate: more than one may be selected",
                hint: "use --select leaf, or a folder: --output certs/"
            )
        }
    }
}
