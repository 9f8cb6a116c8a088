import TestSupport
import Testing

@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning

/// Literals in source code whose syntax is not usual. They are read, or a warning names their line.
@Suite struct DroppedLiteralTests: FormatSuite {
    private static let other = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    private static let lists = (first: "\"\(pin)\", \"\(other)\"", second: "\"\(other)\", \"\(pin)\"")

    /// The hosts, and the lines of the values that are not read.
    private func hosts(_ text: String, _ format: PinSetFormat) throws -> (hosts: [String], unread: [Int]) {
        let reading = try read(text, as: format)
        let lines = reading.warnings.compactMap { warning in
            if case .valueNotLiteral(_, _, let line) = warning.reason { line } else { nil }
        }
        return (reading.set.entries.map(\.host).sorted(), lines)
    }

    // MARK: TrustKit

    private static func swift(_ member: String) -> String {
        """
        let staging = [kTSKPinnedDomains: ["a.example": [kTSKPublicKeyHashes: [\(lists.first)]]]]
        let production = [kTSKPinnedDomains: [
          "b.example": [kTSKPublicKeyHashes: [\(lists.first)]],
        \(member)
        ] as [String: [String: Any]]]
        """
    }

    private static func objectiveC(_ member: String) -> String {
        let pins = "@{kTSKPublicKeyHashes : @[ @\"\(pin)\", @\"\(other)\" ]}"
        return """
            NSDictionary *staging = @{kTSKPinnedDomains : @{@"a.example" : \(pins)}};
            NSDictionary *production = @{kTSKPinnedDomains : @{
              @"b.example" : \(pins),
            \(member.replacing("PINS", with: pins))
            }};
            """
    }

    /// Clang and the Swift compiler read a dictionary with these members (Objective-C without the lines of the preprocessor).
    @Test(arguments: [
        ("#ifdef DEBUG\n  @\"c.example\" : PINS,\n#endif", ["a.example", "b.example", "c.example"], []),
        ("#pragma mark - hosts\n  @\"c.example\" : PINS", ["a.example", "b.example", "c.example"], []),
        ("#if A\n  @\"c.example\" : PINS,\n#else\n  @\"d.example\" : PINS,\n#endif", ["a", "b", "c", "d"], []),
        ("  @\"b.example\" : PINS", ["a.example"], [2]), ("  @\"c.example\" PINS", ["a.example"], [2]),
    ])
    func objectiveCDictionaries(member: String, hosts: [String], unread: [Int]) throws {
        let found = try self.hosts(Self.objectiveC(member), .trustkit)
        #expect(found.hosts == hosts.map { $0.count == 1 ? "\($0).example" : $0 } && found.unread == unread, "\(found)")
    }

    @Test(arguments: [
        (".apiHost: [kTSKPublicKeyHashes: [PINS]],", ["a.example", "b.example"], [4]),
        (
            "#if DEBUG\n\"c.example\": [kTSKPublicKeyHashes: [PINS]],\n#endif",
            ["a.example", "b.example", "c.example"], []
        ),
        ("\"b.example\": [kTSKPublicKeyHashes: [PINS]],", ["a.example"], [2]),
    ])
    func swiftDictionaries(member: String, hosts: [String], unread: [Int]) throws {
        let found = try self.hosts(Self.swift(member.replacing("PINS", with: Self.lists.first)), .trustkit)
        #expect(found.hosts == hosts && found.unread == unread, "\(found)")
    }

    /// A dictionary that is changed by assignments.
    @Test func assignmentsToAKey() throws {
        let text =
            Self.objectiveC("")
            + "configuration[kTSKPinnedDomains] = @{@\"c.example\" : @{kTSKPublicKeyHashes : @[ @\"\(Self.pin)\", @\"\(Self.other)\" ]}};\nif (a[kTSKPinnedDomains] == @{}) {}"
        #expect(try hosts(text, .trustkit).hosts == ["a.example", "b.example", "c.example"])
        let swift =
            Self.swift("")
            + "\nconfiguration[kTSKPinnedDomains] = [\"c.example\": [kTSKPublicKeyHashes: [\(Self.lists.first)]]]\nlet d = configuration[kTSKPinnedDomains]"
        #expect(try hosts(swift, .trustkit).hosts == ["a.example", "b.example", "c.example"])
    }

    /// The Swift Programming Language, "Extended String Delimiters": the text ends at a quotation mark with as many number signs.
    @Test(arguments: [
        "#\"\"\"\n  a \"\"\" b\n\"\"\"#", "##\"a\"# b\"##", "#\"a\\\"#", "##\"\"\"\n\"\"\"#\n\"\"\"##",
        "\"\"\"\n\\\"\"\" a\n\"\"\"",
    ])
    func rawStringsOfSwift(literal: String) throws {
        let text = Self.swift("").replacing("let production", with: "let help = \(literal)\nlet production")
        #expect(try hosts(text, .trustkit).hosts == ["a.example", "b.example"])
        let call = "func f(_ host: String) -> [String] { let help = \(literal)\n  return [\"\(Self.pin)\"] }"
        #expect(!SourceText(Array(call.utf8), language: .swift).indices(of: "return").isEmpty)
    }

    /// In Objective-C, a macro can be a string that is joined with the one before it.
    @Test(arguments: [
        ("static NSString *const kHost = @\"c.example\" SUFFIX;", false),
        ("#define kHost @\"c.example\" SUFFIX", false),
        ("static NSString *const kHost = @\"c.example\";", true), ("#define kHost @\"c.example\"", true),
        ("static NSString *const kHost = @\"c.\" @\"example\";", true),
    ])
    func macrosAfterStrings(constant: String, isRead: Bool) throws {
        let found = try hosts("\(constant)\n" + Self.objectiveC("  kHost : PINS"), .trustkit)
        #expect(found.hosts == ["a.example", "b.example"] + (isRead ? ["c.example"] : []), "\(found)")
        #expect(found.unread.isEmpty == isRead)
    }

    /// The rest of the text is not read.
    @Test func aStringThatDoesNotEnd() throws {
        let text = Self.swift("").replacing("let production", with: "let help = \"\"\"\nlet production")
        let found = try hosts(text, .trustkit)
        #expect(found.hosts == ["a.example"] && found.unread == [2], "\(found)")
    }

    // MARK: React Native

    private static func script(_ member: String, before: String = "") -> String {
        """
        const staging = { 'a.example': { publicKeyHashes: [\(lists.first)] } };
        \(before)
        const production = {
          \(member.replacing("PINS", with: lists.first)),
          'c.example': { publicKeyHashes: [\(lists.second)] },
        };
        """
    }

    /// TypeScript removes these types.
    @Test(arguments: [
        "'b.example': { publicKeyHashes: [PINS] } satisfies Options",
        "'b.example': { publicKeyHashes: [PINS] } as const",
        "'b.example': { publicKeyHashes: [PINS] } as Options & { owner?: string; a: [string] }",
        "'b.example': { publicKeyHashes: [PINS] as string[] } as { publicKeyHashes: string[] }",
        "'b.example': { publicKeyHashes: [PINS] satisfies string[] }",
        "'b.example': { publicKeyHashes: [\"x\"] }, 'b.example': { publicKeyHashes: [PINS] }",
    ])
    func objectsWithTypes(member: String) throws {
        let found = try hosts(Self.script(member), .reactNative)
        #expect(found.hosts == ["a.example", "b.example", "c.example"] && found.unread.isEmpty, "\(found)")
    }

    /// What is not read has a warning with its line. An interface, a variable and a constant that is used have none.
    @Test(arguments: [
        ("'b.example': { publicKeyHashes: [PINS] } !", "", ["a.example", "c.example"], [4]),
        ("'b.example': { publicKeyHashes: [PINS] },", "", ["a.example"], [4, 5]),
        ("'b.example': { publicKeyHashes: [PINS] }", "const hint = <Text>image/*</Text>;", ["a.example"], [2]),
        ("'b.example': { publicKeyHashes: [PINS] }", "const hint = <Text>`</Text>;", ["a.example"], [2]),
        (
            "'b.example': { publicKeyHashes: [PINS] }",
            "interface Options { publicKeyHashes: string[]; domains: { [host: string]: string[] } }",
            ["a.example", "b.example", "c.example"], []
        ),
        (
            "'b.example': shared", "const shared = { publicKeyHashes: [PINS] };",
            ["a.example", "b.example", "c.example"], []
        ),
        (
            "'b.example': { publicKeyHashes: [PINS] }", "options[host] = { publicKeyHashes: [PINS] };",
            ["a.example", "b.example", "c.example"], [2]
        ),
    ])
    func objectsThatAreNotRead(member: String, before: String, hosts: [String], unread: [Int]) throws {
        let before = before.replacing("PINS", with: Self.lists.first)
        let found = try self.hosts(Self.script(member, before: before), .reactNative)
        #expect(found.hosts == hosts && found.unread == unread, "\(found)")
    }

    /// Many keys that occur twice: a reader that removes the earlier one each time would take quadratic work.
    @Test(.notWithSanitizer) func manyKeysThatOccurTwice() throws {
        func file(_ count: Int) -> String {
            let hosts = (0..<count).map { "'h\($0).example': { publicKeyHashes: [\(Self.lists.first)] }" }
            return "initializeSslPinning({ \((hosts + hosts).joined(separator: ", ")) });"
        }
        #expect(try hosts(file(20), .reactNative).hosts.count == 20)
        let (small, large) = (Array(file(100).utf8), Array(file(800).utf8))
        let growth = Work.growth(
            small: { _ = try? PinSet.read(small, as: .reactNative) },
            large: { _ = try? PinSet.read(large, as: .reactNative) })
        #expect(growth < 24)
    }

    /// The comment before a key is on another line.
    @Test func theLineOfAKeyAfterAComment() throws {
        let text = Self.script("'b.example': { publicKeyHashes: [PINS] },").replacing(
            "'c.example': {", with: "'c.example': { // shared\n  /* pins */")
        #expect(try hosts(text, .reactNative).unread == [4, 6])
    }

    /// Without its settings, the host would be enforced.
    @Test(arguments: [
        ("{ enforcePinning: false } satisfies Settings", true),
        ("{ enforcePinning: true, enforcePinning: false }", true),
        ("{ enforcePinning: false } !", false),
    ])
    func settingsOfTheManager(settings: String, isRead: Bool) throws {
        let text = """
            setSSLConfig({
              sha256Keys: { 'a.example': ['sha256/\(Self.pin)', 'sha256/\(Self.other)'] },
              domains: { 'a.example': \(settings) },
            });
            """
        let reading = try read(text, as: .reactNativeSSLManager)
        #expect(reading.set.entries.map(\.enforce) == [!isRead])
        let isReported = reading.warnings.contains { if case .valueNotLiteral = $0.reason { true } else { false } }
        #expect(isReported == !isRead, "\(reading.warnings)")
    }
}
