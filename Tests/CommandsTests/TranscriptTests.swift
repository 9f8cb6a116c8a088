import Foundation
import InProcessRuns
import TestSupport
import Testing

/// Runs the commands of Tests/Transcripts and compares their output. `PINCTL_UPDATE_TRANSCRIPTS=1 swift test --filter Transcript`
/// writes the output into the files; review the difference.
@Suite(.blocking) struct TranscriptTests {
    static let folder = Repository.url.appending(path: "Tests/Transcripts")
    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? [])
        .filter { $0.hasSuffix(".txt") }.sorted()
    static let updates = ProcessInfo.processInfo.environment["PINCTL_UPDATE_TRANSCRIPTS"] == "1"

    @Test func thereAreTranscripts() { #expect(!Self.names.isEmpty) }

    @Test(arguments: names) func matchesItsTranscript(name: String) throws {
        let file = Self.folder.appending(path: name)
        let text = try String(contentsOf: file, encoding: .utf8)
        var transcript = try Transcript(text)
        #expect(transcript.text == text, "the transcript is not written in the plainest way")

        let folder = try TemporaryFolder("transcript")
        defer { folder.remove() }
        // The socket is bound but does not listen, so connections are refused.
        let socket = try LoopbackSocket()
        let pki = try TestSupport.TestPKI.shared()
        let placeholders = [
            "DIR": folder.path, "PKI": pki.folder.path, "VECTORS": Repository.path("Tests/Vectors/material"),
            "PORT": String(socket.port), "ESC": "\u{1B}", "OPENSSL": try Self.opensslVersion(),
        ]
        for (index, item) in transcript.items.enumerated() {
            switch item {
            case .text: continue
            case .file(let name, let lines):
                try folder.write(Self.filled(lines, placeholders), to: name)
            case .step(var step):
                let result = try run(step, placeholders, in: folder)
                if Self.updates {
                    step.result = result
                    transcript.items[index] = .step(step)
                } else if let difference = result.difference(from: step.result) {
                    Issue.record("Tests/Transcripts/\(name):\(step.line): $ \(step.command)\n\(difference)")
                }
            }
        }
        withExtendedLifetime(socket) {}
        if Self.updates { try transcript.text.write(to: file, atomically: true, encoding: .utf8) }
    }

    private func run(
        _ step: Transcript.Step, _ placeholders: [String: String], in folder: TemporaryFolder
    ) throws -> Transcript.Result {
        let (environment, words) = try step.parsed(replacing: placeholders)
        let input = Array(Self.filled(step.input, placeholders).utf8)
        let run = try PinctlRun.inProcess(
            words, environment: environment, input: input, folder: folder.url)
        func lines(_ text: String) -> [String] {
            var text = text
            for (name, value) in placeholders { text = Self.replacing(value, with: "$\(name)", in: text) }
            return Transcript.Result.lines(of: text)
        }
        return Transcript.Result(output: lines(run.text), errors: lines(run.errors), status: run.status ?? -1)
    }

    /// The version of the installed OpenSSL, such as "3.0.19".
    private static func opensslVersion() throws -> String {
        let words = try ChildProcess.run(["openssl", "version"]).text.split(separator: " ")
        return String(try #require(words.count > 1 ? words[1] : nil))
    }

    /// Replaces each occurrence of a value that is no part of a longer word. The digits of a port can also be a part of a fingerprint.
    private static func replacing(_ value: String, with placeholder: String, in text: String) -> String {
        func isInWord(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }
        var result = ""
        var rest = text[...]
        while let range = rest.firstRange(of: value) {
            let before = range.lowerBound > text.startIndex ? text[text.index(before: range.lowerBound)] : nil
            let after = rest[range.upperBound...].first
            let isPart =
                isInWord(before) && isInWord(value.first) || isInWord(after) && isInWord(value.last)
            result += rest[..<range.lowerBound] + (isPart ? value : placeholder)
            rest = rest[range.upperBound...]
        }
        return result + rest
    }

    private static func filled(_ lines: [String], _ placeholders: [String: String]) -> String {
        placeholders.reduce(lines.map { $0 + "\n" }.joined()) { $0.replacing("$\($1.key)", with: $1.value) }
    }
}
