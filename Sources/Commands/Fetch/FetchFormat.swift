internal import CommandSupport
internal import Encodings

/// Output formats of `fetch`.
enum FetchFormat: String, CaseIterable, Sendable {
    /// Text: each chain with its verdict.
    case text
    /// One JSON document for all hosts, or one line of JSON for each host.
    case json, ndjson
    /// A table with one row for each host: aligned, comma-separated (RFC 4180), or in Markdown.
    case table, csv, markdown
    /// A diagram of each chain: a tree in text, a flowchart in Mermaid, or an image.
    case tree, mermaid, svg
    /// Metrics about expiry and trust.
    case prometheus
    /// Bare pins in base64, or as the named platform or tool spells them.
    case pin, okhttp, curl, tlsa, hpkp, hex, android, apple
    /// Bare certificates.
    case der, pem, base64

    /// The spelling of bare pins; nil for another format.
    var spelling: PinSpelling? { PinSpelling(rawValue: rawValue) }

    /// Whether the format shows the chain with its verdict. Other formats print only trusted chains.
    var isReport: Bool {
        switch self {
        case .text, .json, .ndjson, .table, .csv, .markdown, .prometheus, .tree, .mermaid, .svg: true
        case .pin, .okhttp, .curl, .tlsa, .hpkp, .hex, .android, .apple, .der, .pem, .base64: false
        }
    }

    /// Whether the format draws the paths of each chain.
    var isDiagram: Bool { self == .tree || self == .mermaid || self == .svg }

    /// Whether the format has one row for each host, or for each group of hosts.
    var isTable: Bool { self == .table || self == .csv || self == .markdown }

    /// The format that a file name extension selects; nil if it is unknown.
    init?(ofFile path: String) {
        let known: [(suffix: String, format: FetchFormat)] = [
            (".der", .der), (".cer", .der), (".crt", .der), (".pem", .pem), (".json", .json), (".ndjson", .ndjson),
            (".svg", .svg), (".mmd", .mermaid), (".csv", .csv), (".md", .markdown), (".prom", .prometheus),
        ]
        guard let match = known.first(where: { path.lowercased().ends(with: $0.suffix) }) else { return nil }
        self = match.format
    }
}
