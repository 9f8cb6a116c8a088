internal import Encodings

/// The value of an option or an operand: its name in help, the expected form, and the conversion from text.
package struct Value<Output: Sendable>: Sendable {
    let shape: ValueDescription
    let convert: @Sendable (String) throws(ValueError) -> Output?
    let spell: (@Sendable (Output) -> String)?

    /// - Parameters:
    ///   - placeholder: the name of the value in help: `SECONDS`.
    ///   - expected: the end of the sentence "expected …": `a number of seconds above 0`.
    ///   - choices: words to suggest if one of them is mistyped; other values may be valid.
    ///   - isPath: whether the value is the path of an input, so that shells offer files.
    ///   - convert: converts a text. It returns nil if the text does not have the expected form, and throws a ``ValueError`` if it
    ///     knows a more precise reason.
    package init(
        _ placeholder: String,
        expected: String,
        choices: [String] = [],
        isPath: Bool = false,
        convert: @escaping @Sendable (String) throws(ValueError) -> Output?
    ) {
        let shape = ValueDescription(
            placeholder: placeholder, sentence: expected, choices: choices, pathUse: isPath ? .reads : nil)
        self.init(shape: shape, spell: nil, convert: convert)
    }

    private init(
        shape: ValueDescription,
        spell: (@Sendable (Output) -> String)?,
        convert: @escaping @Sendable (String) throws(ValueError) -> Output?
    ) {
        self.shape = shape
        self.spell = spell
        self.convert = convert
    }

    /// Converts the text at a location.
    func read(_ text: String, at location: ArgumentLocation) throws(ArgumentError) -> Output {
        let output: Output?
        do throws(ValueError) {
            output = try convert(text)
        } catch {
            throw .rejected(location, error)
        }
        guard let output else {
            let nearest = Suggestion.nearest(to: text, among: shape.choices)
            throw .invalidValue(location, expected: shape.expected, suggestions: nearest)
        }
        return output
    }
}

extension Value where Output == String {
    /// Any text, including an empty one.
    package static func text(_ placeholder: String) -> Value {
        Value(shape: ValueDescription(placeholder: placeholder, sentence: placeholder), spell: { $0 }, convert: { $0 })
    }

    /// Any text that may contain a password. No error shows it.
    package static func secret(_ placeholder: String) -> Value {
        let shape = ValueDescription(placeholder: placeholder, sentence: placeholder, isSecret: true)
        return Value(shape: shape, spell: nil, convert: { $0 })
    }

    /// The path of a file or a folder that the command reads, or changes on purpose; `-` is a path, too. It need not exist. Shells
    /// complete file names for it.
    package static func path(_ placeholder: String) -> Value { path(placeholder, .reads) }

    /// The path of a file with passwords. The command must not read this file for another purpose. Everything else is as in
    /// ``path(_:)``.
    package static func passwordPath(_ placeholder: String) -> Value { path(placeholder, .readsPasswords) }

    /// The path of an output, which may replace a file or be appended to it. Everything else is as in ``path(_:)``.
    package static func outputPath(_ placeholder: String) -> Value { path(placeholder, .writes) }

    private static func path(_ placeholder: String, _ use: PathUse) -> Value {
        // A password in the place of its file is a mistake that no error should show.
        let shape = ValueDescription(
            placeholder: placeholder, sentence: "a path", pathUse: use, isSecret: use == .readsPasswords)
        return Value(shape: shape, spell: { $0 }, convert: { $0.isEmpty ? nil : $0 })
    }
}

extension Value where Output == Int {
    /// A whole number in a range, in decimal digits.
    package static func integer(_ placeholder: String, in range: ClosedRange<Int>) -> Value {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        let convert = { @Sendable (text: String) in Int(text).flatMap { range.contains($0) ? $0 : nil } }
        return Value(
            shape: ValueDescription(placeholder: placeholder, sentence: expected), spell: { String($0) },
            convert: convert)
    }
}

extension Value where Output: RawRepresentable<String> {
    /// One word of a list.
    package static func choice(_ choices: [Output], _ placeholder: String) -> Value {
        // A closure, because generic code creates a key path at run time.
        let shape = ValueDescription(placeholder: placeholder, choices: choices.map { $0.rawValue }, isClosed: true)
        let convert = { @Sendable (text: String) in choices.first { $0.rawValue == text } }
        return Value(shape: shape, spell: { $0.rawValue }, convert: convert)
    }
}

extension Value where Output: RawRepresentable<String> & CaseIterable {
    /// A case of an enumeration, given as its raw value.
    package static func choice(_ type: Output.Type, _ placeholder: String) -> Value {
        choice(Array(type.allCases), placeholder)
    }
}

extension Value {
    /// Words of a list, separated by commas.
    package static func list<Choice: RawRepresentable<String> & Sendable>(
        _ choices: [Choice], _ placeholder: String
    ) -> Value where Output == [Choice] {
        let shape = ValueDescription(placeholder: placeholder, choices: choices.map { $0.rawValue }, isClosed: true)
        let convert = { @Sendable (text: String) throws(ValueError) -> [Choice]? in
            let words = text.parts(separatedBy: ",").map(String.init)
            var output: [Choice] = []
            for word in words {
                if let choice = choices.first(where: { $0.rawValue == word }) {
                    output.append(choice)
                } else {
                    // Without a comma, the whole text is the mistake.
                    guard words.count > 1 else { return nil }
                    let nearest = Suggestion.nearest(to: word, among: shape.choices)
                    throw ValueError(
                        "expected \(shape.expected), separated by commas; \"\(word)\" is unknown",
                        hint: nearest.first.map { "did you mean \"\($0)\"?" })
                }
            }
            return output
        }
        return Value(shape: shape, spell: { $0.map(\.rawValue).joined(separator: ",") }, convert: convert)
    }
}

/// Description of a value for help, errors and completion.
struct ValueDescription: Equatable, Sendable {
    let placeholder: String
    /// The expected form; empty if it follows from the choices.
    var sentence = ""
    var choices: [String] = []
    /// Whether the choices are the only valid values, so that help lists them.
    var isClosed = false
    /// What the command does with the file; nil if the value is not a path.
    var pathUse: PathUse?
    /// Whether errors show the placeholder in place of the value.
    var isSecret = false

    var isPath: Bool { pathUse != nil }

    var expected: String {
        guard isClosed else { return sentence }
        guard let last = choices.last, choices.count > 1 else { return choices.first ?? "" }
        return "\(choices.dropLast().joined(separator: ", ")) or \(last)"
    }
}

/// Why a value is invalid, in the command's words.
package struct ValueError: Error, Hashable, Sendable {
    /// The end of the sentence `"TYPED": …`, in lower case without a full stop.
    package let reason: String
    /// The next step.
    package let hint: String?
    /// Whether the value is a target, so that the text before an `@` is a user and is not shown.
    package let isAboutTarget: Bool

    package init(_ reason: String, hint: String? = nil, isAboutTarget: Bool = false) {
        self.reason = reason
        self.hint = hint
        self.isAboutTarget = isAboutTarget
    }
}
