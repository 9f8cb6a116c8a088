import TestSupport
import Testing
import XMLDocuments

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning

/// A set that is written into an XML file changes only the elements of pins.
@Suite struct MinimalEditTests {
    static let formats = [PinSetFormat.android, .apple, .trustkit]
    private static let x1 = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    private static let x2 = "diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="
    private static let a1 = "++MBgDH5WGvL9Bcn5Be30cRcL0f5O+NyoXuWtQdX1aI="
    private static let a2 = "f0KW/FtqTjs108NpYj42SrGvOB2PpxIVM8nWxjPqJGE="

    private func set(_ pins: String..., label: String? = nil) throws -> PinSet {
        let pins = pins.map { pin in
            "{\"sha256\":\"\(pin)\",\"role\":\"ca\"\(label.map { ",\"label\":\"\($0) \(pin.prefix(4))\"" } ?? "")}"
        }
        return try PinSet(
            json: Array("{\"version\":1,\"hosts\":{\"a.example\":{\"pins\":[\(pins.joined(separator: ","))]}}}".utf8))
    }

    private func into(_ file: [UInt8], _ set: PinSet, _ format: PinSetFormat) throws -> [UInt8] {
        try set.written(as: format, into: file, others: .removed).main
    }

    private func edited(_ file: String, _ set: PinSet, _ format: PinSetFormat) throws -> String {
        String(decoding: try into(Array(file.utf8), set, format), as: UTF8.self)
    }

    /// The offsets in a list where a comment can be: before and after each of its elements.
    private func offsets(in file: [UInt8], _ format: PinSetFormat) throws -> [Int] {
        let document = try XMLDocument(file)
        func lists(_ element: XMLElement) -> [XMLElement] {
            element.name == "pin-set" || element.name == "array" ? [element] : element.children.flatMap(lists)
        }
        return lists(document.root).flatMap { list -> [Int] in
            var offsets = [list.inner.lowerBound, list.inner.upperBound]
            for child in list.children {
                offsets += [child.range.lowerBound, child.range.upperBound]
                if child.name == "dict" { offsets += child.children.map(\.range.lowerBound) }
            }
            return offsets
        }
    }

    /// CR alone ends a line, too (XML 1.0, section 2.11). The editors do not read it so, and could remove a comment of another line.
    @Test(arguments: formats) func doesNotEditLinesThatEndWithCRAlone(format: PinSetFormat) throws {
        let written = try set(Self.x1, Self.x2).written(as: format).main
        let file = written.map { $0 == 0x0a ? 0x0d : $0 }
        // A file that has the set already does not change.
        #expect(try into(file, set(Self.x1, Self.x2), format) == file)
        let error = try #require(throws: PinSetFormatError.self) { try into(file, set(Self.x1), format) }
        #expect(error.message.contains("the line ends with a carriage return alone"), "\(error.message)")
        #expect(error.line == 1)
        let lines = written.flatMap { $0 == 0x0a ? [0x0d, 0x0a] : [$0] }
        #expect(try into(lines, set(Self.x1), format) != lines)
    }

    /// Comments and processing instructions at each place of a list, on lines and on one line, with and without labels.
    @Test(arguments: formats, [nil, "label"]) func keepsEveryOtherByte(format: PinSetFormat, label: String?) throws {
        let old = try set(Self.x1, Self.x2, label: label)
        let written = try old.written(as: format).main
        let oneLine = written.filter { ![0x09, 0x0a].contains($0) }
        var count = 0
        for file in [written, oneLine] {
            for offset in try offsets(in: file, format) {
                for text in ["<!-- by hand -->", "<!-- by\n hand -->", "<?by hand?>", "\n\n<!-- by hand -->\n\n"] {
                    let changed: [UInt8] = file[..<offset] + Array(text.utf8) + file[offset...]
                    // The same set in any order changes nothing.
                    if label == nil {
                        for same in [try set(Self.x1, Self.x2), try set(Self.x2, Self.x1)] {
                            #expect(try into(changed, same, format) == changed)
                        }
                    }
                    // Added pins leave the bytes before and after them.
                    for new in [
                        try set(Self.x1, Self.x2, Self.a1), try set(Self.x1, Self.a1, Self.x2),
                        try set(Self.a1, Self.x1, Self.x2),
                    ] {
                        let result = try into(changed, new, format)
                        let start = zip(result, changed).prefix(while: ==).count
                        let end = zip(result.reversed(), changed.reversed()).prefix(while: ==).count
                        #expect(start + end >= changed.count)
                        #expect(result.count > changed.count)
                        #expect(Set(try pins(result, format)) == [Self.x1, Self.x2, Self.a1])
                        #expect(try into(result, new, format) == result)
                        count += 1
                    }
                }
            }
        }
        #expect(count > 100)
    }

    private func pins(_ file: [UInt8], _ format: PinSetFormat) throws -> [String] {
        try PinSet.read(file, as: format).set.entries.flatMap { $0.pins.map(\.pin.base64) }
    }

    /// Android does not find this domain. Its other settings and its comments stay.
    @Test(arguments: ["a.example.", " A.Example. "], [OtherHosts.kept, .removed])
    func correctsOnlyTheSpellingOfADomain(host: String, others: OtherHosts) throws {
        let set = try set(Self.x1, Self.x2)
        let file = String(decoding: try set.written(as: .android).main, as: UTF8.self)
            .replacing("<domain-config", with: "<!-- by hand -->\n<domain-config cleartextTrafficPermitted=\"false\"")
            .replacing("<pin ", with: "<!-- by hand --><pin ")
        func written(_ text: String) throws -> String {
            String(decoding: try set.written(as: .android, into: Array(text.utf8), others: others).main, as: UTF8.self)
        }
        #expect(try written(file.replacing(">a.example<", with: ">\(host)<")) == file)
        // Beside the right spelling, the other one is the domain of another host.
        let other =
            "<domain-config><domain>\(host)</domain><pin-set><pin digest=\"SHA-256\">\(Self.x1)</pin></pin-set></domain-config>"
        let both = file.replacing("</network", with: "\(other)\n</network")
        #expect(try written(both) == (others == .kept ? both : file))
    }

    /// A pin that goes takes its label with it, and the comments that end its line: `<!-- backup -->` would make the next pin a
    /// backup. Nothing else goes.
    @Test(arguments: formats) func removesOnlyPinsThatGo(format: PinSetFormat) throws {
        let written = try set(Self.x1, Self.x2, Self.a1).written(as: format).main
        let file = String(decoding: written, as: UTF8.self)
        let element = format == .apple ? "dict" : format == .android ? "pin" : "string"
        let (open, close) = ("<\(element)", "</\(element)>")
        let parts = file.split(separator: Self.x2, maxSplits: 1).map(String.init)
        let before = try #require(parts[0].ranges(of: open).last?.lowerBound)
        let after = try #require(parts[1].firstRange(of: close)?.upperBound)
        let head = String(parts[0][..<before])
        let tail = String(parts[1][after...])
        let pin = String(parts[0][before...]) + Self.x2 + String(parts[1][..<after])
        let indentation = String(head.reversed().prefix { $0 == " " || $0 == "\t" })
        let rest = head.dropLast(indentation.count + 1) + tail
        // A comment that stays is followed by a blank line, so it does not become the label of the next pin.
        let blank = tail.drop { $0.isWhitespace }.hasPrefix(open) ? "\n" : ""
        for (text, expected) in [
            (head + pin + tail, String(rest)),
            (
                head + "<!-- first -->\n\(indentation)<!-- label -->\n" + indentation + pin + tail,
                head + "<!-- first -->" + blank + tail
            ),
            (
                head + "<!-- license: first -->\n\n\(indentation)<!-- label -->\n" + indentation + pin + tail,
                head + "<!-- license: first -->\n" + tail
            ),
            (
                head + "<!-- section: first -->\n\n" + indentation + pin + tail,
                head + "<!-- section: first -->\n" + tail
            ),
            (
                head + pin + " <!-- label -->\n\(indentation)<!-- later: first -->\n" + tail,
                head + "<!-- later: first -->\n" + tail
            ),
            (head + pin + " <!-- label --> <!-- backup -->" + tail, String(rest)),
            (head + "<!-- label -->\n" + indentation + pin + " <!-- backup -->" + tail, String(rest)),
            (head + "<!-- label --><?x y?>" + pin + "<?z?>" + tail, head + "<?x y?><?z?>" + tail),
        ] {
            #expect(try edited(text, try set(Self.x1, Self.a1), format) == expected)
            #expect(Set(try pins(Array(expected.utf8), format)) == [Self.x1, Self.a1])
            // A new pin in the place of the old one.
            let replaced = try edited(text, try set(Self.x1, Self.a2, Self.a1), format)
            #expect(try Set(pins(Array(replaced.utf8), format)) == [Self.x1, Self.a2, Self.a1])
            #expect(text.contains("first") == replaced.contains("first"))
            #expect(!replaced.contains("backup"))
        }
    }

    /// A label of the set replaces the label in the file, and no other comment.
    @Test(arguments: formats) func changesOnlyLabels(format: PinSetFormat) throws {
        let (one, two) = (try set(Self.x1, Self.x2, label: "one"), try set(Self.x1, Self.x2, label: "two"))
        let file = String(decoding: try one.written(as: format).main, as: UTF8.self)
        #expect(try edited(file, two, format) == file.replacing("<!-- one", with: "<!-- two"))
        let comment = "<!-- by hand -->"
        let more = file.replacing("<!-- one", with: "\(comment)\n<!-- one")
        #expect(try edited(more, two, format) == more.replacing("<!-- one", with: "<!-- two"))
        // Without labels in the set, those of the file stay.
        #expect(try edited(more, try set(Self.x1, Self.x2), format) == more)
        // Without labels in the file, they are added before their pins.
        let bare = String(decoding: try set(Self.x1, Self.x2).written(as: format).main, as: UTF8.self)
        #expect(try edited(bare, one, format) == file)
    }

    @Test func keepsAttributesAndElementsOfOthers() throws {
        let file = """
            <network-security-config xmlns:tools="http://schemas.android.com/tools">
              <domain-config>
                <domain tools:x="1">a.example</domain>
                <pin-set tools:y="2" expiration="2027-01-01">
                  text <other/>
                  <pin digest="sha-256" tools:note="keep"> \(Self.x1)
                  </pin><pin digest="SHA-256">\(Self.x2)</pin>
                </pin-set> <!-- end -->
              </domain-config>
            </network-security-config>
            """
        let added = try edited(file, try set(Self.x1, Self.x2, Self.a1), .android)
        let pin = "<pin digest=\"SHA-256\">\(Self.a1)</pin>"
        #expect(
            added
                == file.replacing(" expiration=\"2027-01-01\"", with: "")
                .replacing("\(Self.x2)</pin>", with: "\(Self.x2)</pin>\n      \(pin)"))
        let removed = try edited(file, try set(Self.x1), .android)
        #expect(
            removed
                == file.replacing(" expiration=\"2027-01-01\"", with: "")
                .replacing("<pin digest=\"SHA-256\">\(Self.x2)</pin>", with: ""))
    }

    /// Other keys of an identity, values of other types, and other keys of the host.
    @Test func keepsOtherValuesOfPropertyLists() throws {
        let note = "<key>Note</key><string>keep</string>"
        let apple = """
            <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
            <key>a.example</key><dict><key>Other</key><date>2027-01-01T00:00:00Z</date>
            <key>NSPinnedCAIdentities</key>
            <array>
              <dict>\(note)<key>SPKI-SHA256-BASE64</key><string>\(Self.x1)</string></dict>
              <dict>\(note)</dict>
              <string>keep</string>
            </array></dict></dict></dict></dict></plist>
            """
        let identity = "<dict><key>SPKI-SHA256-BASE64</key><string>\(Self.x2)</string></dict>"
        #expect(
            try edited(apple, try set(Self.x1, Self.x2), .apple)
                == apple.replacing("\(Self.x1)</string></dict>", with: "\(Self.x1)</string></dict>\n  \(identity)"))
        let trustkit = """
            <plist version="1.0"><dict><key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict>
            <key>a.example</key><dict><key>TSKReportUris</key><array><string>https://r.example/</string></array>
            <key>TSKPublicKeyHashes</key>
            <array><string><![CDATA[\(Self.x1)]]></string>
              <string>\(Self.x2)</string></array></dict></dict></dict></dict></plist>
            """
        #expect(
            try edited(trustkit, try set(Self.x1, Self.x2, Self.a1), .trustkit)
                == trustkit.replacing("\(Self.x2)</string>", with: "\(Self.x2)</string>\n  <string>\(Self.a1)</string>")
        )
    }

    /// A spelling that the platform does not decode is replaced. One that it decodes counts as the pin.
    @Test func replacesUnreadablePins() throws {
        let file = String(decoding: try set(Self.x1, Self.x2).written(as: .trustkit).main, as: UTF8.self)
        let spelled = file.replacing(Self.x2, with: "sha256/" + Self.x2)
        #expect(try edited(spelled, try set(Self.x1, Self.x2), .trustkit) == file)
        let broken = file.replacing("<string>\(Self.x2)", with: "<string>AAAA</string><string>\(Self.x2)")
        #expect(try edited(broken, try set(Self.x1, Self.x2), .trustkit) == file)
    }
}
