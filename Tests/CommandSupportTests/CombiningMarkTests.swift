import CheckReports
import Encodings
import Foundation
import Reports
import TestSupport
import Testing
import XMLDocuments

/// In a Swift string, a delimiter is one character with a combining mark after it, or with a letter such as U+0D4E before it. For each
/// other program it is a delimiter. So real readers must read what the writers write.
@Suite(.blocking) struct CombiningMarkTests {
    private static let delimiters = " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".unicodeScalars.map { String($0) }
    private static let texts = delimiters.flatMap { delimiter in
        [
            "\(delimiter)\u{301}", "a\(delimiter)\u{301};echo x;\(delimiter)\u{301}", "\u{D4E}\(delimiter)b",
            "a\(delimiter)\(delimiter)\u{301}\(delimiter)",
        ]
    }

    /// Compares scalars, because equal strings may have other bytes.
    private func expect(_ read: [String], _ texts: [String], _ writer: String) {
        #expect(read.map { Array($0.utf8) } == texts.map { Array($0.utf8) }, "\(writer)")
    }

    /// The list of texts that a Python program prints as JSON, after it has read a document.
    private func python(_ program: String, _ document: String) throws -> [String] {
        let run = try ChildProcess.run(
            ["python3", "-X", "utf8", "-c", "import sys, json\ntext = sys.stdin.buffer.read().decode()\n" + program],
            input: Array(document.utf8))
        #expect(run.end == .exit(0), "\(run.errors)")
        return try JSONDecoder().decode([String].self, from: Data(run.text.utf8))
    }

    @Test func csv() throws {
        let document = Self.texts.map { CSVRecord.line([.text($0), .plain("end")]) }.joined()
        let read = try python(
            "import csv, io; rows = list(csv.reader(io.StringIO(text, newline='')))\n"
                + "assert all(len(row) == 2 and row[1] == 'end' for row in rows); print(json.dumps([row[0] for row in rows]))",
            document)
        let formulas: [Unicode.Scalar] = ["=", "+", "-", "@"]
        expect(
            read,
            Self.texts.map { text in
                let first = text.unicodeScalars.first { $0 != " " }
                let start = first.map(formulas.contains) ?? false ? "'" : ""
                // A semicolon can begin a field, too.
                var last: Unicode.Scalar = " "
                return text.unicodeScalars.reduce(into: start) { result, scalar in
                    if last == ";", formulas.contains(scalar) { result += "'" }
                    result.unicodeScalars.append(scalar)
                    last = scalar
                }
            }, "CSV")
    }

    @Test func json() throws {
        let document = "[" + Self.texts.map { JSONText.quoted($0) }.joined(separator: ",") + "]"
        try expect(python("print(json.dumps(json.loads(text)))", document), Self.texts, "JSON")
    }

    @Test func xmlAndHTML() throws {
        let elements = Self.texts.map {
            "<i a=\"\(XMLText.attribute($0))\" b=\"\(MarkupText.escaped($0))\">\(XMLText.replacing($0))</i>"
        }
        let program = """
            import xml.etree.ElementTree as tree, html.parser
            items = list(tree.fromstring(text))
            class Reader(html.parser.HTMLParser):
                found = []
                def handle_starttag(self, tag, attributes):
                    assert tag == "r" or len(attributes) == 2
                    self.found += [value for _, value in attributes]
            reader = Reader()
            reader.feed(text)
            assert len(items) == len(list(items))
            print(json.dumps([i.get("a") for i in items] + [i.get("b") for i in items] + [i.text for i in items]
                + reader.found[0::2] + reader.found[1::2]))
            """
        let read = try python(program, "<r>" + elements.joined() + "</r>")
        expect(read, Array(repeating: Self.texts, count: 5).flatMap(\.self), "XML and HTML")
    }

    @Test func urls() throws {
        let document = JSONText.quoted(Self.texts.map { FileReference.uri(of: "d/" + $0) }.joined(separator: "\n"))
        let read = try python(
            """
            import urllib.parse
            urls = [urllib.parse.urlsplit(url) for url in json.loads(text).split("\\n")]
            assert all(url.scheme == "" and url.netloc == "" and url.query == "" and url.fragment == "" for url in urls)
            print(json.dumps([urllib.parse.unquote(url.path) for url in urls]))
            """, document)
        expect(read, Self.texts.map { "d/" + $0 }, "URI references")
    }

    @Test func shells() throws {
        let line = ShellCommand.line(Self.texts)
        try expect(python("import shlex; print(json.dumps(shlex.split(text)))", line), Self.texts, "shlex")
        for shell in ["sh", "dash", "bash", "zsh", "fish"] where ExternalCommand.path(of: shell) != nil {
            let run = try ChildProcess.run([shell, "-c", "printf '%s\\0' \(line)"])
            #expect(run.end == .exit(0), "\(shell): \(run.errors)")
            let words = run.output.split(separator: 0, omittingEmptySubsequences: false).dropLast()
            expect(words.map { String(decoding: $0, as: UTF8.self) }, Self.texts, shell)
        }
    }
}
