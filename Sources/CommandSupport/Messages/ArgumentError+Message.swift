package import Arguments
internal import Encodings

extension ArgumentError {
    /// One sentence: lower case, no full stop, with the typed text in quotes.
    package var message: String {
        switch self {
        case .missingCommand(let after, _):
            "a command is expected after \(after.shown.quoted)"
        case .unknownCommand(let word, _, _):
            "unknown command \(word.shown.quoted)"
        case .unknownOption(let spelling, let typed, let scope, _):
            "\(scope.name) has no option \(ArgumentErrorText.quote(spelling, in: typed.shown))"
        case .missingValue(let spelling, let expected):
            "\(spelling.quoted) needs a value: \(expected)"
        case .valueIsOption(let spelling, let next):
            "\(spelling.quoted) needs a value, but \(ArgumentErrorText.withoutValue(next.shown).quoted) follows it"
        case .unexpectedValue(let typed, let spelling):
            "\(ArgumentErrorText.withoutValue(typed.shown).quoted): \(spelling) takes no value"
        case .invalidValue(let typed, let expected, _):
            "\(typed.shown.quoted): expected \(expected)"
        case .rejected(let typed, let refusal):
            "\((refusal.isAboutTarget ? typed.text.targetWithoutUserInfo : typed.shown).quoted): \(refusal.reason)"
        case .givenTwice(let spelling, let first, let second):
            "\(spelling.quoted) was given twice: \(first.shown.quoted) and \(second.shown.quoted)"
        case .conflict(let one, let two):
            "\(one.quoted) and \(two.quoted) cannot be used together"
        case .missingOption(let usage, let scope):
            "\(scope.name) needs the option \(usage.quoted)"
        case .missingOperand(let placeholder, let count, let scope):
            "\(scope.name) needs \(count == .some ? "at least one" : "one") \(placeholder), but none was given"
        case .unexpectedOperand(let word, let placeholder, let count, let scope):
            "unexpected \(word.shown.quoted): \(scope.name) takes \(ArgumentErrorText.limit(placeholder, count))"
        case .invalidCombination(let refusal):
            refusal.reason
        }
    }

    /// The next step, if there is one.
    package var hint: String? {
        switch self {
        case .missingCommand(_, let scope):
            ArgumentErrorText.commands(of: scope)
        case .unknownCommand(_, let suggestions, let scope):
            ArgumentErrorText.didYouMean(suggestions) ?? ArgumentErrorText.commands(of: scope)
        case .unknownOption(let spelling, let typed, let scope, let remedy):
            ForeignOption.hint(for: spelling.utf8.starts(with: "--".utf8) ? spelling : typed.text, in: scope.command)
                ?? ArgumentErrorText.remedy(remedy, for: spelling, scope)
        case .valueIsOption(let spelling, let next):
            ArgumentErrorText.joining(spelling, ArgumentErrorText.withoutValue(next.shown))
        case .unexpectedValue(_, let spelling):
            "write \(spelling.quoted) without a value, or omit it"
        case .invalidValue(let typed, _, let suggestions):
            ForeignOption.hint(for: typed.text, in: nil) ?? ArgumentErrorText.didYouMean(suggestions)
        case .givenTwice:
            "remove one of them"
        case .missingOption(_, let scope), .missingOperand(_, _, let scope), .unexpectedOperand(_, _, _, let scope):
            "run \("\(scope.line) --help".quoted) for the usage"
        case .rejected(_, let refusal), .invalidCombination(let refusal):
            refusal.hint
        case .missingValue, .conflict:
            nil
        }
    }
}

/// Phrases that several sentences use.
private enum ArgumentErrorText {
    static func didYouMean(_ suggestions: [String]) -> String? {
        guard !suggestions.isEmpty else { return nil }
        return "did you mean \(suggestions.map(\.quoted).joined(conjunction: "or"))?"
    }

    static func commands(of scope: Scope) -> String {
        "run \("\(scope.tool) help".quoted) to list the commands"
    }

    static func options(of scope: Scope) -> String {
        guard scope.command == nil else { return "run \("\(scope.line) --help".quoted) to list the options" }
        return "write options after the command: \("\(scope.tool) COMMAND [OPTIONS]".quoted)"
    }

    /// A long option. For short options that are joined in one word, this option and the word up to it. A value is left out, because
    /// that of an unknown option may be a password: `--pasword=SECRET`, and `-pSECRET` as in mysql(1).
    static func quote(_ spelling: String, in typed: String) -> String {
        let shown = withoutValue(typed)
        let isName = spelling.unicodeScalars.count > 2
        if shown == spelling || spelling.utf8.starts(with: "--".utf8) { return shown.quoted }
        // A known option of another tool, such as `-CAfile`, is no value.
        guard !isName, !ForeignOption.all.contains(where: { $0.words.contains(typed) }) else {
            return "\(spelling.quoted) (in \(shown.quoted))"
        }
        let scalars = shown.unicodeScalars
        guard let letter = spelling.unicodeScalars.last, let index = scalars.dropFirst().firstIndex(of: letter),
            case let next = scalars.index(after: index), next < scalars.endIndex
        else { return "\(spelling.quoted) (in \(shown.quoted))" }
        return "\(spelling.quoted) (in \"\(String(scalars[..<next]).escaped)…\")"
    }

    /// The words with `…` in place of the text after the first `=`.
    static func withoutValue(_ typed: String) -> String {
        guard let parts = typed.divided(atFirst: "="), !parts.after.isEmpty else { return typed }
        return "\(parts.before)=…"
    }

    /// The hint that the next word may be the value.
    static func joining(_ spelling: String, _ next: String) -> String {
        "if \(next.quoted) is the value, write \((spelling + joint(spelling) + next).quoted)"
    }

    static func remedy(_ remedy: ArgumentError.Remedy, for spelling: String, _ scope: Scope) -> String {
        switch remedy {
        case .suggestions(let suggestions):
            didYouMean(suggestions) ?? options(of: scope)
        case .owners(let owners, _) where scope.command == nil:
            "write \(spelling.quoted) after the command: it is an option of \(owners.joined(conjunction: "and"))"
        case .owners(let owners, let suggestions):
            (didYouMean(suggestions).map { "\($0) " } ?? "")
                + "\(spelling.quoted) is an option of \(owners.joined(conjunction: "and"))"
        case .beforeCommand:
            "use \(spelling.quoted) without a command: \("\(scope.tool) \(spelling)".quoted)"
        }
    }

    /// Separator between an option and a value that looks like an option: `--output=--x`, but `-o--x`.
    static func joint(_ spelling: String) -> String {
        spelling.utf8.starts(with: "--".utf8) ? "=" : ""
    }

    static func limit(_ placeholder: String?, _ count: OperandCount?) -> String {
        guard let placeholder, let count else { return "no operands" }
        return count == .optional ? "at most one \(placeholder)" : "one \(placeholder)"
    }
}

extension ArgumentLocation {
    /// The words as messages show them: without the user and the password of a URL.
    package var shown: String { text.withoutUserInfo }
}
