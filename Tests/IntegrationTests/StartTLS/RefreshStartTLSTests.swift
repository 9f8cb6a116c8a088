import Foundation
import TestSupport
import Testing

/// The apps of an entry without endpoints connect to port 443, also if `--starttls` selects another port for one run.
@Suite(.blocking, .enabled(if: FaultInjection.isSupported)) struct RefreshStartTLSTests {
    let pki: RotationPKI
    let folder: TemporaryFolder
    let library: String

    init() throws {
        pki = try RotationPKI()
        folder = try TemporaryFolder("refresh-starttls")
        try pki.chain("second", key: "leaf2", by: "intermediate")
        for name in ["leaf", "spare"] { try pki.key(name) }
        library = try FaultInjection.lookUpLibrary(in: folder)
    }

    /// Without an operand, `--starttls postgres` contacts port 5432 of the host. With one, the scheme selects the same port.
    @Test(arguments: [
        ["--starttls", "postgres"], ["--starttls", "postgres", RotationPKI.host], ["postgres://\(RotationPKI.host)"],
    ])
    func anotherPortRetiresNothing(arguments: [String]) throws {
        let run = try refresh(arguments)
        #expect(run.status == 0, "\(run)")
        #expect(run.text.contains("not seen, but \(RotationPKI.host):443 was not contacted"), "\(run)")
        let set = try folder.text("pins.json")
        #expect(!set.contains("goneSince") && !set.contains("retired"), "\(set)")
        #expect(set.contains(try pki.pin("leaf2")), "\(set)")
    }

    /// The set says that the host has only this endpoint.
    @Test(arguments: [[], ["--starttls", "postgres"]]) func theOnlyEndpointRetires(arguments: [String]) throws {
        let run = try refresh(arguments, endpoints: #""endpoints": ["postgres://\#(RotationPKI.host)"], "#)
        #expect(run.status == 0, "\(run)")
        try #expect(folder.text("pins.json").contains("\"state\": \"retired\""), "\(run)")
    }

    /// Runs refresh for a server that answers the SSLRequest of PostgreSQL, then serves the key `leaf2`.
    private func refresh(_ arguments: [String], endpoints: String = "") throws -> PinctlRun {
        let pins = [
            #"{ "sha256": "\#(try pki.pin("leaf"))", "role": "leaf" }"#,
            #"{ "sha256": "\#(try pki.pin("root"))", "role": "root" }"#,
            #"{ "sha256": "\#(try pki.pin("spare"))", "role": "leaf", "state": "backup" }"#,
        ]
        try folder.write(
            "{ \"version\": 1, \"hosts\": { \"\(RotationPKI.host)\": { \(endpoints)\"pins\": [\(pins.joined(separator: ", "))] } } }\n",
            to: "pins.json")
        return try Nginx.run {
            pki.server($0, "second")
        } _: { server in
            let port = server.port
            return try RawPeer.run { connection in
                guard connection.read() == Self.request else { return }
                connection.write("S")
                connection.forward(to: port) { $0.write($1) }
            } _: { peer in
                try PinctlRun.spawn(
                    ["refresh", "--write", "--retain", "0", "--pins", "pins.json", "--anchors", pki.path("root.pem")]
                        + arguments,
                    environment: [
                        "LD_PRELOAD": library, "LOOKUP_HOST": RotationPKI.host, "LOOKUP_FROM": "5432",
                        "LOOKUP_PORT": "\(peer.port)", "LOOKUP_IPV6": "\(EAI_NONAME)", "LOOKUP_REASON": "\(NO_DATA)",
                    ], folder: folder.url)
            }
        }
    }

    /// The length 8 and the code 80877103 (PostgreSQL, "Message Formats", SSLRequest).
    private static let request: [UInt8] = [0, 0, 0, 8, 4, 210, 22, 47]
}
