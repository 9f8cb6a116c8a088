package import Arguments

/// Value of `--color`.
package enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never

    package static let option = Option.single(
        "color", takes: .choice(ColorChoice.self, "WHEN"), default: .auto,
        help: "when to colour the report; auto: on a terminal, unless NO_COLOR is set"
    )
}

/// Colours of a report for people (ECMA-48, SGR), or none.
package struct Style {
    package enum Emphasis: String {
        case good = "32"
        case bad = "31"
        case careful = "33"
        case strong = "1"
        case quiet = "2"
    }

    package let isColored: Bool
    /// Whether the report goes to a terminal that shows UTF-8.
    package let showsUnicode: Bool

    package init(_ choice: ColorChoice, on console: Console) {
        isColored =
            switch choice {
            case .auto: console.prefersColor
            case .always: true
            case .never: false
            }
        showsUnicode = console.isOutputTerminal && console.usesUTF8
    }

    package func callAsFunction(_ emphasis: Emphasis, _ text: String) -> String {
        isColored ? "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m" : text
    }
}
