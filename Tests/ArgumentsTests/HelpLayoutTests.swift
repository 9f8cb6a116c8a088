import Testing

@testable import Arguments

struct HelpLayoutTests {
    @Test(arguments: [
        ([], 10, []), (["a"], 10, ["a"]), (["aaaa", "bbbbb"], 10, ["aaaa bbbbb"]),
        (["aaaa", "bbbbbb"], 10, ["aaaa", "bbbbbb"]),
        (["a", "http://a.very.long/address", "b"], 10, ["a", "http://a.very.long/address", "b"]),
        (["--tin TIN", "x", "y"], 10, ["--tin TIN", "x y"]),
        (["a", "b"], 0, ["a", "b"]), (["a", "b"], -5, ["a", "b"]),
    ])
    func fillsLines(words: [String], width: Int, lines: [String]) {
        #expect(HelpLayout.wrap(words, width: width) == lines)
    }

    @Test func alignsTableTexts() {
        let rows = [
            HelpRow("ab", "one"), HelpRow("abcdef", "two"), HelpRow("c", "three four five six seven eight nine ten"),
        ]
        var page = HelpLayout(width: 40)
        page.table(rows, column: HelpLayout.column(for: rows))
        #expect(
            page.text == """
                  ab      one
                  abcdef  two
                  c       three four five six seven
                          eight nine ten

                """)
    }

    @Test(arguments: [(Int.max, 98), (101, 98), (100, 98), (97, 95), (24, 23), (1, 23), (.min, 23)])
    func limitsTheWidth(width: Int, longest: Int) {
        var page = HelpLayout(width: width)
        page.paragraph(String(repeating: "ab ", count: 100))
        #expect(page.text.split(separator: "\n").map(\.count).max() == longest)
    }

    @Test func printsATermWithoutText() {
        var page = HelpLayout(width: 80)
        page.table([HelpRow("ab", ""), HelpRow("c", "d")], column: 6)
        #expect(page.text == "  ab\n  c   d\n")
    }
}
