import Foundation
import InProcessRuns
import TestSupport
import Testing

/// No output replaces a file that a pin set names as an anchor, also if the run does not need this anchor.
@Suite(.blocking) struct AnchorConflictTests {
    private let folder: TemporaryFolder
    private let pki: TestPKI
    private let anchor: String

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("anchor-conflict")
        anchor = try String(contentsOfFile: pki.path("root.pem"), encoding: .utf8)
        try folder.write(anchor, to: "certs/ca.pem")
        // The anchor is that of another host than the one that the commands name.
        try folder.write(
            #"{"version":1,"hosts":{"localhost":["\#(ConvertTests.x1)"],"b.example":{"anchors":["certs/ca.pem"],"pins":["\#(ConvertTests.x2)"]}}}"#,
            to: "pins.json")
        for (name, file) in [("sync", "certs/ca.pem"), ("link", "link.pem")] {
            try folder.write(
                #"{"version":1,"set":"pins.json","copies":[{"file":"\#(file)","format":"okhttp","overwrite":true}]}"#,
                to: "\(name).json")
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.pem"), withDestinationPath: "certs/ca.pem")
    }

    @Test(arguments: [
        "convert --to okhttp --output certs/ca.pem pins.json", "convert --to pins --output certs/ca.pem pins.json",
        "convert --to okhttp --output link.pem pins.json", "lint --html certs/ca.pem pins.json",
        "sync --write sync.json", "sync --write link.json", "sync --check sync.json",
        "verify --pins pins.json --chain CHAIN --html certs/ca.pem localhost",
        "verify --pins pins.json --html link.pem localhost:1",
        "refresh --write --pins pins.json --timeout 1 --html certs/ca.pem localhost",
        "refresh --write --pins pins.json --timeout 1 --markdown certs/ca.pem localhost",
    ])
    func neverReplacesAnAnchorOfTheSet(command: String) throws {
        let set = try folder.text("pins.json")
        let words = command.split(separator: " ").map {
            $0 == "CHAIN" ? pki.path("leaf.chain.pem") : String($0)
        }
        let run = try PinctlRun.inProcess(words, folder: folder.url)
        #expect(run.status == 2, "\(run)")
        #expect(run.errors.contains("is an input of this command") || run.errors.contains("is also an input"), "\(run)")
        #expect(run.text == "", "\(run)")
        try #expect(folder.text("certs/ca.pem") == anchor)
        try #expect(folder.text("pins.json") == set)
    }

    /// The folder of the anchors, whose other files are no anchors.
    @Test func writesBesideAnAnchor() throws {
        let run = try PinctlRun.inProcess(
            ["convert", "--to", "okhttp", "--output", "certs/pins.kt", "pins.json"], folder: folder.url)
        #expect(run.status == 0, "\(run)")
        try #expect(folder.text("certs/ca.pem") == anchor)
    }
}
