import Foundation
import InProcessRuns
import TestSupport
import Testing

/// The paths of trust anchors in a set that `pinctl convert` writes.
@Suite(.blocking) struct ConvertAnchorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("convert")
        try folder.write("", to: "set/certs/ca.pem")
        try folder.write("", to: "other/x")
        try folder.write(
            #"{"version":1,"hosts":{"a.example":{"anchors":["certs/ca.pem","missing.pem","/etc/x.pem"],"pins":["\#(ConvertTests.x1)"]}}}"#,
            to: "set/pins.json")
    }

    /// The paths of the anchors in a set with one host.
    static func anchors(in folder: TemporaryFolder, _ name: String) throws -> [String]? {
        try anchors(in: folder.bytes(name))
    }

    private static func anchors(in set: [UInt8]) throws -> [String]? {
        let json = try JSONSerialization.jsonObject(with: Data(set)) as? [String: Any]
        let hosts = json?["hosts"] as? [String: [String: Any]]
        return hosts?["a.example"]?["anchors"] as? [String]
    }

    @Test(arguments: [
        ("set/copy.json", ["certs/ca.pem", "missing.pem"]), ("copy.json", ["set/certs/ca.pem", "set/missing.pem"]),
        ("other/copy.json", ["../set/certs/ca.pem", "../set/missing.pem"]),
        ("other/new/", ["../../set/certs/ca.pem", "../../set/missing.pem"]),
        ("set/certs/copy.json", ["ca.pem", "../missing.pem"]), ("link/copy.json", ["ca.pem", "../missing.pem"]),
    ])
    func namesTheSameFiles(output: String, anchors: [String]) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: "set/certs")
        let run = try PinctlRun.inProcess(
            ["convert", "--to", "pins", "--output", output, "set/pins.json"], folder: folder.url)
        #expect(run.status == 0, "\(run)")
        let file = output.hasSuffix("/") ? output + "pins.json" : output
        try #expect(Self.anchors(in: folder, file) == anchors + ["/etc/x.pem"])
    }

    /// The shell writes standard output to a file of the current folder, or another pinctl reads it.
    @Test func standardOutputIsAFileOfTheCurrentFolder() throws {
        let run = try PinctlRun.inProcess(["convert", "--to", "pins", "set/pins.json"], folder: folder.url)
        try #expect(Self.anchors(in: run.output) == ["set/certs/ca.pem", "set/missing.pem", "/etc/x.pem"])
        let back = try PinctlRun.inProcess(
            ["convert", "--to", "pins", "--output", "other/copy.json", "-"], input: run.output, folder: folder.url)
        #expect(back.status == 0, "\(back)")
        try #expect(
            Self.anchors(in: folder, "other/copy.json") == ["../set/certs/ca.pem", "../set/missing.pem", "/etc/x.pem"])
    }

    /// The option was given, so the step is another certificate.
    @Test(arguments: ["alamofire", "wultra", "certificates"]) func stepIfNoCertificateHasAPin(format: String) throws {
        let pki = try TestPKI.shared()
        let run = try PinctlRun.inProcess(
            ["convert", "--to", format, "--certificates", pki.path("leaf.pem"), "set/pins.json"], folder: folder.url)
        #expect(run.status == 2 && !run.errors.contains("hint: use --certificates"), "\(run)")
        #expect(
            run.errors.contains(", with a key that the set pins")
                || run.errors.contains("certificate with a key that the set pins"))
    }
}
