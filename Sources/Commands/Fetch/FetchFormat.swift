/// What `fetch` prints.
enum FetchFormat: String, CaseIterable, Sendable {
    /// For people: each chain with its verdict.
    case text
    /// One document for all hosts, and one line a host.
    case json, ndjson
    /// Material: pins, or certificates in one form or another.
    case pin, der, pem, base64

    /// Whether it shows the chain with its verdict, whatever that is; the others give only what was vouched for.
    var isReport: Bool {
        switch self {
        case .text, .json, .ndjson: true
        case .pin, .der, .pem, .base64: false
        }
    }

    /// The format that a file's name asks for.
    init?(ofFile path: String) {
        let known: [(suffix: String, format: FetchFormat)] = [
            (".der", .der), (".cer", .der), (".crt", .der), (".pem", .pem), (".json", .json), (".ndjson", .ndjson),
        ]
        guard let match = known.first(where: { path.lowercased().hasSuffix($0.suffix) }) else { return nil }
        self = match.format
    }
}
