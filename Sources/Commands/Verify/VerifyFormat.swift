/// What `verify` prints.
enum VerifyFormat: String, CaseIterable, Sendable {
    /// For people: a line for each host that matches, a block for each that does not.
    case text
    /// One document for all hosts, and one line a host.
    case json, ndjson
}
