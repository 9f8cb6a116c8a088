extension Tool {
    /// Contradictions in the declarations, one sentence each.
    ///
    /// Parsing does not look for them, because they do not depend on a command line. A test of the tool should check that there are
    /// none.
    package var declarationErrors: [String] {
        let names = Self.repeated(commands.map(\.name)).map { "\(name) has two commands \"\($0)\"" }
        return names + commands.flatMap(declarationErrors(of:))
    }

    private func declarationErrors(of command: Command) -> [String] {
        let options = command.options
        let doubles = Self.repeated(options.map(\.spelling) + options.compactMap { $0.short.map { "-\($0)" } })
        let ill = options.filter { !Self.isWellFormed($0) }
        return doubles.map { "\(command.name) has two options \"\($0)\"" }
            + ill.map { "\(command.name) has an option that cannot be typed: \"\($0.spelling)\"" }
    }

    private static func repeated(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { !seen.insert($0).inserted }
    }

    private static func isWellFormed(_ option: OptionDeclaration) -> Bool {
        let isName = option.name.utf8.first != UInt8(ascii: "-") && !option.name.isEmpty && !option.name.contains("=")
        return isName && option.short != "-" && option.short != "="
    }
}
