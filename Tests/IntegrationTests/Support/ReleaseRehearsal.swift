import Foundation
import TestSupport

/// A repository with the sources of pinctl and a dated version, in which the release jobs run as in their files.
///
/// `make check`, `make test` and `make dist-check` only record that they ran; `make dist` packs the pinctl that was built with the tests.
struct ReleaseRehearsal {
    enum Service: String {
        case github = ".github/workflows/release.yml"
        case gitlab = ".gitlab-ci.yml"
    }

    let folder: TemporaryFolder
    let work: TemporaryFolder
    private let environment: [String: String]

    /// The commit's time, and so the time of all packed files.
    private static let time = "2027-01-15T12:00:00Z"

    init() throws {
        folder = try TemporaryFolder("release")
        work = try TemporaryFolder("release-work")
        environment = TestEnvironment.base.merging([
            "PATH": folder.path("bin") + ":" + (TestEnvironment.base["PATH"] ?? "/usr/bin:/bin"),
            "HOME": folder.path("home"), "XDG_CONFIG_HOME": folder.path("home"), "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_DATE": Self.time, "GIT_COMMITTER_DATE": Self.time,
            // The compression of the program takes most of the time (dpkg-deb(1)).
            "DPKG_DEB_COMPRESSOR_LEVEL": "0",
            "CALLS": folder.path("calls"), "BINARY": folder.path("pinctl"), "STATIC": folder.path("pinctl"),
        ]) { $1 }
        try shell(
            """
            mkdir -p "$1/bin" "$1/home"
            # Without debug information, the packages are built faster.
            strip -o "$1/pinctl" "$2"
            printf '#!/bin/sh\\ncase $1 in check | test | dist-check) echo "make $1" >>"$CALLS" ;; *) exec "%s" "$@" ;; esac\\n' \\
                "$(command -v make)" >"$1/bin/make"
            # The contents of the archives are the same with each level.
            printf '#!/bin/sh\\nexec "%s" "$@" -1\\n' "$(command -v gzip)" >"$1/bin/gzip"
            printf '#!/bin/sh\\nprintf "gh %%s\\\\n" "$*" >>"$CALLS"\\n' >"$1/bin/gh"
            printf '#!/bin/sh\\nprintf "apt-get %%s\\\\n" "$*" >>"$CALLS"\\n' >"$1/bin/apt-get"
            chmod 755 "$1"/bin/*
            cd "$3"
            cp -r Scripts Sources Docs README.md LICENSE Makefile Package.swift .gitignore "$4"
            cd "$4"
            sed -i 's/^\\(## \\[[0-9.]*\\]\\) – unreleased$/\\1 – 2027-01-15/' Docs/CHANGELOG.md
            git init --quiet -b main
            git add --all
            git -c user.name=Test -c user.email=test@example.test commit --quiet -m "a release"
            """, folder.path("."), PinctlRun.executable, Repository.path("."), work.path("."))
    }

    func remove() {
        folder.remove()
        work.remove()
    }

    /// The tag that belongs to the version in the source.
    func tag() throws -> String {
        let version = try shell(
            "sed -n 's/.*static let current = \"\\(.*\\)\"/v\\1/p' \"$1\"",
            work.path("Sources/CommandSupport/ToolVersion.swift"))
        return version.trimmingCharacters(in: .newlines)
    }

    /// The commands of a job in its file.
    func steps(of job: String, in service: Service) throws -> [String] {
        let path =
            service == .github ? "[s['run'] for s in y['jobs'][j]['steps'] if 'run' in s]" : "list(y[j]['script'])"
        let script = """
            import json, sys, ruamel.yaml
            y, j = ruamel.yaml.YAML(typ="safe").load(open(sys.argv[1])), sys.argv[2]
            print(json.dumps(\(path)))
            """
        let output = try ChildProcess.output(of: [
            Repository.python("check-jsonschema"), "-c", script, Repository.path(service.rawValue), job,
        ])
        return try JSONDecoder().decode([String].self, from: Data(output))
    }

    /// Runs a script in the repository, in a shell that stops at the first error, as the shells of both services do.
    func bash(_ script: String, _ variables: [String: String] = [:]) throws -> ChildProcess.Outcome {
        try ChildProcess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script], environment: environment.merging(variables) { $1 },
            folder: work.url, atMost: .seconds(300))
    }

    /// The recorded calls of make, gh and apt-get.
    func calls() throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder.path("calls")) else { return [] }
        return try folder.text("calls").split(separator: "\n").map(String.init)
    }

    @discardableResult
    func shell(_ script: String, _ arguments: String...) throws -> String {
        let outcome = try ChildProcess.run(["sh", "-e", "-c", script, "sh"] + arguments, environment: environment)
        guard outcome.end == .exit(0) else {
            throw RotationPKI.Failed(description: "\(script): \(outcome.errors)")
        }
        return outcome.text
    }
}
