import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import PinSetMaintenance
@testable import Pinning
@testable import XMLDocuments

/// Copies that their platform reads in another way than Android, or rejects.
@Suite struct PlatformRejectionTests: CopySuite {
    private static func part(_ domains: String, _ pins: [String], _ attributes: String = "", _ others: String = "")
        -> String
    {
        let list = pins.map { "<pin digest=\"SHA-256\">\($0)</pin>" }.joined()
        return "<domain-config>\n\(domains)\n<pin-set\(attributes)>\(list)</pin-set>\n\(others)\n</domain-config>\n"
    }

    private static func file(_ parts: String...) -> CopyFolder {
        let text = "<network-security-config>\n\(parts.joined())</network-security-config>\n"
        return CopyFolder(main: Array(text.utf8))
    }

    private func policies(_ copy: CopyFolder) throws -> [String: TrustKitAndroidModel.Policy] {
        let model = TrustKitAndroidModel(try XMLDocument(copy.main ?? []))
        #expect(model.failure == nil, "\(String(decoding: copy.main ?? [], as: UTF8.self))")
        return Dictionary(uniqueKeysWithValues: model.policies.map { ($0.host, $0) })
    }

    private static let enforced = "<trustkit-config enforcePinning=\"true\"/>"

    /// TrustKit-Android 1.1.5, DomainPinningPolicy.java: an app with an empty pin-set and enforcePinning="true" stops.
    @Test(arguments: [
        "<trust-anchors><certificates src=\"system\"/></trust-anchors>",
        "<domain-config><domain>b.z.com</domain></domain-config>",
    ])
    func aHostWithoutPinsIsNotEnforced(setting: String) throws {
        let set = try set(#""a.com":["\#(Self.x1)","\#(Self.x2)"]"#)
        let own = Self.part("<domain>a.com</domain>", [Self.x1, Self.x2], "", Self.enforced)
        let other = Self.part("<domain>z.com</domain>", [Self.x1, Self.x3], "", Self.enforced + setting)
        var copy = Self.file(own, other)
        try copy.write(try copy.compared(with: set, as: .android))
        #expect(try policies(copy)["a.com"]?.enforces == true)
        expectEqual(try copy.compared(with: set, as: .android))
        // An older version wrote this.
        let text = String(decoding: copy.main ?? [], as: UTF8.self).replacing("\"false\"", with: "\"true\"")
        #expect(TrustKitAndroidModel(try XMLDocument(Array(text.utf8))).failure != nil, "\(text)")
    }

    /// `Builder.build` of DomainPinningPolicy.java inherits includeSubdomains, and an expiration that cannot be taken back.
    @Test func whatTrustKitInheritsIsNotWritten() throws {
        let both = "<domain includeSubdomains=\"true\">a.com</domain>\n<domain>b.com</domain>"
        let reversed = "<domain>b.com</domain>\n<domain includeSubdomains=\"true\">a.com</domain>"
        for domains in [both, reversed] {
            let set = try set(
                #""a.com":{"subdomains":"all","pins":["\#(Self.x1)","\#(Self.x2)"]},"b.com":["\#(Self.x2)","\#(Self.x3)"]"#
            )
            var copy = Self.file(Self.part(domains, [Self.x1, Self.x2], "", Self.enforced))
            try copy.write(try copy.compared(with: set, as: .android))
            #expect(try policies(copy)["b.com"]?.includesSubdomains == false)
            expectEqual(try copy.compared(with: set, as: .android))
        }
        let set = try set(
            #""a.com":{"subdomains":"all","expires":"2027-01-01","pins":["\#(Self.x1)","\#(Self.x2)"]},"b.com":["\#(Self.x2)","\#(Self.x3)"]"#
        )
        let copy = Self.file(Self.part(both, [Self.x1, Self.x2], " expiration=\"2027-01-01\"", Self.enforced))
        guard case .refused(.remaining(let difference)) = try copy.compared(with: set, as: .android).outcome else {
            Issue.record("written")
            return
        }
        #expect(difference.message.contains("TrustKit uses the expiration of the <domain-config> around this one"))
    }

    /// XmlConfigSource.java: the app stops.
    @Test(arguments: [
        "<trust-anchors/><trust-anchors/>", "<trust-anchors><certificates/></trust-anchors>",
        "<trust-anchors><certificates src=\"other\"/></trust-anchors>",
    ])
    func aFileThatStopsTheAppIsDifferent(setting: String) throws {
        let set = try set(#""a.com":["\#(Self.x1)","\#(Self.x2)"]"#)
        let copy = Self.file(Self.part("<domain>a.com</domain>", [Self.x1, Self.x2], "", setting))
        let found = try copy.compared(with: set, as: .android)
        #expect(found.differences.map(\.code) == [.readingLoss])
        #expect(
            found.differences.first?.message.contains("the app stops") == true, "\(found.differences.map(\.message))")
    }
}
