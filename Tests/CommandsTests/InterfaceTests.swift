import Foundation
import TestSupport
import Testing

@testable import Arguments
@testable import Commands

/// The public interface as recorded in Docs/interfaces: the command line, and the public declarations of the library. Together with
/// the schema of the JSON output, semantic versioning covers it.
///
/// `PINCTL_UPDATE_INTERFACES=1 swift test --filter InterfaceTests` records a change. The newest section of Docs/CHANGELOG.md must then
/// describe it: the section contains the digest of each interface, so a change without an edit of the section fails.
@Suite(.blocking) struct InterfaceTests {
    /// The modules that a package can import.
    private static let modules = [
        "Encodings", "Pinning", "PinSetCodec", "ServerPinFormats", "PinSetFormats", "Authentication", "HTTPSession",
    ]
    private static let updates = ProcessInfo.processInfo.environment["PINCTL_UPDATE_INTERFACES"] == "1"

    @Test func commandLineIsRecorded() throws {
        let lines = Pinctl.tool.commands.flatMap { command -> [String] in
            let operand = command.operand.map { " \($0.value.placeholder)\($0.count.isMany ? "..." : "")" } ?? ""
            return ["\(command.name)\(operand)"]
                + command.options.map { option in
                    let short = option.short.map { " -\($0)" } ?? ""
                    return "\(command.name) \(option.spelling)\(option.value.map { " \(Self.text($0))" } ?? "")\(short)"
                }.sorted()
        }
        try compare(lines, with: "command-line.txt")
    }

    @Test(.enabled(if: isLinux, "the declarations differ in the names of the platform's modules"))
    func libraryIsRecorded() throws {
        let lines = try Self.modules.flatMap { module in
            try declarations(of: module).map { "\(module): \($0)" }
        }
        #expect(lines.contains("Pinning: Certificate.init(der:) | init(der: [UInt8]) throws(CertificateError)"))
        try compare(lines, with: "library.txt")
    }

    @Test(.enabled(if: isLinux, "the modules need the folder of an SDK elsewhere")) func documentationIsBuilt() throws {
        let folder = try TemporaryFolder("docs")
        defer { folder.remove() }
        let modules = URL(filePath: PinctlRun.executable).deletingLastPathComponent().appending(path: "Modules")
        let environment = TestEnvironment.base.merging(["MODULES": modules.path]) { $1 }
        let outcome = try ChildProcess.run(
            [Repository.path("Scripts/docs"), folder.path("a.doccarchive")], environment: environment)
        #expect(outcome.end == .exit(0), "\(outcome.errors)")
        for (page, sentence) in [
            ("pinning/certificate", "X.509"), ("pinsetcodec/platformverdict", "verdict"),
            ("authentication/challengehandler", "challenge"), ("httpsession/session", "HEAD and GET"),
        ] {
            let text = try folder.text("a.doccarchive/data/documentation/\(page).json")
            #expect(text.contains(sentence), "\(page)")
        }
    }

    /// The newest section of the changelog has the digest of each interface.
    @Test func changelogDescribesTheInterfaces() throws {
        let changelog = try String(contentsOfFile: Repository.path("Docs/CHANGELOG.md"), encoding: .utf8)
        let newest = try #require(changelog.components(separatedBy: "\n## [").dropFirst().first)
        for file in ["interfaces/command-line.txt", "interfaces/library.txt", "schemas/pinctl-output.json"] {
            let sum = try ChildProcess.output(of: ["openssl", "dgst", "-sha256", "-r", Repository.path("Docs/\(file)")])
            let digest = String(decoding: sum.prefix(12), as: UTF8.self)
            #expect(
                newest.contains("`Docs/\(file)` \(digest)"),
                """
                Docs/\(file) changed: describe the change in the newest section of Docs/CHANGELOG.md, and set the digest there to \
                \(digest)
                """)
        }
    }

    // MARK: Support

    /// The placeholder of a value; the choices, if no other value is valid.
    private static func text(_ value: ValueDescription) -> String {
        value.isClosed ? value.choices.joined(separator: "|") : value.placeholder
    }

    private func compare(_ lines: [String], with name: String) throws {
        let path = Repository.path("Docs/interfaces/\(name)")
        let text = lines.map { $0 + "\n" }.joined()
        if Self.updates { try Data(text.utf8).write(to: URL(filePath: path)) }
        let recorded = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        let difference = lines.difference(from: recorded)
        #expect(
            difference.isEmpty,
            """
            \(difference.removals.map { "-\($0.line)" }.joined(separator: "\n"))
            \(difference.insertions.map { "+\($0.line)" }.joined(separator: "\n"))
            """)
    }

    /// The public declarations and conformances of a module, sorted, as the compiler's symbol graph has them.
    private func declarations(of module: String) throws -> [String] {
        let folder = try TemporaryFolder("symbols")
        defer { folder.remove() }
        let products = URL(filePath: PinctlRun.executable).deletingLastPathComponent()
        let target = try ChildProcess.output(of: ["swift", "-print-target-info"])
        struct Information: Decodable {
            struct Target: Decodable { let triple: String }
            let target: Target
        }
        let triple = try JSONDecoder().decode(Information.self, from: Data(target)).target.triple
        _ = try ChildProcess.output(of: [
            "swift", "symbolgraph-extract", "-module-name", module, "-target", triple,
            "-I", products.appending(path: "Modules").path, "-I", Repository.path("Sources/COpenSSL"),
            "-I", Repository.path("Sources/CSystem"), "-minimum-access-level", "public",
            "-skip-synthesized-members", "-output-dir", folder.path("."),
        ])
        struct Graph: Decodable {
            struct Symbol: Decodable {
                struct Fragment: Decodable { let spelling: String }
                struct Identifier: Decodable { let precise: String }
                let identifier: Identifier
                let pathComponents: [String]
                let declarationFragments: [Fragment]
            }
            struct Relationship: Decodable {
                let kind: String
                let source: String
                let targetFallback: String?
            }
            let symbols: [Symbol]
            let relationships: [Relationship]
        }
        var lines: [String] = []
        for name in try folder.names() where name.hasSuffix(".symbols.json") {
            let graph = try JSONDecoder().decode(Graph.self, from: Data(try folder.bytes(name)))
            var paths: [String: String] = [:]
            for symbol in graph.symbols {
                let path = symbol.pathComponents.joined(separator: ".")
                paths[symbol.identifier.precise] = path
                lines.append("\(path) | \(symbol.declarationFragments.map(\.spelling).joined())")
            }
            for relationship in graph.relationships where relationship.kind == "conformsTo" {
                guard let type = paths[relationship.source], let other = relationship.targetFallback,
                    !other.hasPrefix("Swift.Copyable"), !other.hasPrefix("Swift.Escapable")
                else { continue }
                lines.append("\(type): \(other)")
            }
        }
        return Array(Set(lines.map { $0.replacing("\n", with: " ") })).sorted()
    }
}

extension CollectionDifference<String>.Change {
    fileprivate var line: String {
        switch self {
        case .insert(_, let line, _), .remove(_, let line, _): line
        }
    }
}

private let isLinux: Bool = {
    #if os(Linux)
        true
    #else
        false
    #endif
}()
