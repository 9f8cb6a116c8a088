import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import PropertyLists

/// A comment of a person stays beside a pin without a label when a set is written into an existing file.
@Suite struct KeptCommentTests {
    /// The first pin has a state and no label, the second one a label, and the third one has neither.
    private static let hosts =
        #""a.example":{"pins":[{"sha256":"\#(ExistingFile.x1)","state":"backup"},{"sha256":"\#(ExistingFile.x2)","label":"new"},"\#(ExistingFile.x3)"]}"#

    @Test func aPinWithoutALabelKeepsTheCommentOfAPerson() throws {
        let pins = [
            (ExistingFile.x1, "ask Bob", "ask Bob; backup"), (ExistingFile.x2, "old", "new"),
            (ExistingFile.x3, "third; backup", "third; backup"),
        ]
        func file(_ items: [String]) -> [(PinSetFormat, String)] {
            let lines = items.joined(separator: "\n")
            return [
                (
                    .android,
                    "<network-security-config><domain-config><domain>a.example</domain>\n<pin-set>\n\(lines)\n</pin-set></domain-config></network-security-config>"
                ),
                (
                    .trustkit,
                    "<plist><dict><key>TSKPinnedDomains</key><dict><key>a.example</key><dict><key>TSKPublicKeyHashes</key><array>\n\(lines)\n</array></dict></dict></dict></plist>"
                ),
                (
                    .apple,
                    "<plist><dict><key>NSPinnedDomains</key><dict><key>a.example</key><dict><key>NSPinnedCAIdentities</key><array>\n\(lines)\n</array></dict></dict></dict></plist>"
                ),
            ]
        }
        for (format, element) in [
            (PinSetFormat.android, { (pin: String) in "<pin digest=\"SHA-256\">\(pin)</pin>" }),
            (.trustkit, { "<string>\($0)</string>" }),
            (.apple, { "<dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>" }),
        ] {
            let old = file(pins.map { "<!-- \($0.1) -->\n\(element($0.0))" }).first { $0.0 == format }?.1 ?? ""
            let new = file(pins.map { "<!-- \($0.2) -->\n\(element($0.0))" }).first { $0.0 == format }?.1
            #expect(try ExistingFile.written(Self.hosts, format, into: old) == new)
        }
    }
}
