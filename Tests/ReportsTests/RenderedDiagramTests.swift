import Foundation
import TestSupport
import Testing

@testable import Reports

/// Diagrams in headless Chromium. PyPI has Mermaid's own file in the package artoo-mermaid.
@Suite struct RenderedDiagramTests {
    private struct Rendering: Decodable {
        let type: String?
        let labels: [String]?
        let arrows: Int?
        /// Number of elements that a diagram does not have.
        let stray: Int?
        let error: String?
    }

    @Test(.enabled(if: Self.library != nil, "needs Chromium and Mermaid (make setup)"))
    func mermaidRendersEveryName() throws {
        let names = [
            "api.example.com", "end", "\"quoted\" 'single'", "a; b", "[x] (y) {z} |v| \\w", "1. first", "- item",
            "# heading #1;",
            "Grüße 漢字 🔒", "AT&T &amp; <b>bold</b> <script>document.title='bad'</script>", "`code` *a* _b_ **c** __d__",
            "graph TD; A-->B", "%% comment", "@team fixes #1", "subgraph", "click A href \"https://evil.example\"", "",
        ]
        var diagrams = [
            ChainDiagram(
                title: "a.example:443  trusted",
                paths: [["leaf", "CA", "Root"].map { Self.node($0, isAnchor: $0 == "Root") }],
                unused: []),
            DiagramTests.crossSigned, DiagramTests.hostile,
        ]
        diagrams += names.map {
            ChainDiagram(title: "host " + $0, paths: [[Self.node($0, isAnchor: false)]], unused: [$0])
        }
        let renderings = try Self.render(diagrams.map { $0.mermaid() })
        #expect(renderings.count == diagrams.count)
        for (diagram, rendering) in zip(diagrams, renderings) {
            #expect(rendering.error == nil && rendering.type == "flowchart-v2" && rendering.stray == 0, "\(rendering)")
            #expect(rendering.labels?.count == 1 + diagram.nodes.count + diagram.unused.count)
            #expect(rendering.arrows == diagram.nodes.count)
        }
        for (name, rendering) in zip(names, renderings.dropFirst(3)) {
            let shown = name.replacing("<", with: "＜").replacing(">", with: "＞").replacing("&", with: "＆")
            let labels = rendering.labels?.map { $0.replacing("\u{200B}", with: "") } ?? []
            #expect(labels.dropFirst().first == shown + "leafPIN", "\(labels)")
            #expect(labels.last == "not part of a path:" + (shown.isEmpty ? "" : " " + shown), "\(labels)")
        }
    }

    private struct Box: Decodable {
        let text: String
        let left: Double
        let right: Double
        /// Edges of the box in which the text is; those of the image if it is in no box.
        let start: Double
        let end: Double
    }

    /// No text is wider than its box, whatever the letters are.
    @Test(.enabled(if: Self.hasChromium, "needs Chromium (make setup)")) func textsFitIntoTheImage() throws {
        let words = ["W", "m", "i", "漢", "a b ", "€", "Ä", "https://", "0123456789abcdefABCDEF", "🔒"]
        let names = words.map { String(repeating: $0, count: 120) }
        let diagrams = names.map { name in
            ChainDiagram(
                title: name,
                paths: [
                    [
                        ChainDiagram.Node(
                            name: name, facts: ["intermediate", "from the trust store", name], isAnchor: false,
                            pin: String(repeating: "W", count: 43) + "= (unverified)")
                    ]
                ], unused: [name])
        }
        let images = diagrams.map { $0.svg() }.joined()
        let boxes: [Box] = try Self.chromium(
            """
            <!doctype html><meta charset="utf-8"><title>good</title><pre id="result"></pre>\(images)
            <script>
            const results = [...document.querySelectorAll("svg text")].map(element => {
                const box = element.getBoundingClientRect();
                const rect = element.getAttribute("x") == "16"
                    ? element.ownerSVGElement : element.ownerSVGElement.querySelector("rect");
                const outer = rect.getBoundingClientRect();
                return { text: element.textContent, left: box.left, right: box.right, start: outer.left, end: outer.right };
            });
            const bytes = new TextEncoder().encode(JSON.stringify(results));
            const text = Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
            document.getElementById("result").textContent = document.title + ":" + text + ".";
            </script>
            """)
        #expect(boxes.count == 5 * names.count)
        for box in boxes { #expect(box.left > box.start && box.right < box.end, "\(box)") }
        // Usual facts are complete.
        let usual = "intermediate, from the trust store, RSA 4096, until 2035-02-08 (2999 days)"
        let node = ChainDiagram.Node(name: "A", facts: [usual], isAnchor: true, pin: "PIN")
        #expect(ChainDiagram(title: "a", paths: [[node]], unused: []).svg().contains(">\(usual)<"))
    }

    private static var hasChromium: Bool { FileManager.default.fileExists(atPath: "/usr/bin/chromium") }

    private static func node(_ name: String, isAnchor: Bool) -> ChainDiagram.Node {
        ChainDiagram.Node(name: name, facts: ["leaf"], isAnchor: isAnchor, pin: "PIN")
    }

    /// Mermaid's file in the folder that `Scripts/setup` fills; nil if it or Chromium is not installed.
    private static var library: String? {
        let path = Repository.python("mermaid").replacing("/bin/python", with: "/artoo_mermaid/assets/mermaid.min.js")
        return FileManager.default.fileExists(atPath: path)
            && FileManager.default.fileExists(atPath: "/usr/bin/chromium")
            ? path : nil
    }

    private static func render(_ diagrams: [String]) throws -> [Rendering] {
        let sources = String(decoding: try JSONEncoder().encode(diagrams), as: UTF8.self).replacing("</", with: "<\\/")
        return try chromium(
            """
            <!doctype html><meta charset="utf-8"><title>good</title><pre id="result"></pre><div id="diagrams"></div>
            <script src="file://\(try #require(library))"></script>
            <script>
            mermaid.initialize({ startOnLoad: false, securityLevel: "strict" });
            (async () => {
                const results = [];
                for (const source of \(sources)) {
                    try {
                        const { diagramType } = await mermaid.parse(source);
                        const { svg } = await mermaid.render("d" + results.length, source);
                        const element = document.createElement("div");
                        element.innerHTML = svg;
                        document.getElementById("diagrams").append(element);
                        results.push({
                            type: diagramType,
                            labels: [...element.querySelectorAll(".node")].map(node => node.textContent.trim()),
                            arrows: element.querySelectorAll("path.flowchart-link").length,
                            stray: element.querySelectorAll("script,img,a,iframe,b,strong,em,code,ul,ol,h1").length,
                        });
                    } catch (error) { results.push({ error: String(error) }); }
                }
                const bytes = new TextEncoder().encode(JSON.stringify(results));
                const text = Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
                document.getElementById("result").textContent = document.title + ":" + text + ".";
            })();
            </script>
            """)
    }

    /// The objects that a page writes as JSON into its element "result", in hexadecimal digits after the page's title.
    private static func chromium<Result: Decodable>(_ text: String) throws -> [Result] {
        let folder = try TemporaryFolder("chromium")
        let page = try folder.write(text, to: "page.html")
        let outcome = try ChildProcess.run(
            [
                "/usr/bin/chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
                "--allow-file-access-from-files",
                "--virtual-time-budget=60000", "--user-data-dir=\(folder.path("profile"))", "--dump-dom",
                "file://\(page)",
            ], atMost: .seconds(120))
        let match = outcome.text.firstMatch(of: #/good:([0-9a-f]+)\./#)
        let digits = try #require(match?.1, "\(outcome.text.suffix(2_000)) \(outcome.errors.suffix(500))")
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { offset in
            UInt8(digits.dropFirst(offset).prefix(2), radix: 16)
        }
        return try JSONDecoder().decode([Result].self, from: Data(bytes))
    }
}
