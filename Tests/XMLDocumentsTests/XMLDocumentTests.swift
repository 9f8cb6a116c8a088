import Encodings
import Foundation
import TestSupport
import Testing

@testable import XMLDocuments

@Suite struct XMLDocumentTests {
    static func document(_ text: String) throws(XMLError) -> XMLDocument { try XMLDocument(Array(text.utf8)) }

    static func reason(_ text: String) -> XMLError.Reason? {
        do throws(XMLError) {
            _ = try document(text)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func readsElementsTextAndAttributes() throws {
        let document = try Self.document(
            """
            \u{feff}<?xml version='1.0' encoding="utf-8" standalone='no' ?>
            <!-- before --><?target data?>
            <!DOCTYPE a PUBLIC "-//X//Y" 'http://example.com/a>b.dtd' >
            <a x = "1&lt;&#65;&#x42;&quot;" tools:y='é"\t>'>t&amp;<![CDATA[<&]]>u<b/>\r\nv\r<!-- c -->w<?i?>z</a >
            <!-- after -->

            """)
        let root = document.root
        #expect(root.name == "a")
        #expect(root.attributes.map(\.name) == ["x", "tools:y"])
        #expect(root.attributes.map(\.value) == ["1<AB\"", "é\" >"])
        #expect(root.children.map(\.name) == ["b"])
        #expect(root.children.first?.isEmptyTag == true)
        #expect(root.text == "t&<&u\nv\nwz")
    }

    @Test func recordsRangesOfElements() throws {
        let text = "<a>\n  <b c='1'>é<d/></b>\n</a>"
        let document = try Self.document(text)
        let bytes = Array(text.utf8)
        func source(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        let b = try #require(document.root.children.first)
        #expect(source(document.root.range) == text)
        #expect(source(b.range) == "<b c='1'>é<d/></b>")
        #expect(source(b.inner) == "é<d/>")
        #expect(source(b.attributes[0].range) == "c='1'")
        #expect(source(0..<b.attributesEnd) == "<a>\n  <b c='1'")
        let d = try #require(b.children.first)
        #expect(source(d.range) == "<d/>")
        #expect(d.inner.isEmpty)
        #expect(document.position(of: d.range.lowerBound) == SourcePosition(line: 2, column: 13))
    }

    @Test func rejectsEntities() {
        let bomb = """
            <!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><a>&c;</a>
            """
        #expect(Self.reason(bomb) == .internalSubset)
        #expect(Self.reason("<!DOCTYPE a SYSTEM 'file:///etc/passwd' [<!ENTITY x SYSTEM 'y'>]><a/>") == .internalSubset)
        #expect(Self.reason("<a>&nbsp;</a>") == .entity("nbsp"))
        #expect(Self.reason("<a b='&c;'/>") == .entity("c"))
    }

    @Test func reportsErrorsWithPositions() {
        func check(_ text: String, _ line: Int, _ column: Int, _ message: String) {
            do throws(XMLError) {
                _ = try Self.document(text)
                Issue.record("accepted: \(text)")
            } catch {
                #expect(error.message == message)
                #expect(error.position == SourcePosition(line: line, column: column))
            }
        }
        check("<a>\n <b>\n</a>", 3, 1, #""</a>" does not close "<b>" on line 2"#)
        check("<a>\n é<b c='1' c='2'/></a>", 2, 12, #"duplicate attribute "c""#)
        check("<a>", 1, 1, #""<a>" is not closed"#)
        check("", 1, 1, "expected the root element, found the end of the text")
        check("<a/><b/>", 1, 5, "expected the end of the text after the root element, found more content")
        check("<a>&#0;</a>", 1, 4, "the character U+0000 is not allowed in XML")
        check("<a>\u{1}</a>", 1, 4, "the character U+0001 is not allowed in XML")
        check("<a b=c/>", 1, 6, #"expected a quote before the attribute's value, found "c""#)
        check(
            "<?xml version='1.0' encoding='ISO-8859-1'?><a/>", 1, 21,
            #"the encoding is "ISO-8859-1", expected UTF-8"#)
        check(
            "<?xml version='1.0' encoding='US-ASCII'?><a>é</a>", 1, 21,
            "the declared encoding is US-ASCII, and the text has other characters")
        check(
            "<!DOCTYPE a [<!ELEMENT a ANY>]><a/>", 1, 13,
            "the document type has an internal subset, which is not supported")
    }

    @Test func rejectsUTF16AndInvalidUTF8() {
        for start: [UInt8] in [
            [0xff, 0xfe, 0x3c, 0], [0xfe, 0xff, 0, 0x3c], [0x3c, 0, 0x61, 0], [0, 0x3c, 0, 0x61],
        ] {
            #expect(throws: XMLError(position: SourcePosition(line: 1, column: 1), reason: .utf16)) {
                try XMLDocument(start)
            }
        }
        for bad: [UInt8] in [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]] {
            #expect(throws: XMLError.self) { try XMLDocument(Array("<a>".utf8) + bad + Array("</a>".utf8)) }
        }
    }

    @Test func limitsDepthAndSize() {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(Self.reason(nested(128)) == nil)
        #expect(Self.reason(nested(129)) == .tooDeep(128))
        #expect(Self.reason(nested(500_000)) == .tooDeep(128))
        #expect(Self.reason("<a>" + String(repeating: "x", count: 16 << 20) + "</a>") == .tooLarge(16 << 20))
    }

    /// Texts that other readers accept.
    static let accepted = [
        "<a/>", "<a></a>", "<a />", "<a\n b='1'\n c=\"2\"\n/>", "<a>&#x10FFFF;</a>", "<a>]] ></a>", "<a>></a>",
        "<_:b.-1/>",
        "<!DOCTYPE a><a/>", "<!DOCTYPE a SYSTEM 'b'><a/>", "<!DOCTYPE a PUBLIC 'b' 'c'><a/>",
        "<?xml version='1.0'?><a/>",
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<a/>", "<a><!----></a>", "<a><!-- - --></a>",
        "<a><![CDATA[]]></a>", "<a><![CDATA[]]]]></a>", "<a><![CDATA[<b>&c;]]></a>", "<?p?><a/><?p ?>",
        "<a><?p q? > ?></a>",
        "<é/>", "<a é='ü'>日本語</a>", "<a\tb='&#9;'/>", " <a/>", "\n<!-- x -->\n<a/>\n", "<a b='>'/>",
        "<a b='\"' c=\"'\"/>",
        "<?xml-stylesheet href='x'?><a/>",
    ]

    static let refused = [
        "", " ", "a", "<", "<>", "< a/>", "<a", "<a>", "<a/", "<a></b>", "<a></a", "<a/><b/>", "<a/>x", "x<a/>",
        "<a b/>",
        "<a b=/>", "<a b='1/>", "<a b='1'c='2'/>", "<a b='1' b='2'/>", "<a b='<'/>", "<a>&</a>", "<a>&lt</a>",
        "<a>&;</a>",
        "<a>&x;</a>", "<a>&#;</a>", "<a>&#x;</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&#x110000;</a>", "<a>&#1;</a>",
        "<a>]]></a>", "<a><!-- -- --></a>", "<a><!-- --->", "<a><!- x --></a>", "<a><![CDATA[</a>",
        "<a><![cdata[]]></a>",
        "<1/>", "<-a/>", "<.a/>", "<a 1='2'/>", "</a>", "<a><b></a></b>", "<?xml?><a/>", " <?xml version='1.0'?><a/>",
        "<?xml version='1.0' standalone='maybe'?><a/>", "<?xml encoding='UTF-8'?><a/>", "<a/><?xml version='1.0'?>",
        "<?XML x?><a/>", "<?xml version='1.0'><a/>", "<!DOCTYPE><a/>", "<!DOCTYPE a PUBLIC 'b'><a/>",
        "<a/><!DOCTYPE a>",
        "<!DOCTYPE a><!DOCTYPE a><a/>", "<!doctype a><a/>", "<a>\u{0}</a>", "<a>\u{fffe}</a>", "<a>\u{b}</a>",
        "<a\u{a0}b='1'/>",
        "<a b='&c;'/>", "<?p", "<!--", "<a><?1?></a>", "<a b='1", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&d;</a>",
    ]

    @Test func agreesWithCorpus() {
        for text in Self.accepted { #expect(Self.reason(text) == nil, "\(text)") }
        for text in Self.refused { #expect(Self.reason(text) != nil, "\(text)") }
    }

    @Test(.enabled(if: ExternalCommand.path(of: "xmllint") != nil)) func agreesWithXmllint() throws {
        let xmllint = try #require(ExternalCommand.path(of: "xmllint"))
        try ExternalCommand.withFolder { folder in
            let file = folder.appending(path: "a.xml")
            for (texts, isAccepted) in [(Self.accepted, true), (Self.refused, false)] {
                for text in texts {
                    try Data(text.utf8).write(to: file)
                    let run = try ExternalCommand(xmllint, ["--noout", "--nonet", file.path()])
                    #expect((run.status == 0) == isAccepted, "\(text): \(run.output)")
                }
            }
        }
    }

    /// Compares the results for thousands of damaged documents with Expat in Python.
    @Test(.enabled(if: ExternalCommand.path(of: "python3") != nil)) func agreesWithExpat() throws {
        let python = try #require(ExternalCommand.path(of: "python3"))
        var generator = SeededGenerator(seed: 1998)
        let words = [
            "<", ">", "/", "</a>", "<a>", "&amp;", "&#65;", "<!--", "-->", "<![CDATA[", "]]>", "<?p ?>", "\"", "'", "=",
        ]
        var lines: [String] = []
        var verdicts: [String] = []
        let seeds = Self.accepted.filter {
            !$0.contains("DOCTYPE") && !$0.hasPrefix("<?xml") && $0.utf8.allSatisfy { $0 < 128 }
        }
        while lines.count < 4000 {
            let joined = "<r>" + (0..<3).map { _ in seeds.randomElement(using: &generator) ?? "" }.joined() + "</r>"
            let bytes = generator.damaged(Array(joined.utf8), words: words)
            // Expat has the name characters of an older edition, and continues without an external document type.
            guard bytes.allSatisfy({ $0 < 0x80 }), !bytes.has("<!D"), !bytes.has("<?xml ") else { continue }
            lines.append(Data(bytes).base64EncodedString())
            verdicts.append((try? XMLDocument(bytes)) == nil ? "no" : "yes")
        }
        try ExternalCommand.withFolder { folder in
            let file = folder.appending(path: "documents")
            try Data(lines.joined(separator: "\n").utf8).write(to: file)
            let program = """
                import base64, sys, xml.parsers.expat
                for line in open(sys.argv[1]):
                    try:
                        xml.parsers.expat.ParserCreate("utf-8").Parse(base64.b64decode(line), True)
                        print("yes")
                    except xml.parsers.expat.ExpatError:
                        print("no")
                """
            let run = try ExternalCommand(python, ["-c", program, file.path()])
            let opinions = run.output.split(separator: "\n").map(String.init)
            #expect(opinions.count == lines.count, "\(run.output.prefix(500))")
            for (index, (ours, theirs)) in zip(verdicts, opinions).enumerated() where ours != theirs {
                let text = Data(base64Encoded: lines[index]).map { String(decoding: $0, as: UTF8.self) } ?? ""
                Issue.record("\(ours), and Expat says \(theirs): \(text.debugDescription)")
            }
            #expect(Set(verdicts).count == 2)
        }
    }
}
