internal import Arguments

/// What `--format` takes of a command that checks.
enum CheckFormat: String, CaseIterable, Sendable {
    /// For people.
    case text
    /// One document, and one object a line.
    case json, ndjson
    /// Documents for continuous integration and monitoring.
    case junit, sarif, github, prometheus

    /// The document that a ``CheckRun`` makes; nil for the forms that each command has of its own.
    var document: CheckDocument? {
        switch self {
        case .text, .json, .ndjson: nil
        case .junit: .junit
        case .sarif: .sarif
        case .github: .github
        case .prometheus: .prometheus
        }
    }

    static let option = Option.single(
        "format", short: "f", takes: .choice(CheckFormat.self, "FORMAT"), default: .text,
        help:
            "for people; for programs; for continuous integration (junit, sarif, github: workflow annotations) and Prometheus"
    )
}

/// The documents that are views of a ``CheckRun``.
enum CheckDocument: CaseIterable, Sendable {
    case junit, sarif, github, prometheus
}
