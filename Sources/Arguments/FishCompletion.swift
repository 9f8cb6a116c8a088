extension Completion {
    /// See complete(1) in the manual of fish.
    static func fish(_ tool: Tool) -> String {
        let name = tool.name
        var lines = [
            "function __\(name)_is",
            "    set -l words (commandline -opc)",
            "    set -e words[1]",
            "    set -l command (string match -v -- '-*' $words)",
            "    test \"$command[1]\" = \"$argv[1]\"",
            "end",
            "complete -c \(name) -f",
        ]
        let outside = "complete -c \(name) -n \"__\(name)_is ''\""
        lines += tool.commands.map { "\(outside) -a \($0.name) -d \(quoted($0.summary))" }
        lines += tool.options.map { "\(outside)\(switches($0))" }
        for command in tool.commands {
            let inside = "complete -c \(name) -n '__\(name)_is \(command.name)'"
            lines += command.options.map { inside + switches($0) }
            if let value = command.operand?.value, let offer = offer(value) { lines.append(inside + offer) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func switches(_ option: OptionDeclaration) -> String {
        let short = option.short.map { " -s \($0)" } ?? ""
        let value = option.value.map { ($0.isPath ? " -r" : " -x") + (offer($0) ?? "") } ?? ""
        return "\(short) -l \(option.name)\(value) -d \(quoted(option.help))"
    }

    private static func offer(_ value: ValueDescription) -> String? {
        let words = value.choices.isEmpty ? "" : " -a \(quoted(value.choices.joined(separator: " ")))"
        let files = value.isPath ? " -F" : ""
        return words.isEmpty && files.isEmpty ? nil : words + files
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.reduce(into: "") { $0 += $1 == "'" || $1 == "\\" ? "\\\($1)" : String($1) } + "'"
    }
}
