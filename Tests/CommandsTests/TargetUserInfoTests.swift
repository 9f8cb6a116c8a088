import Foundation
import TestSupport
import Testing

/// A user and a password in a target are an error that does not show them, because a log can keep messages.
@Suite(.blocking) struct TargetUserInfoTests {
    @Test(arguments: [
        ["fetch", "https://anna:hunter22@host.test"], ["fetch", "https://hunter22@host.test/"],
        ["fetch", "anna:hunter22@host.test"], ["fetch", "gopher://anna:hunter22@host.test"],
        ["fetch", "https://anna:hunter22/x@host.test:443"], ["fetch", "anna:x=hunter22@host.test"],
        ["fetch", "https://anna:[hunter22@host.test"], ["fetch", "--connect-to", "anna:hunter22@host.test", "x.test"],
        ["fetch", "--servername=anna:hunter22@host.test", "x.test"], ["https://anna:hunter22@host.test"],
        ["keygen", "a.key", "https://anna:hunter22@host.test"], ["init", "smtp://anna:hunter22@host.test"],
    ]) func argumentsAreNotShown(arguments: [String]) throws {
        let run = try PinctlRun.inProcess(arguments)
        #expect(run.status == 2, "\(run)")
        #expect(run.errors.contains("@host.test"), "\(run)")
        #expect(!run.errors.contains("hunter22") && !run.errors.contains("anna"), "\(run)")
    }

    @Test func linesOfAListAreNotShown() throws {
        let padding = String(repeating: "x", count: 100)
        for line in ["https://anna:hunter22@host.test", "https://anna:hunter22\(padding)@host.test"] {
            let run = try PinctlRun.inProcess(["fetch", "--from", "-"], input: Array("\(line)\n".utf8))
            #expect(run.errors.contains("invalid host \"https://…@host.test\": it has a user name"), "\(run)")
            #expect(!run.errors.contains("hunter22"), "\(run)")
        }
    }

    @Test func endpointsOfASetAreNotShown() throws {
        let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
        for endpoint in ["https://anna:hunter22@host.test", "gopher://anna:hunter22@host.test"] {
            let set = #"{"version":1,"hosts":{"host.test":{"endpoints":["\#(endpoint)"],"pins":["\#(pin)"]}}}"#
            let run = try PinctlRun.inProcess(["verify", "--pins", "-", "host.test"], input: Array(set.utf8))
            #expect(run.status == 2 && run.errors.contains("the endpoint"), "\(run)")
            #expect(!run.errors.contains("hunter22"), "\(run)")
        }
    }
}
