/// Where something stood on the command line, and what was typed there.
package struct ArgumentLocation: Hashable, Sendable {
    /// The index of the first word, counted from 0 after the program's name.
    package let position: Int
    /// The words as typed, with one space between an option and a value that was a word of its own: `--timeout 5`.
    package let text: String

    package init(position: Int, text: String) {
        self.position = position
        self.text = text
    }
}

/// One word of the command line, with where it stood.
struct Token: Equatable, Sendable {
    /// What the word looks like. What it is depends on the words before it: an option's value may look like anything.
    enum Shape: Equatable, Sendable {
        case operand
        /// `--`: nothing after it is an option (POSIX.1-2024, XBD 12.2, guideline 10).
        case terminator
        /// `--name` or `--name=value`. The value of `--name=` is empty, which is not the same as none.
        case long(name: String, value: String?)
        /// `-x`, `-xy`, `-xVALUE`: the scalars after the dash, of which there is at least one.
        case short([Unicode.Scalar])
    }

    let position: Int
    let text: String

    var location: ArgumentLocation { ArgumentLocation(position: position, text: text) }

    static func tokens(of arguments: [String]) -> [Token] {
        arguments.enumerated().map { Token(position: $0.offset, text: $0.element) }
    }

    /// Taken apart by scalar: a combining character after `-` or `=` would join it to one `Character` that is neither.
    var shape: Shape {
        let scalars = text.unicodeScalars
        guard scalars.first == "-", scalars.count > 1 else { return .operand }
        guard scalars.dropFirst().first == "-" else { return .short(Array(scalars.dropFirst())) }
        let body = scalars.dropFirst(2)
        guard !body.isEmpty else { return .terminator }
        guard let sign = body.firstIndex(of: "=") else { return .long(name: String(body), value: nil) }
        return .long(name: String(body[..<sign]), value: String(body[sign...].dropFirst()))
    }
}
