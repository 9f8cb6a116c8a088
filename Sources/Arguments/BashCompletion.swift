extension Completion {
    /// For bash 3.2, which macOS has, and later (bash(1), "Programmable Completion").
    static func bash(_ tool: Tool) -> String {
        let values = tool.commands.flatMap { command in
            command.options.compactMap { option in option.value.map { (command, option, $0) } }
        }
        let names = tool.commands.map(\.name).joined(separator: " ")
        return """
            _\(tool.name)() {
                local index word command= ended= words= files=
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
                # The shell splits --option=value into three words.
                if [[ $current == '=' ]]; then
                    current=
                elif [[ $previous == '=' ]]; then
                    previous=${COMP_WORDS[COMP_CWORD-2]}
                fi
                for ((index = 1; index < COMP_CWORD; index++)); do
                    word=${COMP_WORDS[index]}
                    if [[ $word == -- ]]; then
                        ended=yes
                    elif [[ -z $command && $word != -* ]]; then
                        command=$word
                    fi
                done
                case $ended$command:$previous in
            \(values.map(valueCase).joined())        *)
                        case $ended$command:$current in
                            :-*) words='\(long(tool.options))' ;;
                            :* | yes:*) words='\(names)' ;;
            \(tool.commands.map(wordCase).joined())            esac ;;
                esac
                COMPREPLY=($(compgen -W "$words" -- "$current"))
                if [[ -n $files ]]; then
                    compopt -o filenames 2>/dev/null
                    while IFS= read -r word; do
                        COMPREPLY+=("$word")
                    done < <(compgen -f -- "$current")
                fi
            }
            complete -F _\(tool.name) \(tool.name)

            """
    }

    private static func valueCase(_ command: Command, _ option: OptionDeclaration, _ value: ValueDescription) -> String
    {
        let patterns = option.spellings.map { "\(command.name):\($0)" }.joined(separator: " | ")
        return "        \(patterns)) \(offer(value)) ;;\n"
    }

    private static func wordCase(_ command: Command) -> String {
        var text = "                \(command.name):-*) words='\(long(command.options))' ;;\n"
        if let operand = command.operand {
            text += "                \(command.name):* | yes\(command.name):*) \(offer(operand.value)) ;;\n"
        }
        return text
    }

    private static func offer(_ value: ValueDescription) -> String {
        let words = "words='\(value.choices.joined(separator: " "))'"
        return value.isPath ? "\(words) files=yes" : words
    }

    private static func long(_ options: [OptionDeclaration]) -> String {
        options.map(\.spelling).joined(separator: " ")
    }
}
