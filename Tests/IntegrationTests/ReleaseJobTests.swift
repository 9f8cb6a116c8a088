import Foundation
import TestSupport
import Testing

/// The release jobs of GitHub and GitLab, run as in their files. Only Linux builds the Debian package.
@Suite(.blocking, .enabled(if: isLinux)) struct ReleaseJobTests {
    @Test func github() throws {
        let rehearsal = try ReleaseRehearsal()
        defer { rehearsal.remove() }
        let tag = try rehearsal.tag()
        let variables = ["GITHUB_REF_NAME": tag, "BASE_URL": "https://git.example.test/releases/\(tag)"]
        for job in ["test", "build"] {
            for step in try rehearsal.steps(of: job, in: .github) {
                let outcome = try rehearsal.bash(step, variables)
                #expect(outcome.end == .exit(0), "\(step): \(outcome)")
            }
        }
        #expect(try rehearsal.calls() == ["make check", "make test", "make dist-check"])

        // actions/download-artifact puts the packages of each machine in a folder with the name of the artifact.
        try rehearsal.shell(
            "mkdir \"$1/packages\" && cp -r \"$1/.build-dist\" \"$1/packages/a\"", rehearsal.work.path("."))
        let steps = try rehearsal.steps(of: "publish", in: .github)
        let outcome = try rehearsal.bash(steps.joined(separator: "\n"), variables)
        #expect(outcome.end == .exit(0), "\(outcome)")
        let call = try #require(try rehearsal.calls().last)
        let version = String(tag.dropFirst())
        #expect(
            call.hasPrefix("gh release create \(tag) --verify-tag --title pinctl \(version) --notes-file notes.md "))
        let names = try rehearsal.work.shellNames("release")
        #expect(call.hasSuffix(" " + names.map { "release/\($0)" }.joined(separator: " ")))
        #expect(names.contains("SHA256SUMS") && names.contains("pinctl.rb") && names.contains("pinctl.spec"))
        #expect(names.contains { $0.hasSuffix(".deb") } && names.contains { $0.hasSuffix("-static.tar.gz") })
        try rehearsal.shell("cd \"$1\" && sha256sum --quiet -c SHA256SUMS", rehearsal.work.path("release"))
        #expect(try rehearsal.work.text("notes.md").contains("### Added"))
        #expect(
            try rehearsal.work.text("release/pinctl.rb").contains("https://git.example.test/releases/\(tag)/pinctl-"))
    }

    @Test func gitlab() throws {
        let rehearsal = try ReleaseRehearsal()
        defer { rehearsal.remove() }
        let uploads = try TemporaryFolder("uploads")
        defer { uploads.remove() }
        let tag = try rehearsal.tag()
        let script = Repository.path("Tests/ScriptedServers/uploads.py")
        func command(_ port: UInt16) -> [String] { ["python3", script, String(port), uploads.path(".")] }
        try ServerProcess.run(command: command) { server in
            let interface = "http://\(server.endpoint)/api/v4"
            let packages = "\(interface)/projects/7/packages/generic/pinctl/\(tag)"
            let variables = [
                "CI_COMMIT_TAG": tag, "CI_PROJECT_DIR": rehearsal.work.path("."), "CI_PROJECT_ID": "7",
                "CI_API_V4_URL": interface, "CI_JOB_TOKEN": "job-token", "PACKAGES": packages,
            ]
            for job in ["test", "build", "publish"] {
                // GitLab runs all lines of a job in one shell.
                let steps = try rehearsal.steps(of: job, in: .gitlab)
                let outcome = try rehearsal.bash(steps.joined(separator: "\n"), variables)
                #expect(outcome.end == .exit(0), "\(job): \(outcome)")
            }
            let names = try rehearsal.work.shellNames("release")
            #expect(names.count >= 8)
            for name in names { #expect(try uploads.bytes(name) == rehearsal.work.bytes("release/\(name)"), "\(name)") }
            let requests = try uploads.text("requests").split(separator: "\n").map(String.init)
            let put = names.map { "PUT /api/v4/projects/7/packages/generic/pinctl/\(tag)/\($0) job-token" }
            #expect(requests == put + ["POST /api/v4/projects/7/releases job-token"])

            struct Release: Decodable {
                struct Assets: Decodable {
                    struct Link: Decodable { let name: String, url: String }
                    let links: [Link]
                }
                let tag: String
                let description: String
                let assets: Assets

                enum CodingKeys: String, CodingKey {
                    case tag = "tag_name"
                    case description, assets
                }
            }
            let release = try JSONDecoder().decode(Release.self, from: Data(try uploads.bytes("releases")))
            #expect(release.tag == tag && release.description.contains("### Added"))
            #expect(release.assets.links.map(\.url) == names.map { "\(packages)/\($0)" })
        }
        #expect(
            try rehearsal.calls().filter { $0.hasPrefix("make") } == ["make check", "make test", "make dist-check"])
    }

    /// A program that is built in two folders as `Scripts/build` does has the same bytes after `Scripts/packages/normalize`.
    @Test func programsDoNotDependOnTheirFolder() throws {
        let folder = try TemporaryFolder("reproducible")
        defer { folder.remove() }
        let script = """
            mkdir -p "$1"
            cd "$1"
            printf 'print(CommandLine.arguments.count)\n' >main.swift
            swiftc -O -wmo -module-name program -static-stdlib -file-prefix-map "$PWD=." main.swift -o program
            "$2" program normalized
            ./normalized
            """
        let normalize = Repository.path("Scripts/packages/normalize")
        let paths = ["short", "a/folder/with/a/longer/name"]
        for path in paths {
            let outcome = try ChildProcess.run(
                ["bash", "-e", "-c", script, "bash", folder.path(path), normalize], environment: TestEnvironment.base)
            #expect(outcome.end == .exit(0) && outcome.text == "1\n", "\(outcome)")
        }
        #expect(try folder.bytes("\(paths[0])/normalized") == folder.bytes("\(paths[1])/normalized"))
        // Otherwise the script would not be needed.
        #expect(try folder.bytes("\(paths[0])/program") != folder.bytes("\(paths[1])/program"))
    }

    @Test func wrongTagsAndFilesAreErrors() throws {
        let rehearsal = try ReleaseRehearsal()
        defer { rehearsal.remove() }
        let tag = try rehearsal.bash("Scripts/release check v99.0.0")
        #expect(tag.end == .exit(1) && tag.errors.contains("the tag is \"v99.0.0\""), "\(tag)")
        let dated = try rehearsal.bash("Scripts/release check \(try rehearsal.tag())")
        #expect(dated.end == .exit(0), "\(dated)")
        let undated = try rehearsal.bash(
            "sed -i 's/– 2027-01-15$/– unreleased/' Docs/CHANGELOG.md && Scripts/release check \(try rehearsal.tag())")
        #expect(undated.end == .exit(1) && undated.errors.contains("add the date of the release"), "\(undated)")

        let collected = try rehearsal.bash(
            """
            mkdir a b
            for folder in a b; do
                echo "$folder" >$folder/pinctl.rb
                (cd $folder && sha256sum pinctl.rb >SHA256SUMS)
            done
            Scripts/release collect release a b
            """)
        #expect(collected.end == .exit(1) && collected.errors.contains("\"pinctl.rb\" differs"), "\(collected)")
        let damaged = try rehearsal.bash("echo changed >>a/pinctl.rb; Scripts/release collect other a")
        #expect(damaged.end == .exit(1) && damaged.errors.contains("differs from its checksum"), "\(damaged)")
    }
}

extension TemporaryFolder {
    /// The names in a subfolder, in the order of the shell's `*`.
    fileprivate func shellNames(_ name: String) throws -> [String] {
        let output = try ChildProcess.output(of: ["bash", "-c", "cd \"$0\" && printf '%s\\n' *", path(name)])
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

private let isLinux: Bool = {
    #if os(Linux)
        true
    #else
        false
    #endif
}()
