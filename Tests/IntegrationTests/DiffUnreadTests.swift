import TestSupport
import Testing

/// Sets of which pins could not be read are not called equal.
@Suite(.blocking) struct DiffUnreadTests {
    private static let pins = [
        "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=", "diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI=",
    ]

    @Test(arguments: [("", 0), (", PINS.other", 3), (", \"sha256/MCTfuNhcFTV1jWjJyAS5+QB/pJyf+cXujCWTAXRQ3DE=\"", 1)])
    func ofTwoSets(more: String, status: Int32) throws {
        let folder = try TemporaryFolder("diff-unread")
        defer { folder.remove() }
        let list = Self.pins.map { "\"sha256/\($0)\"" }.joined(separator: ", ")
        let code = "val pinner = CertificatePinner.Builder().add(\"a.example\", \(list)\(more)).build()\n"
        let file = try folder.write(code, to: "Pins.kt")
        let plain = Self.pins.map { "\"\($0)\"" }.joined(separator: ",")
        let set = try folder.write("{\"version\":1,\"hosts\":{\"a.example\":[\(plain)]}}", to: "pins.json")
        let run = try PinctlRun.spawn(["diff", set, file])
        #expect(run.status == status, "\(run)")
        #expect(run.errors.contains("it is unknown whether the sets differ") == (status == 3), "\(run)")
    }
}
