internal import Arguments
internal import CommandSupport
internal import Fetching
internal import Pinning

/// `pinctl fetch`: connects to hosts and prints their chains, pins or certificates.
enum FetchCommand {
    static let format = Option.optional(
        "format", short: "f", takes: .choice(FetchFormat.self, "FORMAT"),
        help: "output format (default: text, or by the file name of --output)"
    )
    static let output = Option.optional(
        "output", short: "o", takes: Value.outputPath("PATH"), conflicts: [TargetFlags.resume],
        help: "write to a file, or one file per certificate to a folder (PATH/)"
    )
    static let tree = Option.flag(
        "tree", conflicts: [format, TargetFlags.resume],
        help: "draw each chain as a tree, with every path that validates; the same as --format tree")
    static let paths = Option.flag(
        "paths", help: "list every path that validates, and the pins that all of them contain (text, json and ndjson)")

    static let command = Command(
        "fetch", summary: "connect to hosts and print their certificate chains or pins", operands: TargetFlags.hosts,
        options: [
            OptionGroup(
                "Output", [ChainFlags.select, format, tree, output, paths, HTMLFile.option, ColorChoice.option]),
            OptionGroup("Filters and tables", FetchFilter.declared + FetchArrangement.declared),
            OptionGroup(
                "Trust",
                [
                    TrustFlags.anchors, TrustFlags.systemAnchors, TrustFlags.time, ChainFlags.fetchIssuers,
                    ChainFlags.certificateOnly, ChainFlags.insecure,
                ]),
            ConnectionFlags.group, ProxyFlags.group,
            TargetFlags.group(addresses: [TargetFlags.allAddresses]),
        ],
        mostUsed: [
            ChainFlags.select, format, output, TrustFlags.anchors, ChainFlags.insecure, TargetFlags.from,
            TargetFlags.resume,
        ],
        examples: [
            Example("pinctl fetch example.com", "the chain with its verdict and the pin of each certificate"),
            Example("pinctl fetch example.com --select root --format pin", "only the root's pin"),
            Example("pinctl fetch example.com --select leaf --format okhttp", "the leaf's pin as OkHttp spells it"),
            Example("pinctl fetch example.com --output certs/", "each certificate as a DER file"),
            Example("pinctl fetch smtp://mail.example.com", "a mail server with STARTTLS"),
            Example("pinctl fetch --from hosts.txt --format ndjson", "many hosts, one line of JSON for each"),
            Example(
                "pinctl fetch --from hosts.txt --resume results.ndjson",
                "the same, resumable"
            ),
            Example(
                "pinctl fetch staging.example.com --anchors ca.pem --connect-to 10.0.0.7:8443",
                "a server at another address, under a private CA"
            ),
            Example(
                "pinctl fetch --from hosts.txt --format csv --output chains.csv",
                "a table for a spreadsheet, one row for each host"),
            Example(
                "pinctl fetch --from hosts.txt --within 30 --format table --sort expiry",
                "the hosts whose chains expire within 30 days"),
            Example(
                "pinctl fetch --from hosts.txt --certificate-only --format ndjson",
                "an inventory that needs little processor time; it proves nothing about the servers"),
            Example("pinctl fetch example.com --tree", "the chain as a tree, with cross-signed certificates"),
            Example("pinctl fetch --from hosts.txt --html report.html", "many hosts, with a report to look at"),
            Example("pinctl fetch --proxy http://proxy.example.com:3128 api.example.com", "through a proxy"),
        ],
        notes: [
            Note(
                "Trust",
                "pinctl prints bare pins and certificates only from a trusted chain, unless --insecure is given. Up to TLS"
                    + " 1.2, it prints none of a CA if the server got no client certificate that it accepts and ended the handshake: nothing"
                    + " authenticated them then. The reports (text, json, ndjson) show every chain, with the reason if it is not trusted."
            ),
            Note(
                "Inventories",
                "--certificate-only reads the server's certificate message and closes the connection. The server has not proved then that"
                    + " it has the key: an attacker can send the public chain of any other server. So every result is marked (\"(not"
                    + " proven)\", in JSON \"proven\": false), whether or not the chain validates, and bare pins and certificates are not"
                    + " printed. Do not pin such a result."
            ),
            PinSpelling.note,
            Note(
                "Tables",
                "table, csv and markdown print one row for each host, and prometheus prints metrics about expiry and trust. The days are"
                    + " those until the first certificate of the chain expires, without the trust anchor. csv and markdown are written row"
                    + " by row; with --sort or --group-by, in table and in prometheus, at most \(FetchTableReport.maximumRows) hosts are kept"
                    + " in memory.",
                rows: ["columns of csv": FetchTableReport.csvTitles.joined(separator: ", ")]
            ),
            Note(
                "Selection of hosts",
                "--only and --within select the hosts that a report shows. All hosts count for the exit status. A terminal shows the columns"
                    + " of --format table that fit, first those of the host, its status and --sort.",
                rows: [
                    "trusted, untrusted": "the verdict on the chain",
                    "unreachable": "name resolution, connection or handshake failed",
                    "expired": "a certificate of the chain has expired",
                    "expiring": "a certificate of the chain expires within --within DAYS (default: 21)",
                    "weak-key": "a key with fewer than 2048 bits, or on a curve with fewer than 224",
                    "unknown-authority": "the trust store does not contain the CA",
                    "other words": "the code of a reason, as in JSON",
                ]
            ),
            ExitStatus.note(
                success: "every chain is trusted",
                failure: "a chain is not trusted, or --select matches none of its certificates",
                interrupted: "hosts in flight were finished and reported", writesFiles: true),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let plan = try FetchPlan(values, console)
        for warning in plan.warnings { console.writeError(Message.warning(warning)) }
        let all: any HostReport<FetchResult> =
            switch plan.format {
            case .text:
                FetchTextReport(plan, style: Style(values[ColorChoice.option], on: console), width: console.width)
            case .json, .ndjson: FetchJSONReport(plan)
            case .table, .csv, .markdown: FetchTableReport(plan, width: console.width)
            case .prometheus: FetchMetricsReport(plan)
            case .tree, .mermaid, .svg:
                FetchDiagramReport(plan, style: Style(values[ColorChoice.option], on: console), width: console.width)
            case .pin, .okhttp, .curl, .tlsa, .hpkp, .hex, .android, .apple, .der, .pem, .base64: FetchRawReport(plan)
            }
        let page = plan.html == nil ? nil : FetchPage(plan, all)
        let shown: any HostReport<FetchResult> = page ?? all
        let report = plan.filter.isEmpty ? shown : FilteredFetchReport(shown, plan)
        var run = HostRun<FetchResult>(
            source: plan.source, options: plan.connection, trust: TrustPolicy(plan.trust), time: plan.time,
            load: plan.load, console: console, noHostError: FetchPlan.noHostError, name: \.outcomeName,
            names: plan.connection.readsCertificateOnly ? FetchResult.unprovenOutcomeNames : FetchResult.outcomeNames
        )
        if case .file = plan.destination { run.summarizesFailure = plan.format.isReport }
        let output = ReportWriter(report, to: console, destination(plan))
        let status = try run.run(output) { _, _, result in result }
        if let page { try plan.html?.write(page.page(console), console) }
        if console.isErrorTerminal { writeNote(plan, output, all, console) }
        return status
    }

    /// Prints the message that lists the written files.
    private static func writeNote(
        _ plan: FetchPlan, _ output: ReportWriter<FetchResult>, _ report: any HostReport<FetchResult>,
        _ console: Console
    ) {
        switch plan.destination {
        case .folder(let folder):
            guard let count = (report as? FetchRawReport)?.fileCount, count > 0 else { return }
            console.writeError(Message.wrote(folder, files: count))
        case .file(let file) where output.hasFile: console.writeError(Message.wrote(file.path))
        default: break
        }
    }

    private static func destination(_ plan: FetchPlan) -> ReportWriter<FetchResult>.Destination {
        if let file = plan.source.resume { return .resumed(file) }
        if case .file(let file) = plan.destination { return .file(file) }
        return .console
    }
}
