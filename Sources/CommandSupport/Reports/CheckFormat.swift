package import Arguments
package import CheckReports

/// Formats of `--format` for the commands that check something.
package enum CheckFormat: String, CaseIterable, Sendable {
    /// Text for people.
    case text
    /// One JSON document, or one JSON object per line.
    case json, ndjson
    /// Documents for continuous integration (CI) and monitoring.
    case junit, sarif, github, prometheus

    /// The document format that is written from a ``CheckRun``; nil for the formats that each command writes itself.
    package var document: CheckDocument? {
        switch self {
        case .text, .json, .ndjson: nil
        case .junit: .junit
        case .sarif: .sarif
        case .github: .github
        case .prometheus: .prometheus
        }
    }

    package static let option = Option.single(
        "format", short: "f", takes: .choice(CheckFormat.self, "FORMAT"), default: .text,
        help:
            "text for people, json or ndjson for programs, junit, sarif or github (annotations) for CI, or prometheus metrics"
    )
}
