internal import Pinning

extension HTMLReport {
    /// The failing hosts, each with the reason and the next step.
    func failures(_ main: inout HTMLWriter) {
        let hosts = contents.failingHosts
        guard !hosts.isEmpty else { return }
        main.section("failing", "Failing hosts") { section in
            section.element("ol", .class("failures")) { list in
                for host in hosts {
                    list.element("li") { item in
                        item.element("p") { line in
                            line.element("a", .class("host"), .init("href", "#\(Self.id(of: host.index))")) {
                                $0.isolated(host.name)
                            }
                            line.text(" ")
                            line.badge(host.verdict, host.tone)
                        }
                        for reason in host.reasons { item.element("p") { $0.isolated(reason) } }
                        if let step = host.nextStep { item.step(step) }
                    }
                    list.newLine()
                }
            }
            let rest = contents.failing - hosts.count
            if subject == .hosts, rest > 0 {
                section.note(
                    "\(rest) more failing \(subject.name(count: rest)): the table of all hosts has the first"
                        + " \(contents.limits.rows), and the command's JSON output has all of them.")
            }
        }
    }

    /// The findings in files, the most severe first.
    func findings(_ main: inout HTMLWriter) {
        guard !contents.findingCounts.isEmpty else { return }
        main.section("findings", "Findings") { section in
            for severity in ReportedFinding.Severity.allCases {
                let found = contents.findings[severity, default: []]
                let count = contents.findingCounts[severity, default: 0]
                guard count > 0 else { continue }
                section.element("h3", text: "\(severity.title) (\(count))")
                section.element("ol", .class("failures")) { list in
                    for finding in found {
                        list.element("li", .class(severity.tone.rawValue)) { item in
                            item.element("p") { line in
                                line.element("code", .class("host")) { $0.isolated(finding.location) }
                                line.text(" ")
                                line.badge(finding.code, severity.tone)
                            }
                            item.element("p") { $0.isolated(finding.message) }
                            if let step = finding.nextStep { item.step(step) }
                        }
                        list.newLine()
                    }
                }
                let rest = count - found.count
                if rest > 0 {
                    let shown = rest - contents.omittedFindings[severity, default: 0]
                    let number = shown == rest ? "all" : shown == 0 ? "none" : "\(shown)"
                    section.note("\(rest) more: the command's JSON output has \(number) of them.")
                }
            }
        }
    }

    /// The identifier of a host's section.
    static func id(of index: Int) -> String { "host-\(index + 1)" }
}

extension HTMLWriter {
    /// A remark of the report itself.
    mutating func note(_ text: String) { element("p", .class("quiet"), text: text) }
}
