import Foundation
import Pinning
import Reports
import TestSupport
import Testing

@testable import HTMLReports

/// The document that a report writes, without a browser.
@Suite struct HTMLReportTests {
    private static let now = Timestamp(secondsSince1970: 1_795_000_000)

    /// Text that would be markup, or that would be invisible or change the direction of the text around it.
    static let hostile =
        "\"><script>alert(1)</script>&amp;'`\u{1B}[31m\u{7F}\u{85}\u{200B}\u{202E}\u{2028}\n\u{FEFF}end"

    private static func host(_ index: Int, _ name: String, fails: Bool = false, text: String = "") -> ReportedHost {
        var host = ReportedHost(
            index: index, name: name, verdict: fails ? "mismatch" : "match", tone: fails ? .bad : .good,
            isFailing: fails)
        if fails {
            host.reasons = ["no pin matches " + text]
            host.nextStep = "update the pins " + text
        }
        return host
    }

    private static func report(_ hosts: [ReportedHost], limits: HTMLReport.Limits = .init()) -> HTMLReport {
        var contents = ReportContents(limits: limits, at: now)
        for host in hosts { contents.add(host) }
        return HTMLReport(command: "verify", version: "1.2.3", input: "pins.json", time: now, contents: contents)
    }

    private static func text(_ report: HTMLReport) -> String { String(decoding: report.html, as: UTF8.self) }

    /// The elements of a document as html5lib reads it, one line each: the name and the attributes. The parser refuses errors.
    private static func parsed(_ html: [UInt8], _ expression: String) throws -> String {
        let script = """
            import sys, html5lib
            document = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(sys.stdin.buffer.read().decode("utf-8"))
            \(expression)
            """
        let outcome = try ChildProcess.run(
            [PublicSchema.python, "-c", script], environment: TestEnvironment.base, input: html)
        #expect(outcome.errors == "")
        return outcome.text
    }

    /// A host that has every kind of content, with a text in every place.
    private static func fullHost(_ text: String) throws -> ReportedHost {
        let chain = try PathCertificates.shared().chain(["leaf", "ca"])
        var host = host(0, text, fails: true, text: text)
        host.unicodeName = text
        (host.notes, host.details, host.pinsExpire) = ([text], [text], now)
        let diagram = ChainDiagram(
            title: text, paths: [[.init(name: text, facts: [text], isAnchor: true, pin: text)]], unused: [text])
        var reported = ReportedChain(chain, title: text, diagram: diagram) { _ in [text] }
        reported.facts = [.init(text, text)]
        reported.notes = [text]
        host.chains = [reported]
        host.pins = [ReportedPin(pin: text, role: text, state: text, name: text, status: text, tone: .good)]
        return host
    }

    @Test func escapesTextInEveryPlace() throws {
        var contents = ReportContents(at: Self.now)
        contents.add(try Self.fullHost(Self.hostile))
        contents.add(
            ReportedFinding(
                severity: .error, code: Self.hostile, location: Self.hostile, message: Self.hostile,
                nextStep: Self.hostile))
        var report = HTMLReport(
            command: Self.hostile, version: Self.hostile, input: Self.hostile, time: Self.now, contents: contents)
        (report.summary, report.gaps, report.notes) = (Self.hostile, [Self.hostile], [Self.hostile])
        let html = report.html
        let text = String(decoding: html, as: UTF8.self)
        #expect(!text.contains("<script"))
        let invisible = text.unicodeScalars.filter { scalar in
            scalar != "\n"
                && (scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format)
                || scalar == "\u{2028}"
        }
        #expect(invisible.isEmpty)
        #expect(text.unicodeScalars.allSatisfy { $0.value < 0x80 || "…“”✗✓–·".unicodeScalars.contains($0) })
        let shown = try Self.parsed(
            html,
            """
            bad = [e.tag for e in document.iter() if isinstance(e.tag, str) and e.tag in ("script", "img", "iframe", "object", "base", "form", "link")]
            print(bad, sorted({k for e in document.iter() for k in getattr(e, "attrib", {}) if k.startswith("on") or k in ("style", "src")}))
            print("".join(document.itertext()).count('"><script>alert(1)</script>&amp;'))
            """)
        let lines = shown.split(separator: "\n").map(String.init)
        #expect(lines.first == "[] []")
        // The text is visible in each of the places above.
        #expect(lines.last.flatMap { Int($0) } ?? 0 > 30)
    }

    @Test func isWellFormedWithoutHosts() throws {
        let html = Self.report([]).html
        #expect(try Self.parsed(html, "print(document.find('.//h1').itertext().__next__())").contains("–"))
        #expect(String(decoding: html, as: UTF8.self).contains(">pinctl verify: no hosts</title>"))
    }

    /// A screen reader reads the headers and the texts of cells.
    @Test func everyHeaderAndCellHasAText() throws {
        var limits = HTMLReport.Limits()
        limits.rows = 1
        let full = try (0..<3).map { _ in try Self.fullHost("x") }
        let script = """
            def name(e): return "".join(e.itertext()).strip() or "".join(i.get("aria-label", "") for i in e.iter())
            def shown(e): return e.get("aria-hidden") != "true" and all(i.get("aria-hidden") != "true" for i in e)
            rows = [row for row in document.iter("tr") if shown(row)]
            print(len(rows) > 5, [row.tag for row in rows for cell in row if shown(cell) and not name(cell)])
            heads = [sum(int(c.get("colspan", 1)) for c in h.find("tr")) for h in document.iter("thead")]
            print(all(sum(int(c.get("colspan", 1)) for c in t.find("tbody/tr")) == n
                for t, n in zip(document.iter("table"), heads)))
            """
        for report in [Self.report(full, limits: limits), Self.report(full)] {
            #expect(try Self.parsed(report.html, script) == "True []\nTrue\n")
        }
    }

    @Test func putsFailingHostsFirstInInputOrder() throws {
        // In the order in which the hosts answered.
        let hosts = [
            Self.host(4, "e.example", fails: true), Self.host(0, "a.example"), Self.host(2, "c.example"),
            Self.host(1, "b.example", fails: true), Self.host(3, "d.example"),
        ]
        let sections = try Self.parsed(
            Self.report(hosts).html, "print(*[e.get('id') for e in document.iter('details')])")
        #expect(sections == "host-2 host-5 host-1 host-3 host-4\n")
        let top = try Self.parsed(
            Self.report(hosts).html,
            """
            section = next(e for e in document.iter("section"))
            print(section.get("id"), *[e.get("href") for e in section.iter("a")])
            print(*[e.get("id") for e in document.iter("details") if e.get("open") is not None])
            """)
        #expect(top == "failing #host-2 #host-5\nhost-2 host-5\n")
        // Every order gives the same document.
        let text = Self.text(Self.report(hosts))
        #expect(Self.text(Self.report(hosts.reversed())) == text)
        #expect(text.contains("<h1 class=\"bad\"><span aria-hidden=\"true\">✗</span> 2 of 5 hosts fail</h1>"))
    }

    @Test func limitsTheDocumentForAnyNumberOfHosts() throws {
        var limits = HTMLReport.Limits()
        (limits.failingSections, limits.otherSections, limits.rows) = (3, 2, 10)
        let few = (0..<400).map { Self.host($0, "host\($0).example", fails: $0.isMultiple(of: 7)) }
        let many = (0..<40_000).map { Self.host($0, "host\($0).example", fails: $0.isMultiple(of: 7)) }
        let shuffled = many.sorted { $0.index * 7919 % 40_009 < $1.index * 7919 % 40_009 }
        let html = Self.report(shuffled, limits: limits).html
        let text = String(decoding: html, as: UTF8.self)
        #expect(text == Self.text(Self.report(many, limits: limits)))
        // Only numbers become longer.
        #expect(html.count < Self.report(few, limits: limits).html.count + 200)
        let found = try Self.parsed(
            html,
            """
            print(*[e.get("id") for e in document.iter("details")])
            print(len([e for e in document.iter("tr")]))
            """)
        #expect(found == "host-1 host-8 host-15 host-2 host-3\n11\n")
        // 40,000 hosts: 5,715 are multiples of 7, from 0 to 39,998.
        #expect(text.contains("5715 of 40000 hosts fail"))
        #expect(text.contains("5712 more failing hosts: the table of all hosts has the first 10"))
        #expect(text.contains("39990 more hosts: this table has at most 10 rows"))
        #expect(text.contains("39995 hosts without details"))
    }

    @Test func permitsOnlyItsOwnStyleSheet() throws {
        let script = """
            import base64, hashlib
            style = document.find(".//style").text
            print(base64.b64encode(hashlib.sha256(style.encode()).digest()).decode())
            print(next(e.get("content") for e in document.iter("meta") if e.get("http-equiv")))
            """
        let lines = try Self.parsed(Self.report([Self.host(0, "a.example")]).html, script).split(separator: "\n")
        #expect(lines.first.map(String.init) == HTMLStyle.digest)
        #expect(
            lines.last.map(String.init)
                == "default-src 'none'; style-src 'sha256-\(lines[0])'; base-uri 'none'; form-action 'none'")
    }

    @Test func ordersFindingsBySeverity() throws {
        var contents = ReportContents(at: Self.now)
        for (severity, code) in [(ReportedFinding.Severity.note, "n"), (.warning, "w"), (.error, "e"), (.warning, "x")]
        {
            contents.add(
                ReportedFinding(severity: severity, code: code, location: "pins.json:3:5", message: "m", nextStep: nil))
        }
        contents.count("2 errors", .bad, isFailing: true)
        let report = HTMLReport(
            command: "lint", version: "1", input: nil, time: Self.now, subject: .files, contents: contents)
        let found = try Self.parsed(
            report.html,
            """
            section = next(e for e in document.iter("section"))
            print(*["".join(e.itertext()) for e in section.iter() if e.tag in ("h3",) or "badge" in (e.get("class") or "")], sep=";")
            """)
        #expect(found == "Errors (1);✗ e;Warnings (2);! w;! x;Notes (1);– n\n")
    }

    @Test func placesEndsOnTheScale() {
        #expect(ExpiryTimeline.position(of: 50, in: 200) == 25)
        #expect(ExpiryTimeline.position(of: -3, in: 200) == 0)
        #expect(ExpiryTimeline.position(of: 900, in: 400) == 100)
        let day: Int64 = 86_400
        func period(_ seconds: Int64) -> ExpiryTimeline.Period {
            ExpiryTimeline.Period(of: Timestamp(secondsSince1970: Self.now.secondsSince1970 + seconds), at: Self.now)
        }
        #expect([period(-1), period(0), period(7 * day - 1), period(7 * day)] == [.expired, .week, .week, .month])
        #expect([period(30 * day), period(90 * day), period(365 * day)] == [.quarter, .year, .later])
    }

    /// For eight times the pins, the work is about eight times as large, and 64 times if it is quadratic.
    @Test(.notWithSanitizer) func survivalOfManyPins() throws {
        let chain = try PathCertificates.shared().chain(["leaf", "ca"])
        func prepare(_ count: Int) throws -> () -> Void {
            let pins = (0..<count).map { number in
                PinSet.PinnedKey(
                    pin: Pin(subjectPublicKeyInfo: Array("\(number)".utf8)), role: .any, state: .backup,
                    label: "backup \(number)")
            }
            let entry = try PinSet.Entry(host: "www.example.test", pins: pins)
            return {
                let survival = Survival(
                    of: entry, for: entry.name, chains: [chain], orWhy: "", on: [], at: Self.now, name: { _ in nil })
                let detail = survival.rows.first?.cells.last?.detail
                #expect(detail == "only if the new chain has the key of backup 0 or backup 1 and \(count - 2) more")
            }
        }
        #expect(Work.growth(small: try prepare(500), large: try prepare(4000)) < 30)
    }
}
