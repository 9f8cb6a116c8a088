import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec

@Suite struct YAMLReaderTests {
    /// A value as JSON without quotes around keys; unsupported values begin with an exclamation mark.
    private func shown(_ value: YAMLValue) -> String {
        switch value.content {
        case .scalar(let text, let isPlain): isPlain ? text : "\"\(text)\""
        case .sequence(let values): "[" + values.map(shown).joined(separator: ", ") + "]"
        case .mapping(let members):
            "{" + members.map { "\($0.key): \(shown($0.value))" }.joined(separator: ", ") + "}"
        case .unsupported(let reason): "!\(reason)"
        }
    }

    /// The expected values are those of PyYAML 6.0 (`yaml.safe_load_all`), with plain scalars as text.
    @Test(arguments: [
        ("a: 1\nb: two words # comment\n", "{a: 1, b: two words}"),
        ("a:\n  b:\n    c: d\n  e: f\n", "{a: {b: {c: d}, e: f}}"),
        ("- a\n- b: c\n  d: e\n-\n  - f\n- - g\n  - h\n", "[a, {b: c, d: e}, [f], [g, h]]"),
        ("a:\n- b\n- c\nd: e\n", "{a: [b, c], d: e}"),
        ("a: {b: [c, \"d\", 'e''s'], f: {}}\n", "{a: {b: [c, \"d\", \"e's\"], f: {}}}"),
        ("{\"a\": [1,\n  true, null]}\n", "{a: [1, true, null]}"),
        ("a: \"x\\ty\\u00e9 # no comment\" # comment\n", "{a: \"x\ty\u{e9} # no comment\"}"),
        ("a: http://h:1/#x\nb: c#d\n", "{a: http://h:1/#x, b: c#d}"),
        ("a: |\n  x: y\n   z\nb: c\n", "{a: \"x: y\n z\n\", b: c}"),
        ("a: &name\n  b: c\n", "{a: {b: c}}"),
        ("\"a b\": c\n'd': e\n", "{a b: c, d: e}"),
        ("a:\nb:\n", "{a: , b: }"),
        ("\u{feff}a: b\r\nc: d\r\n", "{a: b, c: d}"),
    ])
    func readsTheSubset(text: String, expected: String) throws {
        #expect(try YAMLReader.documents(Array(text.utf8)).map(shown) == [expected])
    }

    /// YAML 1.2.2, section 5.4, and YAML 1.1, section 4.2. For libyaml and go-yaml, a comment ends there.
    @Test(arguments: ["\r", "\u{85}", "\u{2028}", "\u{2029}"]) func rejectsOtherLineBreaks(lineBreak: String) throws {
        let text = "a: b\r\n# note\(lineBreak)c: d\n"
        let error = #expect(throws: YAMLError.self) { try YAMLReader.documents(Array(text.utf8)) }
        #expect(error?.position == SourcePosition(line: 2, column: 7))
    }

    @Test func readsSeveralDocuments() throws {
        let text = "a: b\n---\n# nothing\n---\n- c\n...\n--- {d: e}\n"
        #expect(try YAMLReader.documents(Array(text.utf8)).map(shown) == ["{a: b}", "[c]", "{d: e}"])
        #expect(try YAMLReader.documents([]).isEmpty)
    }

    /// Values outside the subset become "unsupported", and the rest is read.
    @Test(arguments: [
        ("b: &b e\na: *b\nc: d\n", "{b: e, a: !an alias, c: d}"), ("a: !!str b\nc: d\n", "{a: !a tag, c: d}"),
        ("a: {{ .b }}\nc: d\n", "{a: !a template, c: d}"), ("a: {{- x }}:{{ y[0] }}\nc: d\n", "{a: !a template, c: d}"),
        ("a: {{ env \"B\" }}.example\nc: d\n", "{a: !a template, c: d}"),
        ("a: b\n  c\nd: e\n", "{a: !a plain scalar over several lines, d: e}"),
        ("a: \"b\n  c\"\nd: e\n", "{a: !a quoted scalar over several lines, d: e}"),
        (
            "a: \"b: 'c\n\n# d\n e\" # f\ng: 'h''i\nj'\n",
            "{a: !a quoted scalar over several lines, g: !a quoted scalar over several lines}"
        ),
        ("b: &b e\n<<: *b\nc: d\n", "{b: e, <<: !a merge key, c: d}"),
    ])
    func namesWhatItDoesNotRead(text: String, expected: String) throws {
        #expect(try YAMLReader.documents(Array(text.utf8)).map(shown) == [expected])
    }

    @Test(arguments: [
        ("a: b\nc: d\ng\n", 3, "expected a key and a colon"), ("a: b\n c: d\n", 2, "a mapping is not allowed"),
        ("a: b\na: c\n", 2, "occurs twice"),
        ("{a: b, a: c}", 1, "occurs twice"), ("a: [b\n", 2, "expected"),
        ("? a\n", 1, "pinctl does not read complex keys"), ("a: [::1]\n", 1, "pinctl does not read a value"),
        ("x: &x 1\n*x : b\n", 2, "pinctl does not read an alias"), ("[a]: b\n", 1, "pinctl does not read"),
        ("%A 1.2\n---\na: b\n", 1, "pinctl does not read directives"), ("a:\n\tb: c\n", 2, "a tab"),
        ("a: \"\\q\"\n", 1, "escape"),
        ("a: [b] c\n", 1, "after the end of the value"), ("a: @b\n", 1, "cannot begin"),
        ("- a\n- b: c\n - d\n", 3, "indentation"),
    ])
    func refusesOtherTextsWithTheirLine(text: String, line: Int, message: String) throws {
        let thrown = #expect(throws: YAMLError.self) { try YAMLReader.documents(Array(text.utf8)) }
        let error = try #require(thrown)
        #expect(error.position.line == line, "\(error.message)")
        #expect(error.message.contains(message))
    }

    /// libyaml 0.2.5, which Stubby and the readers in Go use or are ported from, rejects these texts, here read with PyYAML 6.0.
    @Test(arguments: [
        "a: \"b\nc: d\n", "a: 'b\n", "a: *b\n", "a: [*b]\n", "<<: *b\n", "a: b: c\n", "a: !<b\n", "a: !b!c d\n",
        "a: b\u{1}c\n", "# a\u{7f}\n", "a: b\0c\n", "a: &b &c d\n", "a: & b\n", "a: [b,,c]\n", "a: [,b]\n",
        "a: {b: c,,}\n",
        "a: [- b]\n", "a: |b\n  c\n", "a: |0\n  c\n", "a: >>\n", "\"a\":b\n", "a: b\n  c: d\n", "a: b # c\n  d\n",
        "a: ,b\n",
        "a: ]\n", "a: }\n", "a: - b\n", "a: ? b\n", ",a: b\n", "]a: b\n", ": a\n", "a: b\n... c\n", "--- a: b\n",
        "--- - a\n",
        "-\ta\n", "a: b\n\t\nc: d\n", "a: \"b\n  c\" d\n",
    ])
    func refusesWhatOtherReadersRefuse(text: String) {
        #expect(throws: YAMLError.self) { try YAMLReader.documents(Array(text.utf8)) }
    }

    /// libyaml 0.2.5 rejects these texts too, here read with PyYAML 6.0.
    @Test(arguments: [
        "a: [::1]\n", "a: {b: :c}\n", "x: &x 1\na: *x y\n", "x: &x 1\na: [*x y]\n",
        "a: [- b]\n", "a: !!map b: c\n", "a: [& b]\n", "%YAML 1.2\na: b\n", "%YAML 1.3\n---\na: b\n", "a: {b\n: c}\n",
        "a: \"\\ud83d\"\n", "a: [b\n# c\n d]\n", "a: [\"b]\n", "--- |\nfoo\n", "b: c\n{{- if x }}\n",
    ])
    func refusesMistakesInOtherPlaces(text: String) {
        #expect(throws: YAMLError.self) { try YAMLReader.documents(Array(text.utf8)) }
    }

    /// Texts of the yaml-test-suite (ccfa74e): DFF7 and FH7J are valid, and the others are not.
    @Test func textsOfTheYAMLTestSuite() throws {
        let entries = "{\n? explicit: entry,\nimplicit: entry,\n?\n}\n"
        #expect(try YAMLReader.documents(Array(entries.utf8)).map(shown) == ["!a complex key"])
        #expect(try YAMLReader.documents(Array("[?\n, a]".utf8)).map(shown) == ["[!a complex key, a]"])
        for text in ["- !!str\n-\n  !!null : a\n  b: !!str\n", ": a\n", "- : b\n"] {
            let error = #expect(throws: YAMLError.self) { try YAMLReader.documents(Array(text.utf8)) }
            #expect(error?.message == "pinctl does not read an empty key")
        }
        for text in [
            "!foo \"bar\"\n%TAG ! tag:example.com,2000:app/\n---\n!foo \"bar\"\n",
            "---\nscalar1 # comment\n%YAML 1.2\n---\nscalar2\n", "---\nkey: value\n%YAML 1.2\n---\n",
            "---\n[ a, b, c,#invalid\n]\n", "block: ># comment\n  scalar\n",
        ] {
            #expect(throws: YAMLError.self) { try YAMLReader.documents(Array(text.utf8)) }
        }
    }

    @Test func limitsTheLengthOfKeys() throws {
        func text(_ count: Int) -> [UInt8] { Array("\(String(repeating: "k", count: count)): a\n".utf8) }
        #expect(throws: Never.self) { try YAMLReader.documents(text(1000)) }
        #expect(throws: YAMLError.self) { try YAMLReader.documents(text(1100)) }
    }

    /// These texts have a second document, or a line with a tab that yaml-cpp skips (yaml-cpp c3f8112, src/scanner.cpp). libyaml rejects
    /// some of these lines.
    @Test(arguments: [
        ("a: b\n...\nc: d\n", ["{a: b}", "{c: d}"]), ("a: b\n...\n%YAML 1.1\n---\nc: d\n", ["{a: b}", "{c: d}"]),
        ("a: b\n---\n# c\n...\nd: e\n", ["{a: b}", "{d: e}"]), ("a: b\n \t\nc: d\n", ["{a: b, c: d}"]),
        ("a:\n\t\n  b: c\n", ["{a: {b: c}}"]), ("a: [b]\n\t\nc: \"d\"\n\t\n", ["{a: [b], c: \"d\"}"]),
    ])
    func readsDocumentsAndBlankLines(text: String, expected: [String]) throws {
        #expect(try YAMLReader.documents(Array(text.utf8)).map(shown) == expected)
    }

    /// libyaml reads these texts.
    @Test(arguments: [
        ("a: b:c\n", "{a: b:c}"), ("a: -b\n", "{a: -b}"), ("a: ?b\n", "{a: ?b}"), ("\"a\" : b\n", "{a: b}"),
        ("a: |2- # b\n    c\nd: e\n", "{a: !a block scalar with an indentation indicator, d: e}"),
        ("a: |\n  b\n  \t\n  c\nd: e\n", "{a: \"b\n\t\nc\n\", d: e}"),
        ("a: [b:c, -d]\n", "{a: [b:c, -d]}"), ("a: &b\n  c: *b\n", "{a: {c: !an alias}}"),
        ("a: [-a, -]\n", "{a: [-a, -]}"), ("a: [b: c, d]\n", "{a: [{b: c}, d]}"),
        ("a: {b, c: d}\n", "{a: {b: , c: d}}"),
        ("a: &a {b: c}\nd:\n  <<:\n  - *a\n  e: f\n", "{a: {b: c}, d: {<<: !a merge key, e: f}}"),
        ("a: !!seq\n- b\nc: d\n", "{a: [b], c: d}"), ("a: !e\n- b\nc: d\n", "{a: !a tag, c: d}"),
        ("a:\n- |\n b\n- c\n", "{a: [\"b\n\", c]}"), ("--- |\n b\n c\n", "\"b\nc\n\""),
        ("--- !!map\na: b\n", "{a: b}"), ("--- &x\na: b\n", "{a: b}"), ("&k a: b\nc: *k\n", "{a: b, c: !an alias}"),
        ("a:\n- &x b: c\n  d: *x\n", "{a: [{b: c, d: !an alias}]}"), ("a:\n- &x\n b: c\n", "{a: [{b: c}]}"),
        ("a: [!!str b, &x c, *x]\n", "{a: [!a tag, c, !an alias]}"), ("a: {b: &x c, *x : d}\n", "{a: !a complex key}"),
        ("a: {? b : c}\n", "{a: !a complex key}"), ("a: \"\\e\\U00000041\\_\"\n", "{a: \"\u{1b}A\u{a0}\"}"),
        ("a: \"b\\\n  c\"\nd: e\n", "{a: !a quoted scalar over several lines, d: e}"),
        ("a: [b\n  c, \"d\n  e\"]\n", "{a: [!a plain scalar over several lines, !a quoted scalar over several lines]}"),
        ("%YAML 1.2\n---\na: b\n...\n# c\n%YAML 1.1 # d\n--- # e\n", "{a: b}"),
    ])
    func readsWhatOtherReadersRead(text: String, expected: String) throws {
        #expect(try YAMLReader.documents(Array(text.utf8)).map(shown) == [expected])
    }

    @Test func givesPositions() throws {
        let value = try #require(try YAMLReader.documents(Array("a:\n  - é: [x, y]\n".utf8)).first)
        let member = try #require(value["a"]?.sequence?.first?.members?.first)
        #expect(member.position == SourcePosition(line: 2, column: 5))
        #expect(member.value.sequence?.last?.position == SourcePosition(line: 2, column: 12))
    }

    @Test func limitsDepth() throws {
        for piece in ["[", "{a: ", "- "] {
            let text = String(repeating: piece, count: 100_000)
            let thrown = #expect(throws: YAMLError.self) { try YAMLReader.documents(Array(text.utf8)) }
            let error = try #require(thrown)
            #expect(error.message.contains("more than 48 levels"))
        }
    }

    /// Any bytes lead to a value or to an error.
    @Test func takesAnyBytes() {
        let seed = "a: &x\n  - b: {c: ['d', \"e\\n\"]} # f\n    g: |\n      h\n  - *x\n---\n- ? i\n- {{ j }}\n"
        var generator = SeededGenerator(seed: 2021)
        var refused = 0
        for _ in 0..<TestEnvironment.rounds(20_000) {
            var bytes = Array(seed.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<max(1, bytes.count), using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0 where !bytes.isEmpty:
                    bytes[place] = Array("\n -:#'\"[]{}|>&*!?\\\u{9}a".utf8).randomElement(using: &generator) ?? 0
                case 1 where !bytes.isEmpty: bytes.removeSubrange(place..<min(bytes.count, place + 3))
                default:
                    bytes =
                        Array(bytes.prefix(place)) + bytes.suffix(Int.random(in: 0...bytes.count, using: &generator))
                }
            }
            if (try? YAMLReader.documents(bytes)) == nil { refused += 1 }
        }
        #expect(refused > TestEnvironment.rounds(1000))
    }
}
