internal import CommandSupport
internal import Encodings

/// Output formats of `fetch`.
enum FetchFormat: String, CaseIterable, Sendable {
    /// Text: each chain with its verdict.
    case text
    /// One JSON document for all hosts, or one line of JSON for each host.
    case json, ndjson
    /// Bare pins in base64, or as the named platform or tool spells them.
    case pin, okhttp, curl, tlsa, hpkp, hex, android, apple
    /// Bare certificates.
    case der, pem, base64

    /// The spelling of bare pins; nil for another format.
    var spelling: PinSpelling? { PinSpelling(rawValue: rawValue) }

    /// Whether the format shows the chain with its verdict. Other formats print only trusted chains.
    var isReport: Bool {
        switch self {
        case .text, .json, .ndjson: true
        case .pin, .okhttp, .curl, .tlsa, .hpkp, .hex, .android, .apple, .der, .pem, .base64: false
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
