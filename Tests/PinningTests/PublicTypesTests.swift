import Foundation
import TestSupport
import Testing

/// The list of public types in Docs/evaluators.md.
@Suite struct PublicTypesTests {
    @Test func documentListsEveryPublicType() throws {
        let document = try String(contentsOf: Repository.url.appending(path: "Docs/evaluators.md"), encoding: .utf8)
        let section = try #require(document.components(separatedBy: "## All types of `Pinning`").dropFirst().first)
        var listed: Set<String> = []
        for row in section.components(separatedBy: "\n") where row.hasPrefix("| `") {
            let cell = row.components(separatedBy: " | ")[0]
            for name in cell.matches(of: /`(\w+)`/) { listed.insert(String(name.1)) }
        }
        #expect(listed == (try declared()))
    }

    /// The names of the public types that are declared at the top level of a file.
    private func declared() throws -> Set<String> {
        let sources = Repository.url.appending(path: "Sources/Pinning")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var names: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
                let declaration = line.firstMatch(of: /^public (?:final )?(?:struct|enum|class|protocol) (\w+)/)
                if let declaration { names.insert(String(declaration.1)) }
            }
        }
        return names
    }
}
