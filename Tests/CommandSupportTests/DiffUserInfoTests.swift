import InProcessRuns
import TestSupport
import Testing

@testable import Commands

/// `diff` shows no user and no password of a URL.
@Suite(.blocking) struct DiffUserInfoTests {
    /// A path of anchors can be a URL.
    @Test(arguments: ["text", "json"], ["anna", "o'anna"])
    func anchorsAreNotShownByDiff(format: String, user: String) throws {
        let folder = try TemporaryFolder("user-info-diff")
        defer { folder.remove() }
        let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
        try folder.write(
            #"{"version":1,"hosts":{"h.test":{"anchors":["smtp://\#(user):hunter22@h.test"],"pins":["\#(pin)"]}}}"#,
            to: "a.json")
        try folder.write(#"{"version":1,"hosts":{"h.test":["\#(pin)"]}}"#, to: "b.json")
        let run = try PinctlRun.inProcess(["diff", "-f", format, "a.json", "b.json"], folder: folder.url)
        #expect(run.status == 1 && run.text.contains("…@h.test"), "\(run)")
        #expect(!run.text.contains("hunter22") && !run.text.contains("anna"), "\(run)")
    }
}
