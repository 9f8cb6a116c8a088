import Foundation
import TestSupport
import Testing

/// File systems and kernels on which files behave in another way, as a library simulates them.
@Suite(.blocking, .enabled(if: FaultInjection.isSupported, "LD_PRELOAD is needed")) struct FileSystemTests {
    private let folder: TemporaryFolder
    private let library: String

    init() throws {
        folder = try TemporaryFolder("systems")
        library = folder.path("filesystems.so")
        let source = Repository.path("Tests/FaultInjection/filesystems.c")
        _ = try ChildProcess.output(of: ["clang", "-shared", "-fPIC", "-o", library, source, "-ldl"])
        let set = #"{"version":1,"hosts":{"api.example.com":["C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="]}}"#
        try folder.write(set, to: "pins.json")
    }

    private func run(_ arguments: [String], as behaviour: String) throws -> PinctlRun {
        try PinctlRun.spawn(arguments, environment: ["LD_PRELOAD": library, behaviour: "1"], folder: folder.url)
    }

    /// Each run ends long before the 30 seconds for which pinctl waits for another process.
    @Test func filesOnNFSAreChanged() throws {
        defer { folder.remove() }
        let add = try run(["add", "--pins", "pins.json", "--expires", "2030-01-01", "api.example.com"], as: "AS_NFS")
        #expect(add.status == 0, "\(add)")
        try #expect(folder.text("pins.json").contains("2030-01-01"))
        try folder.write("old", to: "Pins.kt")
        let convert = try run(["convert", "--to", "okhttp", "-o", "Pins.kt", "pins.json"], as: "AS_NFS")
        #expect(convert.status == 0, "\(convert)")
        try #expect(folder.text("Pins.kt").contains("CertificatePinner"))
        try #expect(folder.names().sorted() == ["Pins.kt", "filesystems.so", "pins.json"])
    }

    @Test func newFilesHaveTheUmask() throws {
        defer { folder.remove() }
        let run = try ChildProcess.run(
            [
                "sh", "-c", "umask 027; $0 convert --to okhttp -o new pins.json; stat -c %a new", PinctlRun.executable,
            ], environment: TestEnvironment.base.merging(["LD_PRELOAD": library, "WITHOUT_UMASK": "1"]) { $1 },
            folder: folder.url)
        #expect(run.text == "640\n", "\(run.errors)")
    }
}
