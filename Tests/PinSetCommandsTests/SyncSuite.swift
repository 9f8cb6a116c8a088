import InProcessRuns
import TestSupport

/// Tests of `pinctl sync` with the files `pins.json` and `sync.json` in a folder.
protocol SyncSuite {
    var folder: TemporaryFolder { get }
}

extension SyncSuite {
    func write(set pins: String...) throws {
        let list = pins.map { "\"\($0)\"" }.joined(separator: ",")
        try write(hosts: #""api.example.com":{"subdomains":"all","pins":[\#(list)]}"#)
    }

    func write(hosts: String) throws {
        _ = try folder.write(#"{"version":1,"hosts":{\#(hosts)}}"#, to: "pins.json")
    }

    func write(copies: String) throws {
        _ = try folder.write(#"{"version":1,"set":"pins.json","copies":[\#(copies)]}"#, to: "sync.json")
    }

    func sync(_ words: String...) throws -> PinctlRun {
        try PinctlRun.inProcess(["sync"] + words + ["sync.json"], folder: folder.url)
    }
}
