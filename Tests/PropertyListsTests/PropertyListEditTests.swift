import Foundation
import TestSupport
import Testing

@testable import PropertyLists

@Suite struct PropertyListEditTests {
    static func edited(_ text: String, _ change: (PropertyListValue) -> PropertyListValue) throws -> String {
        let list = try PropertyList(Array(text.utf8))
        return String(decoding: try list.replacingRoot(with: change(list.root)), as: UTF8.self)
    }

    static let file = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- kept -->
        <plist version="1.0">
        <dict>
          <key>a</key>  <string>one &#x26; two</string>
          <!-- about b -->
          <key>b</key>
          <dict>
            <key>c</key><true></true>
            <key>d</key>
            <array> <integer>0x10</integer> </array>
          </dict>
          <key>e</key> <data> AA== </data>
        </dict>
        </plist>
        <!-- kept too -->
        """

    @Test func changesOnlyOneValue() throws {
        let result = try Self.edited(Self.file) { $0.setting(["b", "c"][...], to: .bool(false)) }
        #expect(result == Self.file.replacing("<true></true>", with: "<false/>"))
        #expect(try Self.edited(Self.file) { $0 } == Self.file)
        // An equal value in another notation stays unchanged.
        #expect(try Self.edited(Self.file) { $0.setting(["e"][...], to: PropertyListValue(.data([0]))) } == Self.file)
    }

    @Test func usesTheIndentationOfTheFile() throws {
        let result = try Self.edited(Self.file) {
            $0.setting(["b", "x", "y"][...], to: .array([.string("1"), .string("<")]))
        }
        #expect(
            result
                == Self.file.replacing(
                    "    </array>\n", with: ""
                )
                .replacing(
                    "</array>\n",
                    with: """
                        </array>
                            <key>x</key>
                            <dict>
                              <key>y</key>
                              <array>
                                <string>1</string>
                                <string>&lt;</string>
                              </array>
                            </dict>

                        """))
    }

    @Test func removesWholeLines() throws {
        let result = try Self.edited(Self.file) { $0.setting("e", to: nil) }
        #expect(result == Self.file.replacing("  <key>e</key> <data> AA== </data>\n", with: ""))
        let both = try Self.edited(Self.file) { $0.setting("b", to: nil).setting("z", to: .bool(true)) }
        #expect(both.contains("  <key>e</key> <data> AA== </data>\n  <key>z</key>\n  <true/>\n</dict>"))
        #expect(!both.contains("<key>b</key>"))
        #expect(both.contains("<!-- about b -->"))
    }

    @Test func keepsLineEndsAndOneLineFiles() throws {
        let windows = Self.file.replacing("\n", with: "\r\n")
        let result = try Self.edited(windows) { $0.setting("z", to: .array([.bool(true)])) }
        #expect(result.contains("\r\n  <key>z</key>\r\n  <array>\r\n    <true/>\r\n  </array>\r\n</dict>"))
        #expect(!result.replacing("\r\n", with: "").contains("\n"))

        let line = "<plist><dict><key>a</key><true/></dict></plist>"
        #expect(
            try Self.edited(line) { $0.setting("b", to: .array([.string("c")])) }
                == "<plist><dict><key>a</key><true/><key>b</key><array><string>c</string></array></dict></plist>")
        #expect(
            try Self.edited("<plist version=\"1.0\">\n<dict/>\n</plist>") { $0.setting("b", to: .bool(true)) }
                == "<plist version=\"1.0\">\n<dict>\n\t<key>b</key>\n\t<true/>\n</dict>\n</plist>")
    }

    /// Comments and processing instructions between the values of an array stay if the array goes. A label goes with its value.
    @Test func keepsTheCommentsOfARemovedArray() throws {
        let file = """
            <plist version="1.0">
            <dict>
              <key>a</key> <!-- before the array -->
              <array>
                <!-- procedure -->

                <string>x</string> <!-- label -->

                <?tool y?>
                <!-- last -->
              </array>
              <key>b</key> <true/>
              <key>c</key>
              <array>
                <!-- label of d -->
                <string>d</string>
              </array>
            </dict>
            </plist>
            """
        let result = try Self.edited(file) { $0.setting("a", to: nil).setting("c", to: nil) }
        #expect(
            result == """
                <plist version="1.0">
                <dict>
                  <!-- before the array -->
                    <!-- procedure -->


                    <?tool y?>
                    <!-- last -->
                  <key>b</key> <true/>
                </dict>
                </plist>
                """)
        let line =
            "<plist><dict><key>a</key><array><!-- one -->\n\n<string>x</string></array><key>b</key><true/></dict></plist>"
        let short = try Self.edited(line) { $0.setting("a", to: nil) }
        #expect(short.contains("<!-- one -->") && !short.contains("array") && !short.contains("string"), "\(short)")
    }

    /// An empty element that is filled keeps its attributes and its comments.
    @Test(arguments: [
        ("<dict id=\"1\"/>", "<dict id=\"1\"><key>k</key><string>v</string></dict>"),
        ("<dict id='1' ></dict>", "<dict id='1' ><key>k</key><string>v</string></dict>"),
        ("<dict><!-- c --></dict>", "<dict><!-- c --><key>k</key><string>v</string></dict>"),
        ("<dict><?x?> </dict>", "<dict><?x?><key>k</key><string>v</string></dict>"),
        ("<array id=\"1\" />", "<array id=\"1\"><string>v</string></array>"),
    ]) func fillsAnEmptyElement(old: String, new: String) throws {
        let value: PropertyListValue =
            old.hasPrefix("<dict") ? .dictionary([("k", .string("v"))]) : .array([.string("v")])
        let file = "<plist><dict><key>a</key>\(old)</dict></plist>"
        let list = try PropertyList(Array(file.utf8))
        var filled = try #require(list.root["a"])
        filled.content = value.content
        let result = try list.replacingRoot(with: list.root.setting("a", to: filled))
        #expect(String(decoding: result, as: UTF8.self) == file.replacing(old, with: new))
    }

    @Test func fillsAnEmptyElementOnLines() throws {
        let file = "<plist>\n<dict id=\"1\">\n  <!-- c -->\n</dict>\n</plist>"
        #expect(
            try Self.edited(file) { $0.setting("k", to: .string("v")) }
                == "<plist>\n<dict id=\"1\">\n  <!-- c -->\n\t<key>k</key>\n\t<string>v</string>\n</dict>\n</plist>")
    }

    /// Replaces random values by random values. The file then contains the new value, and plistlib reads it.
    @Test func everyChangeReadsBack() throws {
        var generator = SeededGenerator(seed: 99)
        for _ in 0..<80 {
            let old = PropertyListTests.random(depth: 1, using: &generator)
            let new = Self.changed(old, using: &generator)
            for bytes in [try XMLPropertyListWriter.document(old), BinaryPropertyListWriter.bytes(of: old)] {
                let list = try PropertyList(bytes)
                let result = try list.replacingRoot(with: new)
                #expect(Self.sorted(try PropertyList(result).root) == Self.sorted(new))
                #expect(result.starts(with: "bplist".utf8) == bytes.starts(with: "bplist".utf8))
            }
        }
    }

    static func sorted(_ value: PropertyListValue) -> PropertyListValue { PropertyListTests.sorted(value) }

    static func changed(_ value: PropertyListValue, using generator: inout SeededGenerator) -> PropertyListValue {
        guard let members = value.members, Int.random(in: 0..<8, using: &generator) > 0 else {
            return PropertyListTests.random(depth: 4, using: &generator)
        }
        var result: [(String, PropertyListValue)] = []
        for member in members {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: continue
            case 1: result.append((member.key, changed(member.value, using: &generator)))
            default: result.append((member.key, member.value))
            }
        }
        for index in 0..<Int.random(in: 0..<3, using: &generator) {
            result.append(("new \(index)", PropertyListTests.random(depth: 3, using: &generator)))
        }
        return .dictionary(result)
    }
}
