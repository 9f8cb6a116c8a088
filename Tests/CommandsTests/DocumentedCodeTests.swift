import Foundation
import TestSupport
import Testing

@testable import CheckReports
@testable import CommandSupport
@testable import Commands
@testable import PinSetCommands

/// The tables of finding codes in the documents are complete and contain no other code.
@Suite struct DocumentedCodeTests {
    @Test func verifyCodes() throws {
        let codes = Set(Verification.Code.allCases.map(\.rawValue))
        #expect(try Self.documented(in: "Docs/ci.md", under: "## Codes of verify") == codes)
    }

    @Test func refreshCodes() throws {
        let codes = Set(RefreshFinding.Code.allCases.map(\.rawValue))
        #expect(try Self.documented(in: "Docs/ci.md", under: "## Codes of refresh") == codes)
    }

    @Test func syncCodes() throws {
        let codes = Set(SyncedCopy.rules.map(\.code))
        #expect(try Self.documented(in: "Docs/sync.md", under: "## What sync compares") == codes)
    }

    /// The words in backticks in the first column of the tables of a section.
    private static func documented(in document: String, under heading: String) throws -> Set<String> {
        let text = try String(contentsOf: Repository.url.appending(path: document), encoding: .utf8)
        let section = text.components(separatedBy: "\n" + heading + "\n").dropFirst().first ?? ""
        let lines = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| `") }
        let codes = lines.flatMap { line in
            line.split(separator: "|")[0].split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map(
                \.element)
        }
        return Set(codes.map(String.init))
    }
}
