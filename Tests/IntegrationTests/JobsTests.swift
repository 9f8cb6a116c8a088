import Foundation
import TestSupport
import Testing

/// The jobs of `Scripts/jobs`, run as in their files, in a repository with an origin and with a server whose keys change.
@Suite(.blocking) struct JobsTests {
    /// The service that runs the refresh.
    enum Scheduler: CaseIterable {
        case github, gitlab, cron
    }

    @Test(arguments: Scheduler.allCases) func noChanges(scheduler: Scheduler) throws {
        try JobRehearsal.run(serving: "first") { rehearsal in
            let run = try refresh(rehearsal, by: scheduler)
            #expect(run.end == .exit(0), "\(run)")
            #expect(run.output.isEmpty && run.errors.isEmpty, "\(run)")
            try #expect(rehearsal.branches() == ["main"])
            try #expect(rehearsal.calls() == [])
            try expectUntouched(rehearsal)
        }
    }

    @Test(arguments: Scheduler.allCases) func aNewPin(scheduler: Scheduler) throws {
        try JobRehearsal.run(serving: "second") { rehearsal in
            let run = try refresh(rehearsal, by: scheduler)
            #expect(run.end == .exit(0), "\(run)")
            #expect(run.text.hasPrefix("\(JobRehearsal.host)  changed\n"), "\(run)")
            try expectChange(rehearsal)
            try expectOpened(rehearsal, by: scheduler)
            try expectUntouched(rehearsal)
            // The next run finds the same changes, and pushes nothing.
            let pushed = try rehearsal.origin("rev-parse", "pinctl/refresh")
            let calls = try rehearsal.calls()
            let second = try refresh(rehearsal, by: scheduler)
            #expect(second.end == .exit(0) && second.output.isEmpty, "\(second)")
            try #expect(rehearsal.origin("rev-parse", "pinctl/refresh") == pushed)
            let more = try rehearsal.calls().dropFirst(calls.count)
            #expect(
                more.count == (scheduler == .github ? 2 : 0) && !more.contains { $0.hasPrefix("gh pr create") },
                "\(more)")
            // A branch with a change on another day has other dates only.
            try rehearsal.shiftDates(of: "pinctl/refresh")
            let shifted = try rehearsal.origin("rev-parse", "pinctl/refresh")
            #expect(shifted != pushed)
            try #expect(refresh(rehearsal, by: scheduler).end == .exit(0))
            try #expect(rehearsal.origin("rev-parse", "pinctl/refresh") == shifted)
            // A new commit on the main branch, or another change, creates the branch again.
            try rehearsal.commit("an unrelated change") { try $0.write("1", to: "unrelated") }
            try #expect(refresh(rehearsal, by: scheduler).end == .exit(0))
            try #expect(rehearsal.origin("rev-parse", "pinctl/refresh") != shifted)
            try expectChange(rehearsal)
            try expectUntouched(rehearsal)
        }
    }

    /// If the change was pushed, but the pull request was not opened, the next run opens it.
    @Test(arguments: [Scheduler.github, .gitlab]) func aRequestThatFails(scheduler: Scheduler) throws {
        try JobRehearsal.run(serving: "second") { rehearsal in
            try rehearsal.setHosting(fails: true)
            let first = try refresh(rehearsal, by: scheduler, opens: false)
            #expect(first.end == .exit(0), "\(first)")
            try #expect(rehearsal.branches() == ["main", "pinctl/refresh"])
            let pushed = try rehearsal.origin("rev-parse", "pinctl/refresh")
            let calls = try rehearsal.calls().count
            try rehearsal.setHosting(fails: false)
            try #expect(refresh(rehearsal, by: scheduler, on: "2030-01-01T00:00:00Z").end == .exit(0))
            let more = try rehearsal.calls().dropFirst(calls)
            switch scheduler {
            case .github:
                // Nothing is pushed again.
                #expect(more.last?.hasPrefix("gh pr create ") == true, "\(more)")
                try #expect(rehearsal.origin("rev-parse", "pinctl/refresh") == pushed)
            default:
                // GitLab opens merge requests only during a push.
                #expect(more.first == "push-option merge_request.create", "\(more)")
                try #expect(
                    rehearsal.origin("rev-parse", "refs/merge-requests/1/head")
                        == rehearsal.origin("rev-parse", "pinctl/refresh"))
            }
            let complete = try rehearsal.calls().count
            try #expect(refresh(rehearsal, by: scheduler).end == .exit(0))
            let last = try rehearsal.calls().dropFirst(complete)
            #expect(!last.contains { $0.contains("create") }, "\(last)")
            guard scheduler == .github else { return }
            #expect(last.last?.hasPrefix("gh api --silent --method PATCH repos/{owner}/{repo}/pulls/7 ") == true)
            // A closed pull request is not opened again.
            try rehearsal.closePullRequest()
            try #expect(refresh(rehearsal, by: scheduler).end == .exit(0))
            try #expect(!rehearsal.calls().dropFirst(complete).contains { $0.contains("create") })
        }
    }

    /// A server with a certificate of another trusted CA answers instead.
    @Test(arguments: Scheduler.allCases) func anInterception(scheduler: Scheduler) throws {
        try JobRehearsal.run(serving: "intercepted", anchors: "root", "stranger") { rehearsal in
            let run = try refresh(rehearsal, by: scheduler)
            #expect(run.end == .exit(1), "\(run)")
            #expect(run.text.contains("the connection is intercepted"), "\(run)")
            let last = try #require(run.text.split(separator: "\n").last)
            #expect(last.hasPrefix("pinctl: ") && last.contains("mismatch") && last.contains("next: "), "\(run)")
            try #expect(rehearsal.branches() == ["main"])
            try #expect(rehearsal.calls() == [])
            try expectUntouched(rehearsal)
        }
    }

    @Test(arguments: Scheduler.allCases) func unreachableHost(scheduler: Scheduler) throws {
        try JobRehearsal.run(serving: "second", others: [JobRehearsal.down]) { rehearsal in
            let run = try refresh(rehearsal, by: scheduler)
            #expect(run.end == .exit(3), "\(run)")
            #expect(run.text.contains("\n\(JobRehearsal.down)  not reached\n"), "\(run)")
            try expectChange(rehearsal, "2 hosts of \"pins.json\" with the servers: 1 has changes, 1 needs a check")
            try expectOpened(rehearsal, by: scheduler)
            #expect(run.text.split(separator: "\n").last?.contains("\(JobRehearsal.down) (unreachable)") == true)
            try expectUntouched(rehearsal)
        }
    }

    /// The changes of one host are pushed even if another host is intercepted.
    @Test func interceptionOfAnotherHost() throws {
        try JobRehearsal.run(serving: "second", anchors: "root", "stranger", others: [JobRehearsal.stranger]) {
            let run = try refresh($0, by: .cron)
            #expect(run.end == .exit(1), "\(run)")
            #expect(run.text.contains("the connection is intercepted"), "\(run)")
            try expectChange($0, "1 has changes, 1 needs a check (1 mismatch)")
            let last = try #require(run.text.split(separator: "\n").last)
            #expect(last.contains("\(JobRehearsal.stranger) (mismatch)"), "\(run)")
            try #expect($0.set(of: "pinctl/refresh").contains(try $0.pki.pin("leaf2")))
            try #expect(!$0.set(of: "pinctl/refresh").contains(try $0.pki.pin("stranger")))
        }
    }

    /// A failure leaves the work tree unchanged, so that the next run can start.
    @Test func failureLeavesNoTrace() throws {
        try JobRehearsal.run(serving: "second") { rehearsal in
            // A copy that cannot be written, and a missing one that can.
            try rehearsal.commit("a copy with more than pins in it") {
                try $0.write("{ \"more\": 1 }", to: "pins.xml")
                try $0.write(
                    #"{ "version": 1, "set": "pins.json", "copies": [{ "file": "Pins.kt" }, "#
                        + #"{ "file": "pins.xml", "format": "trustkit" }] }"#, to: "pinctl-sync.json")
            }
            let copies = try refresh(rehearsal, by: .cron)
            #expect(copies.end == .exit(1) || copies.end == .exit(2), "\(copies)")
            try #expect(rehearsal.branches() == ["main"])
            try expectUntouched(rehearsal)
            try rehearsal.commit("an invalid set") { try $0.write("{ ", to: "pins.json") }
            let set = try refresh(rehearsal, by: .cron)
            #expect(set.end == .exit(2) && set.text.contains("pins.json"), "\(set)")
            try expectUntouched(rehearsal)
        }
        try JobRehearsal.run(serving: "second") { rehearsal in
            try rehearsal.git("remote", "set-url", "--push", "origin", rehearsal.folder.path("nowhere.git"))
            let push = try refresh(rehearsal, by: .cron)
            #expect(push.end == .exit(4), "\(push)")
            #expect(push.errors.hasSuffix("could not push the change to pinctl/refresh of origin\n"), "\(push)")
            try expectUntouched(rehearsal)
            // Uncommitted changes are neither pushed nor lost.
            try rehearsal.work.write("mine", to: "notes")
            let busy = try refresh(rehearsal, by: .cron)
            #expect(busy.end == .exit(4) && busy.errors.contains("?? notes"), "\(busy)")
            try #expect(rehearsal.work.text("notes") == "mine")
        }
    }

    // MARK: The other jobs

    /// The steps of the job for every push.
    @Test func checks() throws {
        try JobRehearsal.run(serving: "first") { rehearsal in
            let steps = try rehearsal.steps(of: "check", in: .github)
            #expect(steps.count == 3)
            for step in steps { try #expect(rehearsal.bash(step, stopsAtErrors: true).end == .exit(0), "\(step)") }
            let script = try rehearsal.steps(of: "pins", in: .gitlab)
            let run = try rehearsal.bash(script.joined(separator: "\n"), stopsAtErrors: true)
            #expect(run.end == .exit(0), "\(run)")
            try #expect(PublicSchema.errors(inJUnit: rehearsal.work.bytes("pins.xml")) == "")
        }
        try JobRehearsal.run(serving: "intercepted", anchors: "root", "stranger") { rehearsal in
            let text = try rehearsal.work.text("pins.json")
            try rehearsal.work.write(text.replacing("\"role\": \"root\"", with: "\"role\": \"roof\""), to: "pins.json")
            try rehearsal.work.write("", to: "Pins.kt")
            let steps = try rehearsal.steps(of: "check", in: .github)
            let lint = try rehearsal.bash(steps[0], stopsAtErrors: true)
            #expect(lint.end == .exit(1) && lint.text.hasPrefix("::error file=pins.json,line="), "\(lint)")
            try rehearsal.work.write(text, to: "pins.json")
            let sync = try rehearsal.bash(steps[1], stopsAtErrors: true)
            #expect(sync.end == .exit(1) && sync.text.contains("::error file=Pins.kt"), "\(sync)")
            let verify = try rehearsal.bash(steps[2], stopsAtErrors: true)
            #expect(verify.end == .exit(1) && verify.text.contains("::error file=pins.json"), "\(verify)")
            #expect(verify.errors.contains("(mismatch)"), "\(verify)")
        }
    }

    @Test(arguments: [
        ("Scripts/jobs/github-actions.yml", ["--builtin-schema", "vendor.github-workflows"]),
        ("Scripts/jobs/gitlab-ci.yml", ["--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci"]),
        (".github/workflows/release.yml", ["--builtin-schema", "vendor.github-workflows"]),
        (".gitlab-ci.yml", ["--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci"]),
    ]) func validByThePublicSchemas(file: String, schema: [String]) throws {
        let command = [Repository.python("check-jsonschema"), "-m", "check_jsonschema"] + schema
        let job = try ChildProcess.run(command + [Repository.path(file)])
        #expect(job.end == .exit(0), "\(job.text)\(job.errors)")
        // The schema rejects an invalid file.
        let folder = try TemporaryFolder("schema")
        let text = try String(contentsOfFile: Repository.path(file), encoding: .utf8)
        let wrong = try folder.write(
            text.replacing("runs-on:", with: "runs-in:").replacing("  artifacts:", with: "  artefacts:"),
            to: "wrong.yml")
        let refused = try ChildProcess.run(command + [wrong])
        #expect(refused.end == .exit(1), "\(refused.text)\(refused.errors)")
    }

    // MARK: Support

    /// - Parameters:
    ///   - opens: whether the job is expected to open a pull request if there is a change.
    ///   - date: the date of a commit of GitLab's job; nil for now. A commit of the same second would be the same one.
    private func refresh(
        _ rehearsal: JobRehearsal, by scheduler: Scheduler, opens: Bool = true, on date: String? = nil
    ) throws -> ChildProcess.Outcome {
        switch scheduler {
        case .cron: return try rehearsal.cron()
        case .gitlab:
            return try rehearsal.bash(
                rehearsal.steps(of: "refresh-pins", in: .gitlab).joined(separator: "\n"), stopsAtErrors: true,
                rehearsal.variables(of: "refresh-pins").merging(date.map { ["GIT_COMMITTER_DATE": $0] } ?? [:]) { $1 })
        case .github:
            // Each step has a separate shell. The second step always runs.
            let steps = try rehearsal.steps(of: "refresh", in: .github)
            #expect(steps.count == 2)
            let first = try rehearsal.bash(steps[0], stopsAtErrors: true)
            let second = try rehearsal.bash(steps[1], stopsAtErrors: true)
            #expect(second.end == .exit(opens ? 0 : 1) && second.output.isEmpty && second.errors.isEmpty, "\(second)")
            return first
        }
    }

    /// One branch with one commit, which changes the set and the copies.
    private func expectChange(_ rehearsal: JobRehearsal, _ result: String = "") throws {
        try #expect(rehearsal.branches() == ["main", "pinctl/refresh"])
        try #expect(rehearsal.origin("rev-list", "--count", "main..pinctl/refresh") == "1\n")
        try #expect(
            rehearsal.origin("diff", "--name-only", "main", "pinctl/refresh")
                == "Pins.kt\nnetwork_security_config.xml\npins.json\n")
        let pin = try rehearsal.pki.pin("leaf2")
        for file in ["Pins.kt", "network_security_config.xml", "pins.json"] {
            try #expect(!rehearsal.origin("show", "main:\(file)").contains(pin))
            try #expect(rehearsal.origin("show", "pinctl/refresh:\(file)").contains(pin), "\(file)")
        }
        let message = try rehearsal.origin("log", "-1", "--format=%B", "pinctl/refresh")
        #expect(message.hasPrefix("Refresh the pins in pins.json\n\n- **Result:** pinctl compared "), "\(message)")
        #expect(message.contains(result) || result.isEmpty, "\(message)")
        #expect(message.split(separator: "\n").count == 4 && !message.contains(JobRehearsal.host), "\(message)")
        try #expect(rehearsal.origin("log", "-1", "--format=%an", "pinctl/refresh") == "pin refresh\n")
    }

    private func expectOpened(_ rehearsal: JobRehearsal, by scheduler: Scheduler) throws {
        let calls = try rehearsal.calls()
        switch scheduler {
        case .cron: #expect(calls == [])
        case .gitlab:
            // Push options are passed to the hooks of the origin. GitLab replaces \n in the description by line breaks.
            #expect(calls.count == 4, "\(calls)")
            #expect(
                calls.prefix(3) == [
                    "push-option merge_request.create", "push-option merge_request.target=main",
                    "push-option merge_request.title=Refresh the pins in pins.json",
                ])
            let start = "push-option merge_request.description="
            let description = try #require(calls.last)
            #expect(description.hasPrefix(start))
            try expectBody(description.dropFirst(start.count).replacing("\\n", with: "\n") + "\n", rehearsal)
        case .github:
            #expect(calls.count == 3, "\(calls)")
            #expect(
                calls.first?.hasPrefix("gh pr list --head pinctl/refresh --json number,isCrossRepository --jq ") == true
            )
            #expect(calls.dropFirst().first?.hasPrefix("gh pr list --head pinctl/refresh --state all ") == true)
            let opened = "gh pr create --head pinctl/refresh --title Refresh the pins in pins.json --body-file "
            #expect(calls.last?.hasPrefix(opened) == true, "\(calls)")
            try expectBody(rehearsal.folder.text("runner/body.md"), rehearsal)
            try #expect(rehearsal.folder.text("summary") == rehearsal.folder.text("runner/body.md"))
        }
    }

    /// The text of the pull request, as rendered by cmark-gfm.
    private func expectBody(_ body: String, _ rehearsal: JobRehearsal) throws {
        let outcome = try ChildProcess.run(["cmark-gfm", "-e", "table", "--unsafe"], input: Array(body.utf8))
        let html = outcome.text
        #expect(html.hasPrefix("<ul>\n<li><strong>Result:</strong> pinctl compared "), "\(body)")
        #expect(html.contains("<code>\(try rehearsal.pki.pin("leaf2"))</code>"), "\(html)")
        #expect(html.contains("<td><code>\(JobRehearsal.host)</code></td>\n<td>added</td>\n<td>leaf</td>"), "\(html)")
        #expect(html.contains("<pre><code class=\"language-mermaid\">flowchart TB\n"))
    }

    /// The run leaves no file in the work tree, and the checked-out branch is the same.
    private func expectUntouched(_ rehearsal: JobRehearsal) throws {
        try #expect(rehearsal.git("status", "--porcelain") == "")
        try #expect(rehearsal.git("rev-parse", "HEAD") == rehearsal.git("rev-parse", "refs/heads/main"))
        try #expect(rehearsal.git("symbolic-ref", "HEAD") == "refs/heads/main\n")
    }
}
