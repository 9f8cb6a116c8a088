import Foundation
import TestSupport
import Testing

/// No behaviour of a server may crash or delay pinctl, use much of its memory, or change the result of another host.
@Suite(.blockingOnOwnThread, .serialized) struct HostileServerTests {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("hostile-runs")
    }

    private typealias Behaviour = HostileServer.Behaviour

    /// The time limit for each host, in seconds.
    private static let timeout = 1.0
    /// Maximum time between the time limit and the end of a command.
    private static let grace = TestEnvironment.sanitizer == nil ? 0.5 : 10
    private static let memoryLimit = TestEnvironment.sanitizer == nil ? 64 << 20 : Int.max
    /// The memory of a list. The release build needs less than 64 MB; the pages of the debug build's own file are 14 MB more.
    private static let listMemoryLimit = TestEnvironment.sanitizer == nil ? 80 << 20 : Int.max
    /// Maximum length of a line of the text reports and of the error messages, in bytes.
    private static let maximumLineLength = 1000
    private static let listTimeout = 5.0
    private static let listJobs = 64

    private static let good = "good.example.test"
    /// The handshake ends at the certificate message.
    private static let inventory = "fetch --certificate-only"

    @Test func hasManyBehaviours() throws {
        try HostileServer.run { server in
            #expect(server.behaviours.count >= 700)
            #expect(Set(server.behaviours.map(\.name)).count == server.behaviours.count)
        }
    }

    /// Whether a command has a separate run for a behaviour. Each behaviour has one with one of the commands, and the list of each command has
    /// all of them.
    private static func isUsed(_ index: Int, _ command: String) -> Bool {
        guard !TestEnvironment.runsAllRounds else { return true }
        return switch command {
        case "verify": index % 4 == 0
        case inventory: index % 4 == 1
        case "refresh": index % 4 == 2
        default: index % 4 == 3
        }
    }

    /// One run for each behaviour, together with a good host.
    @Test(arguments: ["fetch", inventory, "verify", "refresh"]) func eachBehaviour(command: String) throws {
        try withServers { server, port in
            let target = "\(Self.good):\(port)"
            let behaviours = server.behaviours.enumerated().filter { Self.isUsed($0.offset, command) }.map(\.element)
            let commands = try behaviours.map { try arguments(command, for: $0, beside: target, of: server) }
            let runs = try MeasuredRun.run(commands, width: 12)
            for (index, behaviour) in behaviours.enumerated() {
                var run = runs[index]
                var problems = problems(of: run, command, behaviour, beside: target)
                // Other processes can delay a run. A behaviour whose runs are always late is a defect.
                for _ in 0..<2 where problems.contains(where: \.isAboutTime) {
                    run = try #require(MeasuredRun.run([commands[index]], width: 1).first)
                    problems = self.problems(of: run, command, behaviour, beside: target)
                }
                for problem in problems {
                    Issue.record(
                        "\(command) \(behaviour.name): \(problem.text)\n\(run.output.prefix(2000))\(run.errors.prefix(2000))"
                    )
                }
            }
        }
    }

    /// All behaviours and several good hosts in one run.
    @Test(arguments: ["fetch", inventory, "verify", "refresh"]) func oneList(command: String) throws {
        try withServers { server, port in
            let arguments = try listArguments(command, server, port)
            var (run, problems) = try listProblems(command, arguments, server)
            for _ in 0..<2 where problems.contains(where: \.isAboutTime) {
                (run, problems) = try listProblems(command, arguments, server)
            }
            for problem in problems {
                // The hosts of a list share the processors. A behaviour that is also late alone is a defect.
                if let behaviour = problem.behaviour, problem.isAboutTime,
                    try hasExpectedOutcome(behaviour, command, beside: "\(Self.good):\(port)", of: server)
                {
                    continue
                }
                Issue.record("\(command): \(problem.text)\n\(run.errors.prefix(2000))")
            }
        }
    }

    /// Whether a run for one behaviour, with the time limit of the list, has an expected outcome.
    private func hasExpectedOutcome(
        _ behaviour: Behaviour, _ command: String, beside good: String, of server: HostileServer
    ) throws -> Bool {
        let arguments = try arguments(command, for: behaviour, beside: good, of: server, timeout: Self.listTimeout)
        let run = try #require(MeasuredRun.run([arguments], width: 1).first)
        return outcome(of: run, timeout: Self.listTimeout).map(outcomes(of: behaviour, command).contains) ?? false
    }

    // MARK: Commands

    private func withServers(_ body: (HostileServer, UInt16) throws -> Void) throws {
        try HostileServer.run { server in
            try Nginx.run {
                Nginx.host($0, "leaf")
            } _: { good in
                try body(server, good.port)
            }
        }
    }

    private func arguments(
        _ command: String, for behaviour: Behaviour, beside good: String, of server: HostileServer,
        timeout: Double = Self.timeout
    ) throws -> [String] {
        var arguments = common(command, server, timeout: timeout) + [behaviour.target, good]
        guard !command.hasPrefix("fetch") else { return arguments }
        let set = try pinSet([behaviour.host], server)
        arguments += ["--pins", try folder.write(set, to: "\(behaviour.name).json")]
        return command == "refresh" ? arguments + ["--check"] : arguments
    }

    private func common(_ command: String, _ server: HostileServer, timeout: Double) -> [String] {
        [PinctlRun.executable] + command.split(separator: " ").map(String.init) + [
            "--connect-to", "127.0.0.1", "--timeout", String(timeout),
            "--anchors", server.anchor, "--anchors", pki.path("root.pem"),
        ]
    }

    /// The root of each host, and a backup.
    private func pinSet(_ hosts: [String], _ server: HostileServer) throws -> String {
        let backup = "{ \"sha256\": \"\(try pki.pin("other-root"))\", \"role\": \"root\", \"state\": \"backup\" }"
        let entries = try (hosts + [Self.good]).map { host in
            let pin = host == Self.good ? try pki.pin("root") : server.rootPin
            return "\"\(host)\": { \"pins\": [{ \"sha256\": \"\(pin)\", \"role\": \"root\" }, \(backup)] }"
        }
        return "{ \"version\": 1, \"hosts\": {\n\(entries.joined(separator: ",\n"))\n} }"
    }

    private func listArguments(_ command: String, _ server: HostileServer, _ port: UInt16) throws -> [String] {
        let targets = server.behaviours.map(\.target)
        let middle = targets.count / 2
        let good = "\(Self.good):\(port)"
        var arguments = common(command, server, timeout: Self.listTimeout)
        arguments += ["--format", "ndjson", "--jobs", String(Self.listJobs)]
        if command == "refresh" {
            arguments += ["--check", good] + targets
        } else {
            let list = [good] + targets[..<middle] + [good] + targets[middle...] + [good]
            arguments += ["--from", try folder.write(list.joined(separator: "\n") + "\n", to: "hosts.txt")]
        }
        guard !command.hasPrefix("fetch") else { return arguments }
        return arguments
            + ["--pins", try folder.write(pinSet(server.behaviours.map(\.host), server), to: "pins.json")]
    }

    // MARK: Evaluation

    private struct Problem {
        let text: String
        var isAboutTime = false
        /// The behaviour in a list; nil if the problem is not about one behaviour.
        var behaviour: Behaviour?
    }

    private func outcome(of run: MeasuredRun, timeout: Double) -> HostileServer.Outcome? {
        switch run.status {
        case 0: .trusted
        case 1: .untrusted
        case 3: run.seconds >= timeout ? .silent : .refused
        default: nil
        }
    }

    private func outcomes(of behaviour: Behaviour, _ command: String) -> Set<HostileServer.Outcome> {
        command == Self.inventory ? behaviour.certificateOnlyOutcomes : behaviour.outcomes
    }

    private func problems(
        of run: MeasuredRun, _ command: String, _ behaviour: Behaviour, beside good: String
    ) -> [Problem] {
        var problems: [Problem] = []
        let isLate = run.seconds > Self.timeout + Self.grace + run.delay
        if isLate { problems.append(Problem(text: "took \(run.seconds) s", isAboutTime: true)) }
        let isSilent = run.seconds >= Self.timeout
        let outcome = outcome(of: run, timeout: Self.timeout)
        if !(outcome.map(outcomes(of: behaviour, command).contains) ?? false) {
            problems.append(Problem(text: "status \(run.status)", isAboutTime: isSilent))
        }
        if run.memory > Self.memoryLimit { problems.append(Problem(text: "\(run.memory >> 20) MB")) }
        if !hasGoodResult(run.output, command, good) {
            problems.append(Problem(text: "no result of the good host", isAboutTime: isSilent))
        }
        for line in run.errorLines where !Self.isPlain(line) {
            problems.append(Problem(text: "an error line: \(line.prefix(1000).debugDescription)"))
        }
        if let line = run.output.split(separator: "\n").first(where: { $0.utf8.count > Self.maximumLineLength }) {
            problems.append(Problem(text: "a line of \(line.utf8.count) bytes"))
        }
        let errors = run.errorLines.filter { $0.hasPrefix("pinctl: error: ") }
        let isUndecided = outcome == .refused || outcome == .silent
        // refresh reports each host on standard output.
        if errors.count != (isUndecided && command != "refresh" ? 1 : 0) {
            problems.append(Problem(text: "\(errors.count) errors", isAboutTime: isSilent))
        }
        if !(run.output + run.errors).contains(behaviour.host) {
            problems.append(Problem(text: "the host is not named"))
        }
        return problems
    }

    private func hasGoodResult(_ output: String, _ command: String, _ good: String) -> Bool {
        let lines = output.split(separator: "\n").filter { $0.hasPrefix(good) }
        guard let line = lines.first, lines.count == 1 else { return false }
        let words = line.dropFirst(good.count).split(separator: " ").prefix(3).joined(separator: " ")
        switch command {
        case "fetch", Self.inventory:
            let pins = (try? pki.pins("leaf", "intermediate", "root")) ?? []
            return words.hasPrefix(command == "fetch" ? "trusted TLS" : "trusted (not proven)") && pins.count == 3
                && pins.allSatisfy(output.contains)
        case "verify": return words.hasPrefix("match root")
        default: return words == "up to date"
        }
    }

    /// Whether a line is short, begins like a line of pinctl, and contains only printable ASCII. U+FFFD replaces bytes of a server
    /// that are not UTF-8.
    private static func isPlain(_ line: Substring) -> Bool {
        line.hasPrefix("pinctl: ") && line.utf8.count <= maximumLineLength
            && line.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) || $0 == "\u{FFFD}" || $0 == "…" }
    }

    private func listProblems(
        _ command: String, _ arguments: [String], _ server: HostileServer
    ) throws -> (MeasuredRun, [Problem]) {
        let run = try #require(MeasuredRun.run([arguments], width: 1).first)
        var problems: [Problem] = []
        let rounds = (server.behaviours.count + 3 + Self.listJobs - 1) / Self.listJobs
        if run.seconds > Double(rounds) * (Self.listTimeout + Self.grace) + run.delay {
            problems.append(Problem(text: "took \(run.seconds) s", isAboutTime: true))
        }
        // Some of the chains do not validate.
        if run.status != 1 { problems.append(Problem(text: "status \(run.status)")) }
        if run.memory > Self.listMemoryLimit { problems.append(Problem(text: "\(run.memory >> 20) MB")) }
        for line in run.errorLines where !Self.isPlain(line) {
            problems.append(Problem(text: "an error line: \(line.prefix(1000).debugDescription)"))
        }
        let lines = try run.output.split(separator: "\n").map {
            try JSONDecoder().decode(ListLine.self, from: Data($0.utf8))
        }
        let byHost = Dictionary(grouping: lines, by: \.name)
        let good = byHost[Self.good] ?? []
        if good.count != (command == "refresh" ? 1 : 3) || !good.allSatisfy({ $0.outcomes == [.trusted] }) {
            problems.append(Problem(text: "no result of a good host: \(good)", isAboutTime: true))
        }
        for behaviour in server.behaviours {
            let own = byHost[behaviour.host] ?? []
            if own.count == 1, !own[0].outcomes.isDisjoint(with: outcomes(of: behaviour, command)) { continue }
            problems.append(
                Problem(
                    text: "\(behaviour.name): \(own)", isAboutTime: own.first?.outcomes.contains(.silent) == true,
                    behaviour: behaviour))
        }
        return (run, problems)
    }
}

/// An ndjson line of any of the three commands.
private struct ListLine: Decodable {
    let target: String?
    let host: String?
    let verdict: String?
    let trust: FetchReport.Trust?
    let error: FetchReport.Failure?

    var name: String {
        let address = target.map { $0.components(separatedBy: "://").last ?? $0 }
        return host ?? address.map { String($0.prefix { $0 != ":" }) } ?? ""
    }

    /// The outcomes that the line can mean.
    var outcomes: Set<HostileServer.Outcome> {
        switch verdict {
        case "match", "current": return [.trusted]
        case "untrusted": return [.untrusted]
        case "unreachable": return [.refused, .silent]
        case .some: return []
        case nil: break
        }
        if let error { return [error.code == "timeout" ? .silent : .refused] }
        return trust.map { [$0.trusted ? .trusted : .untrusted] } ?? []
    }
}
