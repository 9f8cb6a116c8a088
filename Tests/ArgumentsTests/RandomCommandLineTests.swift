import SampleTool
import Testing

@testable import Arguments

/// Properties of parsing that hold for random command lines.
struct RandomCommandLineTests {
    private enum Outcome: Equatable {
        case nothing, version
        case help(String?)
        case command(String, [String], [ArgumentLocation])
        case rejected(ArgumentError)
    }

    private func name(of subject: HelpSubject) -> String? {
        switch subject {
        case .tool: nil
        case .command(let command): command.name
        case .topic(let topic): topic.name
        }
    }

    private func outcome(_ arguments: [String]) -> Outcome {
        do throws(ArgumentError) {
            switch try SampleTool.tool.parse(arguments) {
            case .nothing: return .nothing
            case .version: return .version
            case .help(let subject, _): return .help(name(of: subject))
            case .command(let command, let values):
                let locations = command.options.flatMap { values.locations(of: Stand(declaration: $0)) }
                return .command(command.name, read(command, values), locations + values.operandLocations)
            }
        } catch {
            return .rejected(error)
        }
    }

    /// The values of a command in one canonical spelling, which can be parsed again.
    private func read(_ command: Command, _ values: Values) -> [String] {
        var words: [String] = []
        func add(_ name: String, _ isTyped: Bool, _ texts: [String]) {
            if isTyped { words += texts.map { "--\(name)=\($0)" } }
        }
        switch command.name {
        case "make":
            add("time", values.contains(SampleTool.time), ["\(values[SampleTool.time].count)"])
            add("strength", values.contains(SampleTool.strength), [values[SampleTool.strength].rawValue])
            add("cups", values.contains(SampleTool.cups), ["\(values[SampleTool.cups])"])
            add("label", values.contains(SampleTool.label), [values[SampleTool.label] ?? "nil"])
            add("shelf", values.contains(SampleTool.shelves), values[SampleTool.shelves].map { "\($0)" })
            add("with-addition", values.contains(SampleTool.additions), values[SampleTool.additions])
            if values[SampleTool.cold] { words.append("--cold") }
            if values[SampleTool.boiling] { words.append("--boiling") }
            if values[SampleTool.verbose] { words.append("--verbose") }
        case "keep":
            add("tin", true, [values[SampleTool.tin]])
        case "pour":
            add("size", values.contains(SampleTool.size), [values[SampleTool.size].rawValue])
        default:
            if values[SampleTool.verbose] { words.append("--verbose") }
        }
        return words + ["--"] + values.operands
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func parsesALineInOneWay(seed: UInt64) {
        var accepted = 0
        for line in RandomCommandLine.lines(5000, seed: seed) {
            let first = outcome(line)
            #expect(outcome(line) == first, "\(line)")
            guard case .command(let name, let words, let locations) = first else { continue }
            accepted += 1
            guard case .command(name, words, _) = outcome([name] + words) else {
                Issue.record("\(line) is \(words), which is \(outcome([name] + words))")
                continue
            }
            for location in locations {
                let isThere =
                    line.indices.contains(location.position)
                    && location.text.unicodeScalars.starts(with: line[location.position].unicodeScalars)
                #expect(isThere, "\(location) of \(line)")
            }
        }
        #expect(accepted > 200)
    }

    /// Every word of a valid line belongs to exactly one of these: an operand, an option, a value, or `--`.
    @Test(arguments: [9, 10] as [UInt64])
    func assignsEveryWord(seed: UInt64) {
        for line in RandomCommandLine.lines(5000, seed: seed) {
            guard case .command(_, _, let locations) = outcome(line) else { continue }
            var words: Set<Int> = []
            for location in locations {
                words.insert(location.position)
                let isAlone = location.text.unicodeScalars.elementsEqual(line[location.position].unicodeScalars)
                if !isAlone { #expect(words.insert(location.position + 1).inserted, "\(line)") }
            }
            let left = line.indices.filter { !words.contains($0) }.map { line[$0] }
            #expect(left.filter { $0 != "--" }.count == 1, "\(left) of \(line)")
            #expect(left.count <= 2, "\(left) of \(line)")
        }
    }
}

/// An option of any type.
private struct Stand: AnyOption {
    let declaration: OptionDeclaration
}
