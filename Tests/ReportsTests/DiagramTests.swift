import Foundation
import TestSupport
import Testing

@testable import Reports

/// Diagrams of chains.
@Suite struct DiagramTests {
    typealias Node = ChainDiagram.Node

    private static let leaf = Node(name: "leaf", facts: ["leaf", "served"], isAnchor: false, pin: "PIN0")
    private static let ca = Node(name: "CA", facts: ["intermediate", "served"], isAnchor: false, pin: "PIN1")
    private static let root = Node(name: "Root", facts: ["root", "from the trust store"], isAnchor: true, pin: "PIN2")
    private static let cross = Node(name: "Root", facts: ["intermediate", "served"], isAnchor: false, pin: "PIN2")
    private static let old = Node(
        name: "Old Root", facts: ["root", "from the trust store"], isAnchor: true, pin: "PIN3")

    /// A chain with a cross-signed root.
    static let crossSigned = ChainDiagram(
        title: "a.example:443  trusted", paths: [[leaf, ca, root], [leaf, ca, cross, old]], unused: ["Other"])

    @Test func drawsATree() {
        let text = """
            a.example:443  trusted
            leaf  leaf, served
            |  PIN0
            `- CA  intermediate, served
               |  PIN1
               |- Root  root, from the trust store
               |     PIN2
               `- Root  intermediate, served
                  |  PIN2
                  `- Old Root  root, from the trust store
                        PIN3
            not part of a path: Other

            """
        #expect(Self.crossSigned.text(usesUnicode: false, width: nil) == text)
        let lines = Self.crossSigned.text(usesUnicode: true, width: nil)
        #expect(lines == text.replacing("`- ", with: "└─ ").replacing("|- ", with: "├─ ").replacing("|", with: "│"))
    }

    /// In a narrow terminal, the facts are below the name.
    @Test func wrapsTheTree() {
        let text = Self.crossSigned.text(usesUnicode: false, width: 40)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 40 }, "\(text)")
        #expect(
            text.contains("      `- Old Root\n            root, from the trust store\n            PIN3\n"), "\(text)")
        #expect(text.contains("`- CA  intermediate, served\n   |  PIN1\n"), "\(text)")
    }

    @Test func writesMermaid() {
        #expect(
            Self.crossSigned.mermaid() == """
                flowchart TB
                  ch["a.example:443  trusted"]
                  c0["leaf<br/>leaf, served<br/>PIN0"]
                  c0 --> ch
                  c1["CA<br/>intermediate, served<br/>PIN1"]
                  c1 --> c0
                  c2[["Root<br/>root, from the trust store<br/>PIN2"]]
                  c2 --> c1
                  c3["Root<br/>intermediate, served<br/>PIN2"]
                  c3 --> c1
                  c4[["Old Root<br/>root, from the trust store<br/>PIN3"]]
                  c4 --> c3
                  cu0(["not part of a path: Other"])

                """)
    }

    static let hostile = ChainDiagram(
        title: "a\"]; x<script>alert(1)</script>&",
        paths: [
            [Node(name: "\"><img src=x onerror=alert(1)>", facts: ["]]>", "`#`\u{202E}"], isAnchor: false, pin: "P")]
        ], unused: ["</text><script>"])

    @Test func writesWellFormedSVG() throws {
        let script = """
            import sys, xml.etree.ElementTree as tree
            root = tree.fromstring(sys.stdin.read())
            tags = sorted({element.tag.split('}')[1] for element in root.iter()})
            print(root.tag, ' '.join(tags), sep='\\n')
            print(*[text for text in (element.text for element in root.iter() if element.tag.endswith('text'))], sep='\\n')
            """
        for diagram in [Self.crossSigned, Self.hostile] {
            let svg = diagram.svg()
            let outcome = try ChildProcess.run(["python3", "-c", script], input: Array(svg.utf8))
            let lines = outcome.text.split(separator: "\n").map(String.init)
            #expect(lines.first == "{http://www.w3.org/2000/svg}svg", "\(outcome.errors)")
            let tags = Set(lines.dropFirst().prefix(1).flatMap { $0.split(separator: " ") })
            #expect(tags.isSubset(of: ["path", "rect", "style", "svg", "text"]))
            #expect(!svg.contains("href") && !svg.contains("url("))
        }
        let names = try ChildProcess.run(["python3", "-c", script], input: Array(Self.crossSigned.svg().utf8)).text
        for text in ["leaf", "CA", "Root", "Old Root", "PIN3", "not part of a path: Other"] {
            #expect(names.contains(text))
        }
    }

    @Test func escapesMermaid() {
        let text = Self.hostile.mermaid()
        #expect(text.split(separator: "\n").count == 5)
        // Only the quotes and brackets of the shapes remain.
        #expect(text.count { $0 == "\"" } == 6)
        #expect(!text.contains("<script") && !text.contains("<img"))
    }
}
