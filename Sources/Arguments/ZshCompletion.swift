extension Completion {
    /// See zshcompsys(1), `_arguments` and `_describe`.
    static func zsh(_ tool: Tool) -> String {
        let name = tool.name
        let summaries = tool.commands.map { "        \(quoted("\($0.name):\($0.summary)"))\n" }.joined()
        return """
            #compdef \(name)

            _\(name)() {
                local curcontext=$curcontext state line
                local -a commands
                commands=(
            \(summaries)    )
                _arguments -C -s -S \\
            \(tool.options.flatMap { specifications($0, indent: 8) }.joined())        ': :->command' '*:: :->rest' && return
                case $state in
                    command) _describe -t commands command commands ;;
                    rest)
                        case $words[1] in
            \(tool.commands.map(arguments(of:)).joined())            esac ;;
                esac
            }

            if [[ $funcstack[1] == _\(name) ]]; then
                _\(name) "$@"
            else
                compdef _\(name) \(name)
            fi

            """
    }

    private static func arguments(of command: Command) -> String {
        var text = "                \(command.name)) _arguments -s -S \\\n"
        text += command.options.flatMap { specifications($0, indent: 20) }.joined()
        if let operand = command.operand {
            let star = operand.count.isMany ? "*" : ""
            text += "                    \(quoted("\(star):\(message(operand.value))")) \\\n"
        }
        return text + "                    ;;\n"
    }

    /// One specification for each spelling: the options that it excludes, the option, its help, and its value.
    private static func specifications(_ option: OptionDeclaration, indent: Int) -> [String] {
        let before = option.isRepeatable ? "*" : "(\(option.spellings.joined(separator: " ")))"
        let help = escaped(option.help, ["[", "]"])
        return option.spellings.map { spelling in
            var text = before + spelling
            if option.value != nil { text += spelling == option.spelling ? "=" : "+" }
            text += "[\(help)]"
            if let value = option.value { text += ":\(message(value))" }
            return String(repeating: " ", count: indent) + quoted(text) + " \\\n"
        }
    }

    /// The prompt, and the completions: files, words or none.
    private static func message(_ value: ValueDescription) -> String {
        let words = value.choices.isEmpty ? nil : "(\(value.choices.joined(separator: " ")))"
        return "\(escaped(value.placeholder, [":"])):\(value.isPath ? "_files" : words ?? " ")"
    }

    private static func escaped(_ text: String, _ special: Set<Character>) -> String {
        text.reduce(into: "") { $0 += special.contains($1) || $1 == "\\" ? "\\\($1)" : String($1) }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.reduce(into: "") { $0 += $1 == "'" ? "'\\''" : String($1) } + "'"
    }
}
