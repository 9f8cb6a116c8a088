import Foundation
import TestSupport
import Testing

/// A repository with a set, its copies and the jobs, cloned from an origin, and a server for the hosts of the set.
struct JobRehearsal {
    let folder: TemporaryFolder
    /// The clone in which the jobs run.
    let work: TemporaryFolder
    let pki: RotationPKI
    private let environment: [String: String]

    static let host = "api.example.test"

    // Further hosts that the set can contain.
    /// A host with a certificate of a CA that the set does not contain.
    static let stranger = "stranger.example.test"
    /// A host that does not complete a handshake.
    static let down = "down.example.test"

    enum File: String {
        case github = "github-actions.yml"
        case gitlab = "gitlab-ci.yml"
        case cron = "refresh-pins.cron"
    }

    /// - Parameters:
    ///   - chain: the chain of the server: `first`, which matches the set; `second`, with another key; `intercepted`.
    ///   - anchors: the roots that the machine of the job trusts.
    ///   - others: hosts of the set in addition to ``host``.
    static func run(
        serving chain: String, anchors: String..., others: [String] = [], _ body: (JobRehearsal) throws -> Void
    ) throws {
        let pki = try RotationPKI()
        try pki.chain("first", key: "leaf", by: "intermediate")
        try pki.chain("second", key: "leaf2", by: "intermediate")
        try pki.root("stranger")
        let names = "DNS:\(host),DNS:\(stranger)"
        try pki.chain("intercepted", key: "stranger-leaf", by: "stranger", names: names)
        try pki.key("spare")
        try Nginx.run { endpoint in
            [
                pki.server(endpoint, chain),
                pki.server(endpoint, "intercepted", "server_name \(stranger);"),
                pki.server(endpoint, chain, "server_name \(down); ssl_reject_handshake on;"),
            ].joined()
        } _: { server in
            let rehearsal = try JobRehearsal(pki, server.endpoint, anchors.isEmpty ? ["root"] : anchors, others)
            defer { rehearsal.folder.remove() }
            try body(rehearsal)
        }
    }

    private init(_ pki: RotationPKI, _ endpoint: String, _ anchors: [String], _ others: [String]) throws {
        self.pki = pki
        folder = try TemporaryFolder("jobs")
        work = try TemporaryFolder("jobs-work")
        let store = try anchors.map { try pki.folder.text("\($0).pem") }.joined()
        let variables = [
            "SSL_CERT_FILE": try folder.write(store, to: "store.pem"), "SSL_CERT_DIR": folder.path("none"),
            "HOME": folder.path("home"), "XDG_CONFIG_HOME": folder.path("home"), "GIT_CONFIG_NOSYSTEM": "1",
            "CALLS": folder.path("calls"), "TMPDIR": folder.path("temporary"),
            "RUNNER_TEMP": folder.path("runner"),
            "GITHUB_STEP_SUMMARY": folder.path("summary"), "GH_TOKEN": "token", "CI_DEFAULT_BRANCH": "main",
            "CI_PROJECT_DIR": work.path,
            "PATH": folder.path("bin") + ":" + (TestEnvironment.base["PATH"] ?? "/usr/bin:/bin"),
        ]
        for name in ["home", "none", "temporary", "runner", "bin"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        }
        environment = TestEnvironment.base.merging(variables) { $1 }

        // The hosts of the set do not resolve here, so pinctl connects to the server for all of them.
        try script(
            """
            case $1 in
            refresh) set -- "$@" --connect-to \(endpoint) --assume-complete ;;
            verify) set -- "$@" --connect-to \(endpoint) ;;
            esac
            exec '\(PinctlRun.executable)' "$@"
            """, to: "bin/pinctl")
        // The pull requests of the branch: the commit of the one that was opened, and whether it is open.
        try script(
            """
            printf 'gh %s\\n' "$*" >>"$CALLS"
            cd "$(dirname "$CALLS")"
            case $* in
            "pr create "*) [ ! -e hosting-fails ] && git -C origin.git rev-parse pinctl/refresh >opened && touch open ;;
            "pr list "*"--state all"*) cat opened 2>/dev/null || true ;;
            "pr list "*) if [ -e open ]; then echo 7; fi ;;
            esac
            """, to: "bin/gh")
        try shell("git init --quiet --bare -b main \"$1\"", folder.path("origin.git"))
        try script(
            "env | sed -n 's/^GIT_PUSH_OPTION_[0-9]*=/push-option /p' >>\"$CALLS\"", to: "origin.git/hooks/pre-receive")
        // GitLab keeps a ref for each merge request, and changes it with the branch.
        try script(
            """
            request=refs/merge-requests/1/head
            if git show-ref --quiet "$request" ||
                { [ ! -e ../hosting-fails ] && env | grep -q '^GIT_PUSH_OPTION_[0-9]*=merge_request.create$'; }; then
                git update-ref "$request" refs/heads/pinctl/refresh
            fi
            """, to: "origin.git/hooks/post-receive")
        try shell("git -C \"$1\" config receive.advertisePushOptions true", folder.path("origin.git"))
        try shell("git clone --quiet \"$1\" \"$2\" 2>/dev/null", folder.path("origin.git"), work.path)
        try git("checkout", "--quiet", "-B", "main")
        try commit("a set and its copies") {
            let pins = [
                "{ \"sha256\": \"\(try pki.pin("leaf"))\", \"role\": \"leaf\" }",
                "{ \"sha256\": \"\(try pki.pin("root"))\", \"role\": \"root\" }",
                "{ \"sha256\": \"\(try pki.pin("spare"))\", \"role\": \"leaf\", \"state\": \"backup\" }",
            ].joined(separator: ",\n")
            let entries = ([Self.host] + others).map { "\"\($0)\": { \"pins\": [\n\(pins)\n] }" }
            try $0.write("{ \"version\": 1, \"hosts\": { \(entries.joined(separator: ",\n")) } }\n", to: "pins.json")
            try $0.write(
                #"{ "version": 1, "set": "pins.json", "copies": [{ "file": "Pins.kt" }, "#
                    + #"{ "file": "network_security_config.xml" }] }"#, to: "pinctl-sync.json")
            try FileManager.default.createDirectory(
                atPath: $0.path("Scripts/jobs"), withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: Repository.path("Scripts/jobs/refresh-pins"), toPath: $0.path("Scripts/jobs/refresh-pins"))
            try shell("cd \"$1\" && pinctl sync --write pinctl-sync.json >/dev/null", $0.path)
        }
    }

    // MARK: The jobs

    /// The commands of a job in its file: one for each `run` of GitHub, one for each line of `script` of GitLab.
    func steps(of job: String, in file: File) throws -> [String] {
        let path = file == .github ? "[s['run'] for s in y['jobs'][j]['steps'] if 'run' in s]" : "list(y[j]['script'])"
        let steps = try JSONDecoder().decode([String].self, from: Data(try yaml(file, job, path)))
        // GitHub's own expressions are not supported here.
        for step in steps { #expect(file != .github || !step.contains("${{"), "\(step)") }
        return steps
    }

    /// The expanded variables of a GitLab job. `REMOTE` is an address on the internet, so the origin replaces it.
    func variables(of job: String) throws -> [String: String] {
        let variables = try JSONDecoder().decode(
            [String: String].self, from: Data(try yaml(.gitlab, job, "dict(y[j]['variables'])")))
        #expect(variables["REMOTE"] == "https://pins:$PINS_TOKEN@$CI_SERVER_HOST/$CI_PROJECT_PATH.git")
        return variables.mapValues { $0.replacing("$CI_DEFAULT_BRANCH", with: "main") }
            .merging(["REMOTE": folder.path("origin.git")]) { $1 }
    }

    /// The command of the crontab line, run in the clone with a git user name.
    func cron() throws -> ChildProcess.Outcome {
        try git("config", "user.name", "pin refresh")
        try git("config", "user.email", "pins@example.test")
        let text = try String(contentsOfFile: Repository.path("Scripts/jobs/\(File.cron.rawValue)"), encoding: .utf8)
        let line = try #require(text.split(separator: "\n").last)
        let fields = line.split(separator: " ", maxSplits: 6)
        #expect(fields.count == 7 && fields[5] == "pins" && fields[4] == "*")
        let command = String(try #require(fields.last))
        // cron treats a per cent sign as the end of the line.
        #expect(command.contains("cd /srv/pins && ") && !command.contains("%"))
        return try ChildProcess.run(
            ["sh", "-c", command.replacing("/srv/pins", with: work.path)], environment: environment, folder: folder.url)
    }

    /// - Parameter stopsAtErrors: whether the shell stops at the first error, as the shells of both services do.
    func bash(
        _ script: String, stopsAtErrors: Bool, _ variables: [String: String] = [:]
    ) throws -> ChildProcess.Outcome {
        try ChildProcess.run(
            ["bash"] + (stopsAtErrors ? ["-e"] : []) + ["-o", "pipefail", "-c", script],
            environment: environment.merging(variables) { $1 }, folder: work.url)
    }

    private func yaml(_ file: File, _ job: String, _ expression: String) throws -> [UInt8] {
        let script = """
            import json, sys, ruamel.yaml
            y, j = ruamel.yaml.YAML(typ="safe").load(open(sys.argv[1])), sys.argv[2]
            print(json.dumps(\(expression)))
            """
        return try ChildProcess.output(of: [
            Repository.python("check-jsonschema"), "-c", script, Repository.path("Scripts/jobs/\(file.rawValue)"), job,
        ])
    }

    // MARK: The repository

    @discardableResult
    func git(_ arguments: String...) throws -> String { try git(in: work.path, arguments) }

    func origin(_ arguments: String...) throws -> String { try git(in: folder.path("origin.git"), arguments) }

    func branches() throws -> [String] {
        try origin("for-each-ref", "--format=%(refname:short)", "refs/heads").split(separator: "\n").map(String.init)
    }

    func set(of branch: String) throws -> String { try origin("show", "\(branch):pins.json") }

    /// Replaces the last commit of a branch of the origin by one whose set has the dates of another day.
    func shiftDates(of branch: String) throws {
        try shell(
            """
            cd "$1" && git fetch --quiet origin "$2" && git checkout --quiet --detach FETCH_HEAD
            sed -i 's/"added": *"[^"]*"/"added": "2020-01-01"/' pins.json
            git diff --quiet && exit 1
            git -c user.name=Test -c user.email=test@example.test commit --quiet --all --amend -m shifted
            git push --quiet --force origin "HEAD:refs/heads/$2" && git checkout --quiet main
            """, work.path, branch)
    }

    /// The arguments of `gh`, and the push options that the origin received; empty if there are none.
    func calls() throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder.path("calls")) else { return [] }
        return try folder.text("calls").split(separator: "\n").map(String.init)
    }

    /// Makes the next pull requests and merge requests fail, or succeed again.
    func setHosting(fails: Bool) throws {
        try shell(fails ? "touch \"$1\"" : "rm \"$1\"", folder.path("hosting-fails"))
    }

    /// Closes the pull request.
    func closePullRequest() throws { try shell("rm \"$1\"", folder.path("open")) }

    func commit(_ message: String, _ change: (TemporaryFolder) throws -> Void) throws {
        try change(work)
        try git("add", "--all")
        try git("-c", "user.name=Test", "-c", "user.email=test@example.test", "commit", "--quiet", "-m", message)
        try git("push", "--quiet", "--set-upstream", "origin", "main")
    }

    private func git(in path: String, _ arguments: [String]) throws -> String {
        try shell("cd \"$1\" && shift && git \"$@\"", [path] + arguments)
    }

    /// A separate process writes the file. If this process wrote it, a process that is forked at the same time would keep it open
    /// for writing, and the file could not be executed (execve(2), ETXTBSY).
    private func script(_ text: String, to name: String) throws {
        try shell("printf '#!/bin/sh\\n%s\\n' \"$1\" >\"$2\" && chmod 755 \"$2\"", text, folder.path(name))
    }

    @discardableResult
    private func shell(_ script: String, _ arguments: String...) throws -> String { try shell(script, arguments) }

    private func shell(_ script: String, _ arguments: [String]) throws -> String {
        let outcome = try ChildProcess.run(["sh", "-c", script, "sh"] + arguments, environment: environment)
        guard outcome.end == .exit(0) else {
            throw RotationPKI.Failed(description: "\(script) \(arguments): \(outcome.errors)")
        }
        return outcome.text
    }
}
