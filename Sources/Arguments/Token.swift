internal import Encodings

/// Position and text of an argument or an option on the command line.
package struct ArgumentLocation: Hashable, Sendable {
    /// Index of the first word; 0 is the word after the program's name.
    package let position: Int
    /// The words as typed. One space separates an option from a value in the next word: `--timeout 5`.
    package let text: String

    package init(position: Int, text: String) {
        self.position = position
        self.text = text
    }
}

/// One word of the command line.
struct Token: Equatable, Sendable {
    /// Syntax of the word. Its meaning depends on the words before it, because an option's value can have any form.
    enum Shape: Equatable, Sendable {
        case operand
        /// `--`: the words after it are operands (POSIX.1-2024, XBD 12.2, guideline 10).
        case terminator
        /// `--name` or `--name=value`. The value of `--name=` is empty, not nil.
        case long(name: String, value: String?)
        /// `-x`, `-xy`, `-xVALUE`: the scalars after the dash, at least one.
        case short([Unicode.Scalar])
    }

    let position: Int
    let text: String

    var location: ArgumentLocation { ArgumentLocation(position: position, text: text) }

    static func tokens(of arguments: [String]) -> [Token] {
        arguments.enumerated().map { Token(position: $0.offset, text: $0.element) }
    }

    /// Divides by scalars, because a combining character after `-` or `=` forms one `Character` with it.
    var shape: Shape {
        let scalars = text.unicodeScalars
        guard scalars.first == "-", scalars.count > 1 else { return .operand }
        guard scalars.dropFirst().first == "-" else { return .short(Array(scalars.dropFirst())) }
        let body = String(scalars.dropFirst(2))
        guard !body.isEmpty else { return .terminator }
        guard let (name, value) = body.divided(atFirst: "=") else { return .long(name: body, value: nil) }
        return .long(name: String(name), value: String(value))
    }
}

extension String {
    /// The word as messages show it. An empty word is shown as `''`, because it would be invisible.
    var shown: String { isEmpty ? "''" : self }
}
