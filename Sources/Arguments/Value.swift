/// What an option or an operand takes: how it is called in help, what is expected of it, and how text becomes it.
package struct Value<Output: Sendable>: Sendable {
    let shape: ValueDescription
    let convert: @Sendable (String) throws(ValueError) -> Output?
    let spell: (@Sendable (Output) -> String)?

    /// - Parameters:
    ///   - placeholder: what stands for the value in help: `SECONDS`.
    ///   - expected: what completes the sentence "expected …": `a number of seconds above 0`.
    ///   - choices: words among the values, offered when one of them is mistyped; others may be accepted too.
    ///   - isPath: whether shells should offer files.
    ///   - convert: the value of a text; nil where it is not what is expected, a ``ValueError`` where more can be said.
    package init(
        _ placeholder: String,
        expected: String,
        choices: [String] = [],
        isPath: Bool = false,
        convert: @escaping @Sendable (String) throws(ValueError) -> Output?
    ) {
        let shape = ValueDescription(placeholder: placeholder, sentence: expected, choices: choices, isPath: isPath)
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

    /// The value of what was typed at a location.
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
    /// Any text, the empty one included.
    package static func text(_ placeholder: String) -> Value {
        Value(shape: ValueDescription(placeholder: placeholder, sentence: placeholder), spell: { $0 }, convert: { $0 })
    }

    /// The path of a file or a folder, be there one or not; `-` is a path too. Shells offer files for it.
    package static func path(_ placeholder: String) -> Value {
        let shape = ValueDescription(placeholder: placeholder, sentence: "a path", isPath: true)
        return Value(shape: shape, spell: { $0 }, convert: { $0.isEmpty ? nil : $0 })
    }
}

extension Value where Output == Int {
    /// A whole number within bounds, in decimal digits.
    package static func integer(_ placeholder: String, in range: ClosedRange<Int>) -> Value {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        let convert = { @Sendable (text: String) in Int(text).flatMap { range.contains($0) ? $0 : nil } }
        return Value(
            shape: ValueDescription(placeholder: placeholder, sentence: expected), spell: { String($0) },
            convert: convert)
    }
}

extension Value where Output: RawRepresentable<String> {
    /// One of these words and nothing else.
    package static func choice(_ choices: [Output], _ placeholder: String) -> Value {
        let shape = ValueDescription(placeholder: placeholder, choices: choices.map(\.rawValue), isClosed: true)
        let convert = { @Sendable (text: String) in choices.first { $0.rawValue == text } }
        return Value(shape: shape, spell: { $0.rawValue }, convert: convert)
    }
}

extension Value where Output: RawRepresentable<String> & CaseIterable {
    /// One word for each case of a type.
    package static func choice(_ type: Output.Type, _ placeholder: String) -> Value {
        choice(Array(type.allCases), placeholder)
    }
}

/// What help, errors and completion need to know of a value.
struct ValueDescription: Equatable, Sendable {
    let placeholder: String
    /// What is expected; empty where the choices are the whole of it, so that nothing is put together until somebody mistypes.
    var sentence = ""
    var choices: [String] = []
    /// Whether nothing but the choices is accepted, so that help may list them.
    var isClosed = false
    var isPath = false

    var expected: String { isClosed ? ErrorText.list(choices, "or") : sentence }
}

/// Why a text is no value, in the words of whoever reads it.
package struct ValueError: Error, Hashable, Sendable {
    /// What completes the sentence `"TYPED": …`: lower case, no full stop.
    package let reason: String
    /// What to do about it.
    package let hint: String?

    package init(_ reason: String, hint: String? = nil) {
        self.reason = reason
        self.hint = hint
    }
}
