import Foundation
import TestSupport
import Testing

/// Files of one host that cannot be written into the folder of `fetch --output`: the other hosts have their files.
@Suite(.blocking) struct FetchFolderTests {
    private let pki: TestPKI
    private let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("hosts")
    }

    private static let roles = ["intermediate1", "leaf", "root"]

    /// - Parameter body: Receives a port, and the arguments of a run for these hosts with a local server.
    private func fetching(
        _ hosts: [String], _ body: (_ port: UInt16, _ arguments: [String]) throws -> Void
    ) throws {
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, "leaf")
        } _: { server in
            let options = ["--connect-to", "127.0.0.1", "--anchors", pki.path("root.pem"), "-j", "1", "-o", "out/"]
            try body(UInt16(server.port), ["fetch"] + hosts.map { "\($0):\(server.port)" } + options)
        }
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
    }

    private func files(_ hosts: [String], _ port: UInt16) -> [String] {
        hosts.flatMap { host in Self.roles.map { "\(host)-\(port).\($0).der" } }
    }

    /// What has the name of a file.
    enum Obstacle: String, CaseIterable {
        case folder, danglingLink, loop, fifo, linkToFIFO, socket, linkToDevice

        /// The command of a shell; `$1` is the name.
        var command: String {
            switch self {
            case .folder: #"mkdir "$1""#
            case .danglingLink: #"ln -s missing/file "$1""#
            case .loop: #"ln -s "$1" "$1""#
            case .fifo: #"mkfifo "$1""#
            case .linkToFIFO: #"mkfifo ../fifo && ln -s ../fifo "$1""#
            case .socket: #"python3 -c "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])" "$1""#
            case .linkToDevice: #"ln -s /dev/null "$1""#
            }
        }

        var reason: String {
            switch self {
            case .folder: "is a directory"
            case .danglingLink: "there is no folder"
            case .loop: "its symbolic links form a loop"
            case .fifo, .linkToFIFO: "it is a FIFO, not a regular file"
            case .socket: "it is a socket, not a regular file"
            case .linkToDevice: "it is a device, not a regular file"
            }
        }
    }

    @Test(arguments: Obstacle.allCases) func aFileOfOneHostStopsNoOtherHost(obstacle: Obstacle) throws {
        let hosts = ["a", "b", "c"].map { "\($0).example.test" }
        try fetching(hosts) { port, arguments in
            let name = "\(hosts[1])-\(port).intermediate1.der"
            try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: false)
            _ = try ChildProcess.output(
                of: ["sh", "-c", obstacle.command, "sh", name], folder: folder.url.appending(path: "out"))
            let run = try PinctlRun.spawn(arguments, folder: folder.url)
            #expect(run.status == 3 && run.output.isEmpty, "\(run)")
            let errors = run.errorLines.filter { $0.hasPrefix("pinctl: error: ") }
            #expect(errors.count == 1, "\(run)")
            #expect(
                run.errors.hasPrefix(
                    "pinctl: error: \(hosts[1]):\(port): cannot write \"out/\(name)\": \(obstacle.reason)"),
                "\(run)")
            try #expect(names() == (files([hosts[0], hosts[2]], port) + [name]).sorted())
        }
    }

    /// The name of the leaf's file has 251 bytes, and that of the intermediate 260.
    @Test(arguments: [true, false]) func aHostWithALongName(exists: Bool) throws {
        let parts = [60, 60, 60, 47].map { String(repeating: "y", count: $0) }
        let hosts = [parts.joined(separator: ".") + ".test", "a.example.test"]
        #expect(hosts[0].utf8.count == 235)
        if exists { try folder.write("", to: "out/other") }
        try fetching(hosts) { port, arguments in
            let run = try PinctlRun.spawn(arguments + ["-k"], folder: folder.url)
            #expect(run.status == 3 && run.errors.contains("file name too long"), "\(run)")
            try #expect(names() == files([hosts[1]], port) + (exists ? ["other"] : []))
        }
    }

    /// The names of the files of two hosts are equal, and neither host has written a file.
    @Test func aNameThatIsNotUsed() throws {
        defer { folder.remove() }
        try Nginx.run {
            Nginx.host($0, "leaf") + Nginx.host($0, "leaf-p384", names: "__1")
        } _: { server in
            let targets = ["\(server.endpoint)=::1", "\(server.endpoint)=__1"]
            let base = "\(server.endpoint.replacing(":", with: "-"))=__1"
            try folder.write("", to: "out/\(base).intermediate1.der/file")
            let run = try PinctlRun.spawn(["fetch", "-k", "-j", "1", "-o", "out/"] + targets, folder: folder.url)
            #expect(run.status == 3 && !run.errors.contains("already contains"), "\(run)")
            #expect(run.errors.components(separatedBy: "is a directory").count == 3, "\(run)")
            try #expect(names() == ["\(base).intermediate1.der"])
        }
    }

    /// A disk without space, or a folder without write permission, has no place for the files of the other hosts either.
    @Test(
        .enabled(if: FaultInjection.isSupported, "LD_PRELOAD is needed"),
        arguments: [(ENOSPC, false), (EDQUOT, false), (EIO, true)])
    func anErrorOfTheDisk(code: Int32, writesOthers: Bool) throws {
        let hosts = ["a.example.test", "b.example.test"]
        try fetching(hosts) { port, arguments in
            let arguments = Array(arguments.dropLast()) + [folder.path("out/")]
            let faults = FaultInjection(folder: folder)
            let calls = try faults.calls(of: arguments).calls
            for call in ["write", "fsync"] {
                try? FileManager.default.removeItem(atPath: folder.path("out"))
                let number = try #require(calls.firstIndex(of: call))
                let run = try faults.run(arguments, .failure(code), at: number)
                #expect(run.end == .exit(3), "\(run)")
                #expect(run.errors.components(separatedBy: "cannot write").count == 2, "\(run)")
                let exists = FileManager.default.fileExists(atPath: folder.path("out"))
                try #expect((exists ? names() : []) == (writesOthers ? files([hosts[1]], port) : []), "\(run)")
            }
        }
    }

    /// The first file has its name when the second one fails. It is not a change by another process for the next result of the host.
    @Test(.enabled(if: FaultInjection.isSupported, "LD_PRELOAD is needed")) func anErrorAfterTheFirstFile() throws {
        let host = "a.example.test"
        try fetching([host, host]) { port, arguments in
            let arguments = Array(arguments.dropLast()) + [folder.path("out/")]
            let faults = FaultInjection(folder: folder)
            let calls = try faults.calls(of: arguments).calls
            try FileManager.default.removeItem(atPath: folder.path("out"))
            let number = try #require(calls.indices.filter { calls[$0] == "linkat" }.dropFirst().first)
            let run = try faults.run(arguments, .failure(EIO), at: number)
            #expect(run.end == .exit(3) && !run.errors.contains("has changed it"), "\(run)")
            #expect(run.errors.components(separatedBy: "cannot write").count == 2, "\(run)")
            try #expect(names() == files([host], port))
        }
    }

    #if os(Linux)
        @Test func aFolderWithoutWritePermission() throws {
            try fetching(["a.example.test", "b.example.test"]) { _, arguments in
                try folder.write("", to: "out/other")
                try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path("out"))
                let isRoot = geteuid() == 0
                let drop = isRoot ? ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"] : []
                let run = try ChildProcess.run(
                    drop + [PinctlRun.executable] + arguments, environment: TestEnvironment.base, folder: folder.url)
                #expect(run.end == .exit(3), "\(run)")
                #expect(run.errors.components(separatedBy: "cannot write").count == 2, "\(run)")
                try #expect(names() == ["other"])
            }
        }
    #endif
}
