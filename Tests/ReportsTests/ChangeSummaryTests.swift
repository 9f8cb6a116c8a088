import Foundation
import TestSupport
import Testing

@testable import Reports

/// The text of a pull request. cmark-gfm, the parser that GitHub published, renders it.
@Suite struct ChangeSummaryTests {
    /// Text with everything that Markdown, GitHub and GitLab interpret.
    private static let hostile = """
        x|y `code` <img src=x onerror=alert(1)> </table> [a](https://evil.example) ![i](u) *b* _i_ ~~s~~ @team fixes #12 \
        closes group/project#3 GH-4 JIRA-5 !6 &7 %8 ~label $9 :tada: www.evil.example https://evil.example/issues/1 a@b.example \
        [issue:5] [work_item:6] \\n/close\n/close\r\n- [ ] task\u{202E}\u{0}\u{2028} $x$
        """

    private static let lines = [("Result", "a"), ("Changes", "b"), ("Review", "c")].map { (title: $0.0, text: $0.1) }

    private func summary(of hosts: Int, text: (Int) -> String) -> String {
        let hosts = (0..<hosts).map { number in
            let node = ChainDiagram.Node(name: text(number), facts: [text(number)], isAnchor: false, pin: "PIN")
            return ChangeSummary.Host(
                name: number % 5 == 4 ? text(number) : "host\(number).example.com",
                changes: number % 3 == 0
                    ? []
                    : [
                        ChangeSummary.Change(
                            verb: "added", role: "leaf", name: text(number),
                            pin: "oaw+fBHSbjY/2CnyaKXdq9YjZjIqCfjLRGf0Oqo/gFc=", effect: text(number))
                    ],
                problems: number % 3 == 2
                    ? [
                        ChangeSummary.Problem(isError: true, message: text(number), nextStep: text(number)),
                        ChangeSummary.Problem(isError: false, message: text(number), nextStep: nil),
                    ] : [],
                outcomes: ["yes", text(number)],
                diagrams: [ChainDiagram(title: text(number), paths: [[node]], unused: [text(number)])])
        }
        return ChangeSummary(lines: Self.lines, events: ["first", "second"], hosts: hosts).markdown
    }

    private func html(_ markdown: String) throws -> String {
        let extensions = ["table", "autolink", "strikethrough", "tagfilter", "tasklist"].flatMap { ["-e", $0] }
        let outcome = try ChildProcess.run(["cmark-gfm", "--unsafe"] + extensions, input: Array(markdown.utf8))
        #expect(outcome.end == .exit(0), "\(outcome.errors)")
        return outcome.text
    }

    /// The names of the elements, without those that the summary contains on purpose.
    private func strayElements(in html: String) -> Set<Substring> {
        let names = html.matches(of: #/<([a-z0-9]+)[ >\/]/#).map(\.1)
        return Set(names).subtracting([
            "ul", "li", "p", "strong", "h3", "table", "thead", "tbody", "tr", "th", "td", "code", "pre", "details",
            "summary",
        ])
    }

    /// The middle of a long text is left out, so its end would not be recognized as that of a key.
    @Test func hasNoKey() throws {
        let key = try Vectors.bytes("private-rsa2048-pkcs8.der")
        let base64 = Data(key).base64EncodedString()
        let text = summary(of: 3) { _ in "the file \(base64) is unknown" }
        #expect(!text.contains(base64.suffix(20)) && !text.contains(base64.dropFirst(40).prefix(20)), "\(text)")
    }

    @Test(arguments: [2, 100, 20_000]) func isBounded(hosts: Int) throws {
        for text in [
            { _ in "a name" }, { _ in Self.hostile }, { String(repeating: "#a\u{301}|", count: $0 % 7 * 400) },
        ] as [(Int) -> String] {
            let markdown = summary(of: hosts, text: text)
            #expect(markdown.utf8.count < 60_000)
            // In a push option, each line break has two characters.
            #expect(markdown.utf8.count + markdown.count { $0 == "\n" } < 65_000)
            let html = try html(markdown)
            #expect(strayElements(in: html).isEmpty)
        }
        // Every change is in the table or counted.
        let markdown = summary(of: hosts) { "name \($0)" }
        let changes = (0..<hosts).count { $0 % 3 != 0 }
        let section = try #require(
            markdown.split(separator: "### Changes").dropFirst().first?.split(separator: "###").first, "\(changes)")
        let rows = section.split(separator: "\n").count { $0.hasPrefix("| ") } - 1
        let rest = section.firstMatch(of: #/…and (\d+) more/#).flatMap { Int($0.1) } ?? 0
        #expect(rows + rest == changes)
        #expect(hosts < 1000 || rest > 0)
        #expect(markdown.contains("<summary>\(hosts - changes) unchanged host"))
    }

    /// No text becomes markup, a link, a mention or a reference.
    @Test func escapesText() throws {
        let markdown = summary(of: 6) { _ in Self.hostile }
        let html = try html(markdown)
        #expect(strayElements(in: html).isEmpty, "\(html)")
        #expect(html.matches(of: #/<tr>/#).count == 1 + 4 + 1 + 4)
        for row in html.split(separator: "<tr>").dropFirst().prefix(5) {
            #expect(row.matches(of: #/<t[dh]>/#).count == 6, "\(row)")
        }
        // What GitHub searches for in the rendered text outside of code, and GitLab in the source.
        let rendered = html.replacing(#/<pre>(.|\n)*?<\/pre>/#, with: "")
        for text in [rendered, markdown] {
            #expect(!text.contains(#/@[A-Za-z0-9]/#) && !text.contains(#/#\d/#) && !text.contains(#/(?i)\bgh-\d/#))
            #expect(!text.contains(#/[A-Z][A-Z0-9_]+-\d/#) && !text.contains("://") && !text.contains("www."))
            #expect(!text.contains(#/[!%~&$]\d/#) && !text.contains(":tada:"))
            #expect(!text.contains(#/(issue|item):\d/#))
        }
        #expect(!markdown.contains("\\n") && !markdown.contains("\n/close") && !markdown.contains("\u{202E}"))
        #expect(!markdown.contains("$"))
        #expect(rendered.contains("x|y `code` &lt;img src=x onerror=alert(1)&gt;"))
    }

    @Test func rendersTheTable() throws {
        let html = try html(summary(of: 2) { _ in "Example CA" })
        #expect(html.contains("<th>Host</th>\n<th>Change</th>\n<th>Role</th>"))
        #expect(
            html.contains("<td><code>host1.example.com</code></td>\n<td>added</td>\n<td>leaf</td>\n<td>Example CA</td>")
        )
        #expect(html.contains("<td><code>oaw+fBHSbjY/2CnyaKXdq9YjZjIqCfjLRGf0Oqo/gFc=</code></td>"))
        #expect(html.contains("<pre><code class=\"language-mermaid\">flowchart TB\n"))
        #expect(
            html.contains("<summary>1 unchanged host</summary>\n<ul>\n<li><code>host0.example.com</code></li>\n</ul>"))
    }
}
