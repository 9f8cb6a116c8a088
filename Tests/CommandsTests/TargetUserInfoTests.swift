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
        ["inspect", "https://anna:hunter22@host.test/"], ["inspect", "anna:hunter22@host.test/x"],
        ["inspect", "https://anna:hunter22/x@host.test/"], ["diff", "https://anna:hunter22@host.test/", "x.json"],
        ["diff", "x.test", "https://anna:hunter22@host.test/"], ["diff", "x.test", "anna:hunter22@host.test"],
        ["explain", "https://anna:hunter22@host.test/"], ["verify", "--pins", "https://anna:hunter22@host.test", "h"],
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

    /// Without the @, or with another mistake, the parts of the URL of a proxy are not known. So none is shown.
    @Test(arguments: [
        "http://anna:hunter22", "http://anna:hunter22:3128", "anna:hunter22", "socks5://[::1]:hunter22",
        "http://[hunter22]:3128", "http://[::1]hunter22",
    ]) func proxiesAreNotShown(url: String) throws {
        let variables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].map { [$0: url] }
        for environment in variables + [[:]] {
            let arguments = ["fetch", "x.test"] + (environment.isEmpty ? ["--proxy", url] : [])
            let run = try PinctlRun.inProcess(arguments, environment: environment)
            #expect(run.status == 2 && run.errors.contains(environment.keys.first ?? "--proxy"), "\(run)")
            #expect(!run.errors.contains("hunter22"), "\(run)")
        }
    }

    @Test(arguments: [
        "https://anna:hunter22@host.test", "anna:hunter22,x@host.test", "https://anna:hun,hunter22@host.test",
    ])
    func exemptHostsAreNotShown(url: String) throws {
        for proxy in [[], ["--proxy", "http://127.0.0.1:1"]] {
            let run = try PinctlRun.inProcess(["fetch", "x.test", "--no-proxy", url] + proxy)
            #expect(run.status == 2 && run.errors.contains("--no-proxy"), "\(run)")
            #expect(!run.errors.contains("hunter22") && !run.errors.contains("hun,"), "\(run)")
        }
    }

    @Test(arguments: [["fetch", "--password=hunter22", "x.test"], ["--token=hunter22"], ["diff", "-secret=hunter22"]])
    func valuesOfUnknownOptionsAreNotShown(arguments: [String]) throws {
        let run = try PinctlRun.inProcess(arguments)
        #expect(run.status == 2 && run.errors.contains("=…\""), "\(run)")
        #expect(!run.errors.contains("hunter22"), "\(run)")
    }

    @Test(arguments: ["text", "json"]) func urlsOfALogAreNotShown(format: String) throws {
        let log = "curl: (90) SSL: public key does not match pinned public key https://anna:hunter22@127.0.0.1/x@y\n"
        let run = try PinctlRun.inProcess(["explain", "--offline", "-f", format, "-"], input: Array(log.utf8))
        #expect(run.text.contains("https://…@127.0.0.1/x@y"), "\(run)")
        #expect(!run.text.contains("hunter22") && !run.errors.contains("hunter22"), "\(run)")
    }
}
