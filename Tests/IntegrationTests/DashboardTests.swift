import Foundation
import TestSupport
import Testing

/// The dashboard and the alerts of `Scripts/jobs`, with a real Prometheus that scrapes what pinctl wrote.
@Suite(.blocking) struct DashboardTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("dashboard")
    }

    private struct Dashboard: Decodable {
        let panels: [Panel]

        struct Panel: Decodable {
            let title: String
            let targets: [Target]
        }

        struct Target: Decodable { let expr: String }
    }

    private struct Answer: Decodable {
        let status: String
        let data: Result

        struct Result: Decodable { let result: [Series] }
        struct Series: Decodable {
            let metric: [String: String]
            let value: [Value]
        }

        enum Value: Decodable {
            case number(Double)
            case text(String)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let number = try? container.decode(Double.self) {
                    self = .number(number)
                } else {
                    self = .text(try container.decode(String.self))
                }
            }

            var number: Double? {
                switch self {
                case .number(let value): value
                case .text(let text): Double(text)
                }
            }
        }
    }

    private func writeMetrics() throws {
        try OpenSSLServer.run { trusted in
            try OpenSSLServer.run("leaf-expired") { expired in
                try folder.write(
                    #"{"version":1,"hosts":{"localhost":{"expires":"2099-01-01","pins":["\#(try pki.pin("root"))"]}}}"#,
                    to: "pins.json")
                let anchors = ["--anchors", pki.path("root.pem")]
                let fetch = try PinctlRun.spawn(
                    ["fetch", trusted.localhost, expired.localhost, "--format", "prometheus"] + anchors)
                let verify = try PinctlRun.spawn(
                    [
                        "verify", "--pins", folder.path("pins.json"), trusted.localhost, "--first-address", "--format",
                        "prometheus",
                    ] + anchors)
                #expect(fetch.status == 1 && verify.status == 0, "\(fetch)\(verify)")
                try folder.write(fetch.text, to: "fetch.txt")
                try folder.write(verify.text, to: "verify.txt")
            }
        }
    }

    /// The result of a query, after Prometheus has scraped both files.
    private func query(_ expression: String, of prometheus: ServerProcess) throws -> [Answer.Series] {
        let outcome = try ChildProcess.run([
            "curl", "--silent", "--show-error", "--get", "http://\(prometheus.endpoint)/api/v1/query",
            "--data-urlencode",
            "query=\(expression)",
        ])
        let answer = try JSONDecoder().decode(Answer.self, from: Data(outcome.text.utf8))
        #expect(answer.status == "success", "\(outcome.text)")
        return answer.data.result
    }

    private func withPrometheus(_ body: (ServerProcess) throws -> Void) throws {
        try writeMetrics()
        try ServerProcess.run(folder: folder) { port in
            ["python3", "-m", "http.server", "--bind", "127.0.0.1", String(port)]
        } _: { files in
            let target = { (name: String) in
                "  - job_name: \(name)\n    metrics_path: /\(name).txt\n    static_configs: [{ targets: [\"\(files.endpoint)\"] }]\n"
            }
            try folder.write(
                "global: { scrape_interval: 200ms, evaluation_interval: 200ms }\n"
                    + "rule_files: [\"\(Repository.path("Scripts/jobs/prometheus-alerts.yml"))\"]\nscrape_configs:\n"
                    + target("fetch") + target("verify"), to: "prometheus.yml")
            try ServerProcess.run(folder: folder) { port in
                [
                    "prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=\(folder.path("data"))",
                    "--web.listen-address=127.0.0.1:\(port)", "--log.level=error",
                ]
            } _: { prometheus in
                let deadline = ContinuousClock.now + .seconds(30)
                // Until Prometheus is ready, it answers with an error that is not JSON.
                while ((try? query("pinctl_check_timestamp_seconds", of: prometheus))?.count ?? 0) < 2 {
                    guard ContinuousClock.now < deadline else {
                        Issue.record("Prometheus has no metrics: \(prometheus.log)")
                        return
                    }
                }
                try body(prometheus)
            }
        }
    }

    @Test func everyPanelHasAResult() throws {
        let file = Repository.path("Scripts/jobs/grafana-dashboard.json")
        let dashboard = try JSONDecoder().decode(Dashboard.self, from: Data(contentsOf: URL(filePath: file)))
        #expect(dashboard.panels.count == 8)
        try withPrometheus { prometheus in
            var values: [String: [Double]] = [:]
            for panel in dashboard.panels {
                for target in panel.targets {
                    // The value "All" of the variables.
                    let expression = target.expr.replacing("$command", with: ".*").replacing("$name", with: ".*")
                    let found = try query(expression, of: prometheus)
                    #expect(!found.isEmpty, "\(panel.title): \(expression)")
                    values[panel.title] = found.compactMap { $0.value.last?.number }
                }
            }
            // The expired host of fetch fails; the other host, and the host of verify, pass.
            #expect(values["Checks that fail"] == [1])
            #expect(values["Checks that pass"] == [2])
            #expect(values["Certificates with less than two weeks"] == [1])
            #expect(values["Days until the leaf certificate expires"]?.count { $0 < 0 } == 1)
            #expect(values["Days until pins expire"]?.allSatisfy { $0 > 20_000 } == true)
        }
    }

    @Test func theAlertsFire() throws {
        try withPrometheus { prometheus in
            let deadline = ContinuousClock.now + .seconds(30)
            var names: Set<String> = []
            while names.count < 2, ContinuousClock.now < deadline {
                names = Set(try query("ALERTS", of: prometheus).compactMap { $0.metric["alertname"] })
            }
            #expect(names == ["PinsFail", "CertificateEnds"])
        }
    }
}
