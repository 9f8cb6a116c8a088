import Foundation
import TestSupport
import Testing

/// Outputs through a symbolic link that the system does not follow, because another user made it in a shared folder (proc(5),
/// "protected_symlinks").
@Suite(.blocking) struct ProtectedLinkTests {
    /// Whether this system refuses the links, and this process can make those of another user.
    private static let kernelRefuses =
        geteuid() == 0
        && (try? String(contentsOfFile: "/proc/sys/fs/protected_symlinks", encoding: .utf8)) == "1\n"

    private static let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("links")
        let set = #"{"version":1,"hosts":{"api.example.com":["\#(Self.pin)"]}}"#
        try folder.write(set, to: "pins.json")
        try folder.write(set, to: "precious")
        let shared = folder.url.appending(path: "shared")
        try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: false)
        // The library reads no owner, so without root the owner of the links does not matter.
        _ = try ChildProcess.output(of: [
            "sh", "-c",
            "chmod 1777 $0; cd $0; ln -s ../precious out; mkdir own new; chmod 1777 own new; ln -s ../../absent new/out; "
                + "ln -s ../../precious own/kept; chown -h 65534 out new/out 2>/dev/null; true",
            shared.path(percentEncoded: false),
        ])
    }

    private func expectRefusal(environment: [String: String]) throws {
        defer { folder.remove() }
        let before = try folder.text("precious")
        let convert = ["convert", "--to", "okhttp", "pins.json", "-o"]
        for arguments in [convert + ["shared/out"], convert + ["shared/new/out"]] {
            let run = try PinctlRun.spawn(arguments, environment: environment, folder: folder.url)
            #expect(run.status == 2 && run.errors.contains("the system does not follow this symbolic link"), "\(run)")
        }
        let retire = ["retire", "--pins", "shared/out", "--pin", Self.pin, "api.example.com"]
        let run = try PinctlRun.spawn(retire, environment: environment, folder: folder.url)
        #expect(run.status == 2 && run.errors.contains("permission denied"), "\(run)")
        try #expect(folder.text("precious") == before)
        #expect(!FileManager.default.fileExists(atPath: folder.path("absent")))
        // The control: a link that the system follows.
        let followed = try PinctlRun.spawn(convert + ["shared/own/kept"], environment: environment, folder: folder.url)
        try #expect(followed.status == 0 && folder.text("precious").contains("CertificatePinner"), "\(followed)")
    }

    @Test(.enabled(if: kernelRefuses, "root and fs.protected_symlinks = 1 are needed"))
    func outputsFollowNoLinkThatTheKernelRefuses() throws { try expectRefusal(environment: [:]) }

    @Test(.enabled(if: FaultInjection.isSupported, "LD_PRELOAD is needed"))
    func outputsFollowNoLinkThatTheLibraryRefuses() throws {
        let source = Repository.path("Tests/FaultInjection/links.c")
        let library = folder.path("links.so")
        _ = try ChildProcess.output(of: ["clang", "-shared", "-fPIC", "-o", library, source, "-ldl"])
        try expectRefusal(environment: ["LD_PRELOAD": library, "LINK_NAME": "out"])
    }
}
