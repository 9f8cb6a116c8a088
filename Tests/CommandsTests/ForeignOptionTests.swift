import Arguments
import InProcessRuns
import TestSupport
import Testing

@testable import CommandSupport
@testable import Commands

/// Options that a person knows from openssl s_client(1), curl(1), wget(1) and gnutls-cli(1).
struct ForeignOptionTests {
    @Test func everyHintNamesOptionsThatTheCommandHas() throws {
        for entry in ForeignOption.all {
            for name in entry.commands {
                let command = try #require(Pinctl.tool.commands.first { $0.name == name })
                let declared = Set(command.options.map { "--\($0.name)" })
                for option in Self.options(in: entry.hint) where !entry.hint.contains("only fetch shows") {
                    #expect(declared.contains(option), "\(name): \(entry.hint)")
                }
            }
        }
    }

    @Test func noForeignWordIsAnOptionOfItsCommands() throws {
        for entry in ForeignOption.all {
            for name in entry.commands {
                let command = try #require(Pinctl.tool.commands.first { $0.name == name })
                let spellings = Set(command.options.flatMap { ["--\($0.name)", $0.short.map { "-\($0)" } ?? ""] })
                #expect(spellings.isDisjoint(with: entry.words), "\(name): \(entry.words)")
            }
        }
    }

    @Test func everyForeignWordGetsItsHint() throws {
        for entry in ForeignOption.all {
            for name in entry.commands {
                for word in entry.words {
                    let run = try PinctlRun.inProcess([name, word, "localhost"])
                    #expect(run.status == 2)
                    #expect(
                        run.errors.contains("pinctl: hint: \(entry.hint.replacing("\"", with: "\\\""))\n"),
                        "\(name) \(word): \(run.errors)")
                }
            }
        }
    }

    @Test(arguments: [
        (["fetch", "--cacert=ca.pem", "localhost"], "use --anchors FILE|DIR to trust other CAs"),
        (["verify", "-k", "--pins", "p", "localhost"], "if you trust this CA, use --anchors FILE"),
        (["fetch", "-servername", "x", "localhost"], "use --servername NAME"),
        (["hash", "--json", "x.der"], "use --format json"),
        (["fetch", "--csv", "localhost"], "use --format csv"),
    ])
    func theHintIsPrinted(_ arguments: [String], _ hint: String) throws {
        #expect(try PinctlRun.inProcess(arguments).errors.contains("pinctl: hint: \(hint)"))
    }

    @Test func aValueThatLooksLikeAForeignOptionIsNoForeignOption() throws {
        let run = try PinctlRun.inProcess(["hash", "--format", "--json", "x.der"])
        #expect(!run.errors.contains("use --format json"))
    }

    private static func options(in text: String) -> [String] {
        text.split { !($0.isLetter || $0 == "-") }.map(String.init).filter { $0.hasPrefix("--") }
    }
}
