import Foundation
import TestSupport
import Testing

/// `--html` with real servers, and the written page in headless Chromium.
@Suite(.blocking) struct HTMLPageTests {
    private let pki: TestPKI
    private let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("html")
    }

    /// Three hosts: one matches, one does not match, one has no server.
    private var set: String {
        get throws {
            """
            { "version": 1, "hosts": {
              "localhost": ["\(try pki.pin("root"))"],
              "a.example.test": ["\(try pki.pin("other-root"))"],
              "b.example.test": { "endpoints": ["b.example.test:1"], "pins": ["\(try pki.pin("root"))"] } } }
            """
        }
    }

    /// What html5lib reads in a page: a Python expression over `document`, which prints.
    private func parsed(_ page: String, _ script: String) throws -> String {
        let start = """
            import sys, html5lib
            document = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(open(sys.argv[1], encoding="utf-8").read())
            def text(e): return "".join(e.itertext()).strip()
            def named(tag, name): return [e for e in document.iter(tag) if e.get("class") == name]

            """
        let outcome = try ChildProcess.run(
            [PublicSchema.python, "-c", start + script, folder.path(page)], environment: TestEnvironment.base)
        #expect(outcome.errors == "")
        return outcome.text
    }

    private func run(_ arguments: [String]) throws -> PinctlRun {
        try folder.write(try set, to: "pins.json")
        return try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            try PinctlRun.spawn(
                arguments + ["--anchors", pki.path("root.pem"), "--connect-to", server.endpoint], folder: folder.url)
        }
    }

    @Test func verifyShowsTheFailingHostAndTheNextStep() throws {
        let plain = try run(["verify", "--pins", "pins.json", "localhost", "a.example.test"])
        let run = try run([
            "verify", "--pins", "pins.json", "localhost", "a.example.test", "--html", "report.html", "--as",
            "android,okhttp",
        ])
        #expect(run.status == 1 && plain.status == 1)
        let failing = try parsed(
            "report.html",
            """
            item, = named("ol", "failures")[0].findall("li")
            print(text(named("a", "host")[0]), [text(p) for p in item.iter("p")][2:], sep="\\n")
            print(text(named("p", "summary")[0]))
            print(text(document.find(".//h1")))
            """
        ).split(separator: "\n").map(String.init)
        #expect(failing[0] == "a.example.test:443")
        // The page has the same next step and the same summary as standard error.
        let hint = try #require(plain.errorLines.first { $0.hasPrefix("pinctl: hint: a.example.test:443: ") })
        let step = hint.dropFirst("pinctl: hint: a.example.test:443: ".count)
        // Each run has another port.
        #expect(
            failing[1].replacing(#/127\.0\.0\.1:\d+/#, with: "ADDRESS").contains(
                "Next: " + step.replacing(#/127\.0\.0\.1:\d+/#, with: "ADDRESS")))
        #expect(run.errorLines.last == "pinctl: " + failing[2])
        #expect(failing[3] == "✗ 1 of 2 hosts fails")
        let rest = try parsed(
            "report.html",
            """
            print(*[e.get("id") for e in document.iter("details")])
            print(any("\(try pki.pin("leaf"))" == text(e) for e in document.iter("code")))
            print(len([e for e in document.iter() if e.get("role") == "img"]))
            print(*[text(e) for e in document.iter("dd") if text(e) in ("TLSv1.2", "TLSv1.3")][:1])
            """)
        #expect(rest == "host-2 host-1\nTrue\n4\nTLSv1.3\n")
    }

    @Test func fetchWritesBesideItsFormat() throws {
        let run = try run([
            "fetch", "localhost", "wrong.example.org", "--format", "json", "--html", "fetch.html",
        ])
        #expect(run.status == 1)
        #expect(run.text.contains(#""schema": "pinctl/fetch/1""#))
        let found = try parsed(
            "fetch.html",
            """
            print(text(named("p", "summary")[0]), *[text(a) for a in named("a", "host")], sep="\\n")
            print([text(e) for e in document.iter("h2")])
            """)
        #expect(
            found == """
                2 hosts: 1 trusted, 1 not trusted
                wrong.example.org:443
                ['Failing hosts', 'What expires first', 'Authorities', 'Details']

                """)
    }

    @Test func refreshShowsTheStateOfEachPin() throws {
        let run = try run(["refresh", "--pins", "pins.json", "localhost", "--html", "refresh.html"])
        #expect(run.status == 0)
        let found = try parsed(
            "refresh.html",
            """
            table, = named("table", "pins")
            for row in table.iter("tr"):
                if row.find("td") is not None: print(text(row.find("th").find("code")), *[text(e) for e in row.findall("td")][1:2])
            print(len(named("table", "survival")))
            """.replacing("is not None", with: "!= None"))
        #expect(found == "\(try pki.pin("root")) served\n1\n")
    }

    @Test func lintListsFindingsByTheirPlace() throws {
        try folder.write(#"{ "version": 1, "hosts": { "a.example.test": ["AAAA"], "Ä..b": [] } }"#, to: "bad.json")
        let plain = try PinctlRun.spawn(["lint", "bad.json", "--format", "json"], folder: folder.url)
        let run = try PinctlRun.spawn(["lint", "bad.json", "--html", "lint.html"], folder: folder.url)
        #expect(run.status == 1)
        let document = try #require(JSONSerialization.jsonObject(with: Data(plain.output)) as? [String: Any])
        let findings = try #require(document["findings"] as? [[String: Any]])
        let expected = ["error", "warning", "note"].flatMap { severity in
            findings.filter { $0["severity"] as? String == severity }.map { finding in
                let place = [finding["line"] as? Int, finding["column"] as? Int].compactMap(\.self).map { ":\($0)" }
                return "bad.json\(place.joined()) \(finding["code"] as? String ?? "")"
            }
        }
        #expect(expected.count > 1)
        let found = try parsed(
            "lint.html",
            """
            for item in document.iter("li"):
                if item.find(".//code") != None: print(text(item.find(".//code")), text(item.find(".//span"))[2:])
            """)
        #expect(found.split(separator: "\n").map(String.init) == expected)
    }

    @Test func lintNamesWhatItChecked() throws {
        try folder.write(try set, to: "pins.json")
        let run = try PinctlRun.spawn(["lint", "pins.json", "--html", "lint.html"], folder: folder.url)
        let page = try folder.text("lint.html")
        #expect(page.contains("checked: pins.json, 3 hosts, 3 pins (pins)"), "\(run)")
        #expect(page.contains("no chain was compared"))
    }

    @Test func theSameInputGivesTheSamePage() throws {
        try folder.write(try set, to: "pins.json")
        let arguments = [
            "verify", "--pins", "pins.json", "--chain", pki.path("leaf.chain.pem"), "localhost", "--anchors",
            pki.path("root.pem"), "--at", "2027-01-02T03:04:05Z", "--html",
        ]
        _ = try PinctlRun.spawn(arguments + ["first.html"], folder: folder.url)
        _ = try PinctlRun.spawn(arguments + ["second.html"], folder: folder.url)
        #expect(try folder.bytes("first.html") == folder.bytes("second.html"))
        #expect(try folder.text("first.html").contains("2027-01-02 03:04:05 UTC"))
    }

    @Test func refusesAFileThatItCannotWrite() throws {
        try folder.write(try set, to: "pins.json")
        let start = ["verify", "--pins", "pins.json", "localhost", "--html"]
        let cases = [
            ("-", "the report needs a file"), ("none/report.html", "there is no folder \"none\""),
            ("pins.json", "is also another file of the command line"), (".", "cannot write"),
        ]
        for (path, message) in cases {
            let run = try PinctlRun.spawn(start + [path], folder: folder.url)
            #expect(run.status == 2)
            #expect(run.errors.contains(message), "\(run)")
        }
        #expect(try folder.text("pins.json") == set)
        let resumed = try PinctlRun.spawn(start + ["report.html", "--resume", "r.ndjson"], folder: folder.url)
        #expect(resumed.status == 2)
    }

    // MARK: Browser

    /// The page in each view of `Scripts/browse`: light, dark and narrow, without scripts.
    private func browse(_ page: String) throws -> [String: [String: Any]] {
        let python = URL(
            filePath: try Shell.run("\"$SCRIPTS/find-python\" axe", in: folder.url).trimmingCharacters(
                in: .whitespacesAndNewlines))
        let axe = try Shell.run(
            "ls \(python.deletingLastPathComponent().deletingLastPathComponent().path)/lib/python*/site-packages/axe_playwright_python/axe.min.js",
            in: folder.url
        ).trimmingCharacters(in: .whitespacesAndNewlines)
        let outcome = try ChildProcess.run(
            [
                PublicSchema.python, Repository.path("Scripts/browse"), folder.path(page), folder.path("views"),
                "--axe", axe,
            ],
            environment: TestEnvironment.base, atMost: .seconds(180))
        #expect(outcome.errors == "")
        let document = try #require(JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
        return try #require(document["views"] as? [String: [String: Any]])
    }

    @Test func isAccessibleAndLoadsNothing() throws {
        _ = try run([
            "verify", "--pins", "pins.json", "--html", "report.html", "--timeout", "5", "--as", "all",
        ])
        try folder.write(#"{ "version": 1, "hosts": { "a.example.test": ["AAAA"] } }"#, to: "bad.json")
        _ = try PinctlRun.spawn(["lint", "bad.json", "pins.json", "--html", "lint.html"], folder: folder.url)
        for page in ["report.html", "lint.html"] {
            let views = try browse(page)
            #expect(views.keys.sorted() == ["dark", "light", "narrow", "narrow-dark"])
            for (name, view) in views {
                #expect(view["requests"] as? [String] == [], "\(page), \(name)")
                #expect(view["messages"] as? [String] == [], "\(page), \(name)")
                #expect(view["findings"] as? [String] == [], "\(page), \(name)")
                #expect((view["lowest"] as? Double ?? 0) >= 4.5)
                let axe = try #require(view["axe"] as? [String: Any])
                #expect(axe["violations"] as? [String] == [], "\(page), \(name)")
                #expect((axe["passes"] as? Int ?? 0) > 20)
                #expect((view["texts"] as? Int ?? 0) > 20)
                // A blank page compresses to a few kilobytes.
                #expect(try folder.bytes("views/\(name).png").count > 15_000)
            }
        }
    }

    @Test func theChecksOfTheBrowserFindErrors() throws {
        let page = """
            <!DOCTYPE html><html><head><meta charset="utf-8"><title>t</title></head><body>
            <img src="http://127.0.0.1:1/x.png"><p style="color:#999;background:#fff">pale</p><h3>x</h3>
            <table><tr><th>a</th></tr></table><p id="i">a</p><p id="i">b</p><svg width="9" height="9"></svg>
            <a href="#nothing"></a><div style="width:2000px">wide</div></body></html>
            """
        try folder.write(page, to: "bad.html")
        let view = try #require(try browse("bad.html")["narrow"])
        #expect(view["requests"] as? [String] == ["http://127.0.0.1:1/x.png"])
        let findings = (view["findings"] as? [String] ?? []).joined(separator: "\n")
        for finding in [
            "contrast 2.85: pale", "not unique: i", "an image without a name", "without a scope",
            "a link without a name",
            "a link to nothing", "a heading level is left out", "no language", "an attribute style",
            "wider than the window",
        ] { #expect(findings.contains(finding), "\(findings)") }
        let axe = (view["axe"] as? [String: Any])?["violations"] as? [String] ?? []
        #expect(axe.contains { $0.hasPrefix("image-alt") } && axe.contains { $0.hasPrefix("color-contrast") })
    }
}
