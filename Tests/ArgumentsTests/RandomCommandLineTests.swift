import Testing

@testable import Arguments

/// Lines of random words. Parsing gives a result or an error, and always the same one.
struct RandomCommandLineTests {
    private static let pool = [
        "make", "keep", "pour", "clean", "help", "mkae", "--", "-", "", "=", "--=", "-=", "---", "--time", "--time=5",
        "--time=", "-t", "-t5", "-t=5", "5", "-5", "0", "12", "--cold", "--cold=", "-4", "-6", "-46", "-4l", "-4lx",
        "--boiling", "--label", "--label=--", "-l", "-l-", "--shelf", "--shelf=top", "top", "tpo", "--with-addition",
        "-a", "-ax", "-4a", "milk", "--strength", "--strength=mild", "mild", "--cups=3", "-c", "-c9", "--tin",
        "--tin=x",
        "--verbose", "--size", "--nosuch", "--help", "-h", "-4h", "--version", "-V", "\u{1B}[2J", "-\u{301}",
        "--\u{301}", "--label=\u{301}", "日本", "-日", "a\nb", "\u{202E}", "-l\u{0}",
        String(repeating: "-4", count: 50), "-" + String(repeating: "4", count: 50),
    ]

    private func lines(_ count: Int, seed: UInt64) -> [[String]] {
        var random = SplitMix64(state: seed)
        return (0..<count).map { _ in
            let command = Self.pool.prefix(4).randomElement(using: &random).map { [$0] } ?? []
            let words = (0..<Int.random(in: 0...7, using: &random)).compactMap { _ in
                Self.pool.randomElement(using: &random)
            }
            return Bool.random(using: &random) ? command + words : words
        }
    }

    private enum Outcome: Equatable {
        case nothing, version
        case help(String?)
        case command(String, [String], [ArgumentLocation])
        case rejected(ArgumentError)
    }

    private func outcome(_ arguments: [String]) -> Outcome {
        do throws(ArgumentError) {
            switch try SampleTool.tool.parse(arguments) {
            case .nothing: return .nothing
            case .version: return .version
            case .help(let command): return .help(command?.name)
            case .command(let command, let values):
                let locations = command.options.flatMap { values.locations(of: Stand(declaration: $0)) }
                return .command(command.name, read(command, values), locations + values.operandLocations)
            }
        } catch {
            return .rejected(error)
        }
    }

    /// The values of a command in one spelling, which can be parsed again.
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
    func `a line is understood in one way`(seed: UInt64) {
        var accepted = 0
        for line in lines(5000, seed: seed) {
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

    @Test(arguments: [5, 6, 7, 8] as [UInt64])
    func `a refusal is one printable sentence`(seed: UInt64) {
        var refused = 0
        for line in lines(5000, seed: seed) {
            guard case .rejected(let error) = outcome(line) else { continue }
            refused += 1
            for sentence in [error.message, error.hint].compactMap(\.self) {
                #expect(!sentence.isEmpty && !sentence.hasSuffix("."), "\(line)")
                let isPrintable = sentence.unicodeScalars.allSatisfy {
                    ![.control, .format].contains($0.properties.generalCategory)
                }
                #expect(isPrintable, "\(line): \(sentence)")
            }
        }
        #expect(refused > 1000)
    }

    /// Every word of a valid line is exactly one of: an operand, an option, a value, the two dashes.
    @Test(arguments: [9, 10] as [UInt64])
    func `no word is lost`(seed: UInt64) {
        for line in lines(5000, seed: seed) {
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

/// An option whose type does not matter.
private struct Stand: AnyOption {
    let declaration: OptionDeclaration
}

/// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014): the same words for the same seed.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
