import Foundation
import TestSupport
import Testing

/// Tests with a host whose names and addresses come from the library `lookup.so` instead of the system's name resolution.
protocol NameLookUpSuite {
    var pki: RotationPKI { get }
    var folder: TemporaryFolder { get }
}

extension NameLookUpSuite {
    static func prepared() throws -> (RotationPKI, TemporaryFolder) {
        let pki = try RotationPKI()
        let folder = try TemporaryFolder("look-ups")
        try pki.chain("second", key: "leaf2", by: "intermediate")
        for name in ["leaf", "spare"] { try pki.key(name) }
        _ = try FaultInjection.lookUpLibrary(in: folder)
        return (pki, folder)
    }

    /// The option no-aaaa of resolv.conf(5) came with glibc 2.36.
    static var knowsNoAAAA: Bool { isNoAAAAKnown }

    /// The answer of a name server to the question for `www.example.test` (RFC 1035, section 4.1), in hexadecimal.
    static func answer(
        of name: String = RotationPKI.host, flags: String = "8180", count: Int? = nil, type: Int,
        recordType: Int? = nil,
        _ addresses: [String]
    ) -> String {
        let name = name.split(separator: ".").map { label in
            hex(label.utf8.count, 1) + label.utf8.map { hex(Int($0), 1) }.joined()
        }
        let question = name.joined() + "00" + hex(type, 2) + "0001"
        let records = addresses.map { "c00c" + hex(recordType ?? type, 2) + "000100000005" + hex($0.count / 2, 2) + $0 }
        return "0007" + flags + "0001" + hex(count ?? addresses.count, 2) + "00000000" + question + records.joined()
    }

    static func hex(_ number: Int, _ bytes: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 2 * bytes - text.count) + text
    }

    static var ipv4: String { "7f000001" }
    static var ipv6: String { "00000000000000000000000000000001" }

    func refresh(
        _ code: Int32, _ reason: Int32 = NO_DATA, _ more: [String: String] = [:], limit: [String] = [],
        pins others: [String]? = nil, servers: (String) -> String = { _ in "" }
    ) throws -> PinctlRun {
        let pins =
            try others ?? [
                #"{ "sha256": "\#(pki.pin("leaf"))", "role": "leaf" }"#,
                #"{ "sha256": "\#(pki.pin("root"))", "role": "root" }"#,
                #"{ "sha256": "\#(pki.pin("spare"))", "role": "leaf", "state": "backup" }"#,
            ]
        try folder.write(
            "{ \"version\": 1, \"hosts\": { \"\(RotationPKI.host)\": { \"pins\": [\(pins.joined(separator: ", "))] } } }\n",
            to: "pins.json")
        return try serving { port in
            try PinctlRun.spawn(
                ["refresh", "--write", "--retain", "0", "--pins", "pins.json", "--anchors", pki.path("root.pem")]
                    + limit,
                environment: environment(port, code, reason).merging(more) { $1 }, folder: folder.url)
        } _: {
            servers($0)
        }
    }

    func environment(_ port: UInt16, _ code: Int32, _ reason: Int32 = NO_DATA) -> [String: String] {
        [
            "LD_PRELOAD": folder.path("lookup.so"), "LOOKUP_HOST": RotationPKI.host, "LOOKUP_PORT": "\(port)",
            "LOOKUP_IPV6": "\(code)", "LOOKUP_REASON": "\(reason)",
        ]
    }

    /// - Parameter servers: more servers for the endpoint, as configuration of nginx.
    func serving(
        _ body: (UInt16) throws -> PinctlRun, _ servers: (String) -> String = { _ in "" }
    ) throws -> PinctlRun {
        try Nginx.run {
            pki.server($0, "second") + servers($0)
        } _: {
            try body($0.port)
        }
    }
}

private let isNoAAAAKnown: Bool = {
    let output = try? ChildProcess.output(of: ["getconf", "GNU_LIBC_VERSION"])
    let minor = output.flatMap {
        Int(String(decoding: $0.dropLast(), as: UTF8.self).split(separator: ".").last ?? "")
    }
    return (minor ?? 0) >= 36
}()
