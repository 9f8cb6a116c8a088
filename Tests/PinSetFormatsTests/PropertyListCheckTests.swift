import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import PropertyLists

/// Values of an existing property list that a set cannot be written into.
@Suite struct PropertyListCheckTests {
    private func plist(_ contents: String) -> String { "<plist version=\"1.0\">\(contents)</plist>" }

    /// SecPolicy.c, `parseNSPinnedDomains`, and TrustKit 3.0.7, parse_configuration.m, read no values of these types.
    @Test(arguments: [
        (
            "<dict><key>NSAppTransportSecurity</key><string>x</string></dict>",
            "\"NSAppTransportSecurity\" is a string, not a dictionary"
        ),
        ("%<array/>", "\"NSAppTransportSecurity:NSPinnedDomains\" is an array, not a dictionary"),
        ("%<dict><key>a.example</key><true/></dict>", "NSPinnedDomains:a.example\" is true, not a dictionary"),
        (
            "%<dict><key>a.example</key><dict><key>NSIncludesSubdomains</key><string>YES</string></dict></dict>",
            "a.example:NSIncludesSubdomains\" is a string, not true or false"
        ),
        (
            "%<dict><key>a.example</key><dict><key>NSPinnedLeafIdentities</key><string>x</string></dict></dict>",
            "a.example:NSPinnedLeafIdentities\" is a string, not an array"
        ),
        (
            "%<dict><key>A.example</key><dict/><key>a.example</key><dict/></dict>",
            "the host \"NSAppTransportSecurity:NSPinnedDomains:a.example\" occurs twice"
        ),
        (
            "<dict><key>TSKPinnedDomains</key><string>x</string></dict>",
            "\"TSKPinnedDomains\" is a string, not a dictionary"
        ),
        ("#<key>TSKEnforcePinning</key><array/>", "a.example:TSKEnforcePinning\" is an array, not true or false"),
        (
            "#<key>TSKExpirationDate</key><integer>2027</integer>",
            "a.example:TSKExpirationDate\" is an integer, not a string"
        ),
        (
            "#<key>TSKPublicKeyHashes</key><string>4</string>",
            "TSKPublicKeyHashes\" is a string, not an array"
        ),
        (
            "<dict><key>TSKPinnedDomains</key><dict><key>A.example</key><dict/><key>a.example</key><dict/></dict></dict>",
            "the host \"TSKPinnedDomains:a.example\" occurs twice: first as \"TSKPinnedDomains:A.example\""
        ),
    ])
    func namesTheKeyPathOfAValueThatWouldBeLost(contents: String, message: String) throws {
        var text = contents
        if text.hasPrefix("%") {
            text =
                "<dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key>\(text.dropFirst())</dict></dict>"
        }
        if text.hasPrefix("#") {
            text =
                "<dict><key>TSKPinnedDomains</key><dict><key>a.example</key><dict>\(text.dropFirst())</dict></dict></dict>"
        }
        let format = text.contains("TSK") ? PinSetFormat.trustkit : .apple
        let error = #expect(throws: PinSetFormatError.self) {
            try ExistingFile.written(
                #""a.example":["\#(ExistingFile.x1)","\#(ExistingFile.x2)"]"#, format, into: plist(text))
        }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        #expect(error?.line == 1)
    }

    /// An element of another type is not the value of a pin, so no pin replaces it.
    @Test(arguments: [
        (PinSetFormat.apple, "<key>NSPinnedCAIdentities</key><array><string>keep</string></array>"),
        (
            .apple,
            "<key>NSPinnedCAIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><integer>77</integer></dict></array>"
        ),
        (.trustkit, "<key>TSKPublicKeyHashes</key><array><integer>77</integer></array>"),
    ])
    func keepsElementsOfOtherTypes(format: PinSetFormat, member: String) throws {
        let key = format == .apple ? "NSPinnedDomains" : "TSKPinnedDomains"
        let host = "<key>\(key)</key><dict><key>a.example</key><dict>\(member)</dict></dict>"
        let contents = format == .apple ? "<key>NSAppTransportSecurity</key><dict>\(host)</dict>" : host
        let text = try ExistingFile.written(
            #""a.example":["\#(ExistingFile.x1)","\#(ExistingFile.x2)"]"#, format,
            into: plist("<dict>\(contents)</dict>"))
        #expect(text.contains("<string>keep</string>") || text.contains("<integer>77</integer>"), "\(text)")
        #expect(text.contains(ExistingFile.x1) && text.contains(ExistingFile.x2))
    }

    /// TrustKit uses `boolValue` of NSNumber and of NSString.
    @Test(arguments: ["<string>YES</string>", "<integer>1</integer>", "<true/>"])
    func acceptsBooleansOfTrustKit(value: String) throws {
        let text = try ExistingFile.written(
            #""a.example":["\#(ExistingFile.x1)","\#(ExistingFile.x2)"]"#, .trustkit,
            into: plist(
                "<dict><key>TSKPinnedDomains</key><dict><key>a.example</key><dict><key>TSKEnforcePinning</key>\(value)</dict></dict></dict>"
            ))
        #expect(try PinSet.read(Array(text.utf8), as: .trustkit).set.entries.map(\.enforce) == [true])
    }

    /// A binary property list has no comments, so a state without a label is lost, too.
    @Test(arguments: [(#""state":"backup""#, true), (#""label":"a""#, true), (#""state":"active""#, false)])
    func warnsOfNotesInABinaryFile(member: String, isLost: Bool) throws {
        let file = BinaryPropertyListWriter.bytes(of: .dictionary([("NSPinnedDomains", .dictionary([]))]))
        let set = try ExistingFile.set(
            #""a.example":["\#(ExistingFile.x1)",{"sha256":"\#(ExistingFile.x2)",\#(member)}]"#)
        let writing = try set.written(as: .apple, into: file, others: .kept)
        #expect(writing.warnings.contains { $0.reason == .labelsInBinaryFile } == isLost)
    }
}
