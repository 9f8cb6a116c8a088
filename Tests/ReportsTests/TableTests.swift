import Foundation
import TestSupport
import Testing

@testable import Reports

/// The texts of tables.
@Suite struct TableTests {
    @Test(arguments: [
        "plain", "a,b", "a \"quoted\" word", "two\r\nlines", " space", "", "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1",
        "a=1", "ü", " =1", "\u{A0}＋1", "  a",
    ]) func pythonReadsAField(text: String) throws {
        let csv = CSVRecord.line([.text(text), .plain("-5")])
        let script =
            "import csv,io,json,sys; print(json.dumps(list(csv.reader(io.StringIO(sys.stdin.read(), newline='')))))"
        let outcome = try ChildProcess.run(["python3", "-c", script], input: Array(csv.utf8))
        let rows = try JSONDecoder().decode([[String]].self, from: Data(outcome.text.utf8))
        let isFormula = text.first { $0 != " " && $0 != "\u{A0}" }.map { "=+-@\t＝＋".contains($0) } ?? false
        let start = text == "\t=1" ? "'\t'=1" : isFormula ? "'" + text : text
        #expect(rows == [[start, "-5"]])
        #expect(csv.hasSuffix("\r\n"))
    }

    /// A spreadsheet that divides lines at another character does not treat the quotes of a field as quotes.
    @Test(arguments: [";", "\t", "|", ","], ["=1+1", " =1+1", "\"=1+1\"", "@SUM(1)", "+1", "-1"])
    func noFormulaWithOtherSeparators(separator: Character, formula: String) {
        let csv = CSVRecord.line([.text("a\(separator)\(formula)"), .text("b\"\(separator)\(formula)")])
        for field in csv.split(whereSeparator: { $0 == separator || $0 == "\r\n" }) {
            let content = field.drop { $0 == " " || $0 == "\"" }
            #expect(content.first.map { !"=+-@".contains($0) } ?? true, "\(csv)")
        }
    }

    @Test func escapesMarkdown() {
        #expect(
            MarkdownRow.line(ofMarkdown: ["a|b", "<script>", "[x](y)", ""].map { MarkdownRow.cell($0) })
                == "| a\\|b | \\<script\\> | \\[x\\](y) |   |\n")
        #expect(MarkdownRow.heading(["a", "b"]) == "| a | b |\n|---|---|\n")
    }

    @Test func alignsColumns() {
        var table = TextTable(["name", "value"])
        table.add(["a", "1"])
        table.add(["漢字", "22"])
        #expect(table.text(width: nil) == "name  value\na     1\n漢字  22\n")
    }

    /// The first columns stay complete, and the last ones are left out.
    @Test func keepsTheEssentialColumns() {
        var table = TextTable(["target", "status", "key", "issuer"])
        let target = "host-with-a-long-name.example.com:8443"
        table.add([target, "untrusted: expired", "EC P-256", "An Issuing CA with a long name"])
        let lines = table.text(width: 84, essential: 2).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 84 })
        #expect(lines.last?.hasPrefix("\(target)  untrusted: expired  EC P-256  An Iss") == true, "\(lines)")
        let narrow = table.text(width: 60, essential: 2).split(separator: "\n")
        #expect(
            narrow == ["target                                  status", "\(target)  untrusted: expired"], "\(narrow)")
        // A date is complete or absent.
        var dates = TextTable(["target", "status", "expires", "key"])
        dates.add([target, "trusted", "2027-02-20", "EC P-256"])
        #expect(dates.text(width: 60, essential: 2).split(separator: "\n").last == "\(target)  trusted  2027-02-20")
        #expect(dates.text(width: 58, essential: 2).split(separator: "\n").last == "\(target)  trusted")
        let narrowest = table.text(width: 40, essential: 2).split(separator: "\n")
        #expect(narrowest.allSatisfy { $0.count <= 40 })
    }

    @Test func cutsTheWidestColumn() {
        var table = TextTable(["name", "value"])
        table.add([String(repeating: "x", count: 60), "short"])
        let lines = table.text(width: 40).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 40 })
        #expect(lines.last?.hasSuffix("  short") == true)
    }
}
