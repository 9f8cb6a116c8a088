/// Output formats of `challenge`.
enum ChallengeFormat: String, CaseIterable, Sendable {
    /// Text for people.
    case text
    /// One JSON document for all URLs, or one line of JSON for each URL.
    case json, ndjson
}
