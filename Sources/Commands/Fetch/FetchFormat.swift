internal import CommandSupport
internal import Encodings

/// Output formats of `fetch`.
enum FetchFormat: String, CaseIterable, Sendable {
    /// Text: each chain with its verdict.
    case text
    /// One JSON document for all hosts, or one line of JSON for each host.
    case json, ndjson
    /// Bare pins or certificates.
    case pin, der, pem, base64

    /// Whether the format shows the chain with its verdict. Other formats print only trusted chains.
    var isReport: Bool {
        switch self {
        case .text, .json, .ndjson: true
        case .pin, .der, .pem, .base64: false
        }
    }

    /// The format that a file name extension selects; nil if it is unknown.
    init?(ofFile path: String) {
        let known: [(suffix: String, format: FetchFormat)] = [
            (".der", .der), (".cer", .der), (".crt", .der), (".pem", .pem), (".json", .json), (".ndjson", .ndjson),
        ]
        guard let match = known.first(where: { path.lowercased().hasSuffix($0.suffix) }) else { return nil }
        self = match.format
    }
}
