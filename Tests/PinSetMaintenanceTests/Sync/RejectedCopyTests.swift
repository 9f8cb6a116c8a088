import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning

/// Copies whose parts beside the hosts of the set change which chains are accepted.
@Suite struct RejectedCopyTests: CopySuite {
    private func apple(_ domains: String) -> [UInt8] {
        Array(
            ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\"><dict><key>NSAppTransportSecurity</key><dict>"
                + "<key>NSPinnedDomains</key><dict>\(domains)</dict></dict></dict></plist>").utf8)
    }

    private func domain(_ host: String, _ lists: String, includes: Bool = false) -> String {
        "<key>\(host)</key><dict>\(includes ? "<key>NSIncludesSubdomains</key><true/>" : "")\(lists)</dict>"
    }

    private func list(_ name: String, _ pins: String...) -> String {
        let items = pins.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>" }.joined()
        return "<key>NSPinned\(name)Identities</key><array>\(items)</array>"
    }

    private func ofAuthorities(_ host: String, _ pins: String..., more: String = "") throws -> String {
        let keys = pins.map { "{\"sha256\":\"\($0)\",\"role\":\"ca\"}" }.joined(separator: ",")
        return "\"\(host)\":{\(more)\"pins\":[\(keys)]}"
    }

    /// Apple's systems combine the lists of a host with those of the parent domain that has `NSIncludesSubdomains`, and each list must
    /// match (SecPolicyServer.c, `SecPolicyCheckCAspkiSHA256`, `SecPolicyCheckLeafSPKISHA256`).
    @Test func listsOfAParentDomain() throws {
        let set = try set(try ofAuthorities("api.example.com", Self.x1, Self.x2))
        let own = domain("api.example.com", list("CA", Self.x1, Self.x2))
        let rows: [(String, Bool)] = [
            (domain("example.com", list("CA", Self.x3), includes: true), true),
            (domain("example.com", list("Leaf", Self.x3), includes: true), true),
            (domain("Example.COM", list("CA", Self.x3), includes: true), true),
            // A list without pins matches no leaf.
            (domain("example.com", list("Leaf"), includes: true), true),
            (domain("example.com", list("CA", Self.x1), includes: true), false),
            (domain("example.com", list("CA", Self.x3)), false),
            (domain("com", list("CA", Self.x3), includes: true), false),
            (domain("example.com", "", includes: true), false),
        ]
        for (parent, isCombined) in rows {
            var copy = CopyFolder(main: apple(parent + own))
            let kept = try copy.compared(with: set, as: .apple, others: .kept)
            #expect(kept.differences.map(\.code) == (isCombined ? [.readingLoss] : []), "\(parent)")
            #expect(kept.differences.allSatisfy { $0.kind == .reported(.hostListsUnited(with: "example.com")) })
            if case .refused(let error) = kept.outcome {
                #expect(isCombined && error.hint?.contains("\"example.com\"") == true)
            } else {
                #expect(!isCombined)
            }
            // Without the parent domain, the copy is equal.
            let comparison = try copy.compared(with: set, as: .apple)
            guard !comparison.differences.isEmpty else { continue }
            #expect(comparison.differences.contains { $0.code == .readingLoss } == isCombined, "\(parent)")
            try copy.write(comparison)
            expectEqual(try copy.compared(with: set, as: .apple))
        }
    }

    /// If the set itself has the parent domain, the copy that pinctl writes is equal.
    @Test(arguments: [PinSetFormat.apple, .expo], ["one", "all"])
    func theParentDomainOfTheSet(format: PinSetFormat, subdomains: String) throws {
        let set = try set(
            try ofAuthorities("API.example.com", Self.x1, Self.x2) + ","
                + ofAuthorities("example.com", Self.x3, Self.x2, more: "\"subdomains\":\"\(subdomains)\","))
        let written = try set.written(as: format).main
        for fate in format == .apple ? [OtherHosts.removed, .kept] : [.removed] {
            expectEqual(try CopyFolder(main: written).compared(with: set, as: format, others: fate))
            let upper = String(decoding: written, as: UTF8.self).replacing("api.example.com", with: "Api.example.com")
            expectEqual(try CopyFolder(main: Array(upper.utf8)).compared(with: set, as: format, others: fate))
        }
    }

    /// Expo does not copy the pins of another place to the Info.plist.
    @Test func anotherPlaceInAConfigurationOfExpo() throws {
        let set = try set(try ofAuthorities("a.example", Self.x1, Self.x2))
        let written = String(decoding: try set.written(as: .expo).main, as: UTF8.self)
        expectEqual(try CopyFolder(main: Array(written.utf8)).compared(with: set, as: .expo))
        let moved = CopyFolder(main: Array(written.replacing("\"ios\"", with: "\"android\"").utf8))
        #expect(try moved.compared(with: set, as: .expo).differences.map(\.code) == [.missingHost])
    }

    /// react-native-ssl-manager 2.2.0, ios/SharedLogic.swift, `validateAndCleanPins`; TrustKit 3.0.7, parse_configuration.m.
    @Test(arguments: [
        (PinSetFormat.reactNativeSSLManager, "\"sha256Keys\": {", "\"b.a.example\": [],"),
        (.reactNative, "{", "\"b.a.example\": {\"publicKeyHashes\": []},"),
    ])
    func anEmptyListOfPins(format: PinSetFormat, start: String, added: String) throws {
        let set = try set("\"a.example\":{\"subdomains\":\"all\",\"pins\":[\"\(Self.x1)\",\"\(Self.x2)\"]}")
        let written = String(decoding: try set.written(as: format).main, as: UTF8.self)
        expectEqual(try CopyFolder(main: Array(written.utf8)).compared(with: set, as: format))
        let text = written.replacing(start, with: start + added, maxReplacements: 1)
        #expect(
            try CopyFolder(main: Array(text.utf8)).compared(with: set, as: format).differences.map(\.code) == [
                .readingLoss
            ])
    }

    /// TrustKit 3.0.7, parse_configuration.m: each entry stops the app, although it has no pins that the reader compares.
    @Test(arguments: [
        ("a.z.com", "<key>kSKExcludeSubdomainFromParentPolicy</key><true/>"),
        ("z.com", "<key>TSKEnforcePinning</key><false/><key>TSKPublicKeyHashes</key><array/>"),
        ("z.com", "<key>TSKIncludeSubdomains</key><true/>"),
    ])
    func aHostThatStopsTrustKit(host: String, keys: String) throws {
        let set = try set(#""a.example.com":["\#(Self.x1)","\#(Self.x2)"]"#)
        let written = String(decoding: try set.written(as: .trustkit).main, as: UTF8.self)
        let mark = "<key>a.example.com</key>"
        let added = "<key>\(host)</key><dict>\(keys)</dict>"
        var copy = CopyFolder(main: Array(written.replacing(mark, with: added + mark).utf8))
        let found = try copy.compared(with: set, as: .trustkit)
        #expect(found.differences.map(\.code) == [.readingLoss], "\(found.differences.map(\.message))")
        // The host stays in the file if the application excluded it.
        if case .refused(.remaining) = found.outcome {
            #expect(host == "a.z.com")
        } else {
            try copy.write(found)
            expectEqual(try copy.compared(with: set, as: .trustkit))
        }
    }

    /// A misspelt key can belong to the application, so pinctl does not remove the host.
    @Test func aMisspeltListOfTrustKit() throws {
        let set = try set(#""a.example.com":["\#(Self.x1)","\#(Self.x2)"]"#)
        let written = String(decoding: try set.written(as: .trustkit).main, as: UTF8.self)
        let mark = "<key>a.example.com</key>"
        let added = "<key>z.com</key><dict><key>TSKPublicKeyHashe</key><array/></dict>"
        let copy = CopyFolder(main: Array(written.replacing(mark, with: added + mark).utf8))
        #expect(throws: PinSetCopyError.self) { try copy.compared(with: set, as: .trustkit) }
    }

    /// The code for URLSession compares each element of its list, also a second one with the same key.
    @Test(arguments: ["any", "ca", "intermediate"]) func aSecondRoleOfAKey(role: String) throws {
        func keys(_ more: String) -> String {
            #""a.example":{"pins":[{"sha256":"\#(Self.x1)","role":"leaf"},{"sha256":"\#(Self.x2)","role":"leaf"}\#(more)]}"#
        }
        let wider = try set(keys(#",{"sha256":"\#(Self.x1)","role":"\#(role)"}"#))
        let copy = CopyFolder(main: try wider.written(as: .urlsession).main)
        expectEqual(try copy.compared(with: wider, as: .urlsession))
        #expect(try !copy.compared(with: set(keys("")), as: .urlsession).differences.isEmpty)
    }

    /// A program that reads JSON, or a property list, does not read a file with something before it.
    @Test(
        arguments: [PinSetFormat.reactNative, .reactNativeSSLManager, .expo, .trustkit],
        ["},\n", "x = ", "<<<<<<< HEAD\n=======\n>>>>>>> other\n"])
    func aDamagedStart(format: PinSetFormat, start: String) throws {
        let pins = #"[{"sha256":"\#(Self.x1)","role":"ca"},{"sha256":"\#(Self.x2)","role":"ca"}]"#
        let set = try set(#""a.example.com":{"pins":\#(pins)}"#)
        let written = try set.written(as: format).main
        let name = format == .trustkit ? "Info.plist" : "app.json"
        expectEqual(try CopyFolder(main: written).compared(with: set, as: format, fileName: name))
        do {
            let damaged = CopyFolder(main: Array(start.utf8) + written)
            let found = try damaged.compared(with: set, as: format, fileName: name)
            #expect(!found.differences.isEmpty)
        } catch {
            // The file cannot be read at all.
        }
    }
}
