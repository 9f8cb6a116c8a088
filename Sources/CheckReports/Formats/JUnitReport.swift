internal import Encodings
internal import PinSetMaintenance
internal import Pinning
internal import XMLDocuments

/// JUnit XML for Jenkins and GitLab, with one test case for each ``CheckCase``.
///
/// The schema is `junit-10.xsd` of the Jenkins xUnit plugin. Readers show only the first failure of a test case, so all errors of
/// a case are written as one failure. A case that could not be checked is an `error`, as JUnit defines it. Warnings and notes are
/// written to `system-out`; they are not failures.
package enum JUnitReport {
    package static func text(of run: CheckRun) -> String {
        let failures = run.cases.count { verdict(on: $0) == .failure }
        let errors = run.cases.count { verdict(on: $0) == .error }
        let name = XMLText.attribute("pinctl \(run.command)")
        let counts = "tests=\"\(run.cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += "<testsuites name=\"\(name)\" \(counts)>\n"
        text += "  <testsuite name=\"\(name)\" \(counts) skipped=\"0\" timestamp=\"\(timestamp(run.time))\">\n"
        for item in run.cases { text += testCase(item, of: run) }
        text += "    <system-out>\(XMLText.replacing(run.summary.withoutWholePrivateKeys))</system-out>\n"
        return text + "  </testsuite>\n</testsuites>\n"
    }

    private enum Verdict: String {
        case success
        case failure, error
    }

    private static func verdict(on item: CheckCase) -> Verdict {
        let errors = item.findings.filter { $0.severity == .error }
        guard !errors.isEmpty else { return .success }
        return errors.allSatisfy(\.isInconclusive) ? .error : .failure
    }

    private static func testCase(_ item: CheckCase, of run: CheckRun) -> String {
        let name = XMLText.attribute(item.name.withoutWholePrivateKeys)
        let start = "    <testcase name=\"\(name)\" classname=\"pinctl.\(XMLText.attribute(run.command))\""
        guard !item.findings.isEmpty else { return start + "/>\n" }
        var text = start + ">\n"
        let verdict = verdict(on: item)
        let errors = item.findings.filter { $0.severity == .error }
        if let first = errors.first(where: { !$0.isInconclusive }) ?? errors.first {
            let count = errors.reduce(0) { $0 + $1.count }
            let more = count > 1 ? " (and \(count - 1) more)" : ""
            text += "      <\(verdict.rawValue) type=\"\(XMLText.attribute(first.code))\""
            text += " message=\"\(XMLText.attribute((first.title ?? first.message).withoutWholePrivateKeys + more))\">"
            text += XMLText.replacing(errors.map(\.paragraph).joined(separator: "\n"))
            text += "</\(verdict.rawValue)>\n"
        }
        let rest = item.findings.filter { $0.severity != .error }
        if !rest.isEmpty {
            text +=
                "      <system-out>\(XMLText.replacing(rest.map(\.paragraph).joined(separator: "\n")))</system-out>\n"
        }
        return text + "    </testcase>\n"
    }

    /// UTC time in ISO 8601 without a zone, as the schema of Ant's writer requires.
    private static func timestamp(_ time: Timestamp) -> String {
        let text = time.description
        return text.hasSuffix("Z") ? String(text.dropLast()) : text
    }
}

extension CheckFinding {
    /// The finding in the format of a compiler diagnostic, followed by the next step on its own line.
    package var paragraph: String {
        let location = file.map { "\($0.escaped):" + (line.map { "\($0):" } ?? "") + " " } ?? ""
        return location + "\(severity.rawValue): \(message.escaped) [\(code)]"
            + (hint.map { "\n  \($0.escaped)" } ?? "")
    }
}
