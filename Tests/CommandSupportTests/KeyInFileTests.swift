import Foundation
import InProcessRuns
import TestSupport
import Testing

/// A private key in the comments, the hosts or the pins of a file, which a reader uses separately.
@Suite(.blocking) struct KeyInFileTests {
    private static let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    private static let other = "diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="

    enum Place: CaseIterable {
        case swiftComments, xmlComments, hostLines, elements, labels

        /// - Parameter lines: the key in base64, or one in hexadecimal digits for the labels of a host.
        func file(_ lines: [String]) -> (name: String, text: String) {
            switch self {
            case .swiftComments:
                let comments = lines.map { "    // \($0)\n" }.joined()
                return (
                    "Pins.swift",
                    """
                    let c: [String: Any] = [kTSKPinnedDomains: ["h.example.com": [kTSKPublicKeyHashes: [
                        "\(KeyInFileTests.pin)",
                    \(comments)    "\(KeyInFileTests.other)"
                    ]]]]
                    """
                )
            case .xmlComments, .elements:
                let isComment = self == .xmlComments
                let lines = lines.map {
                    isComment ? "<!-- \($0) -->\n" : "<pin digest=\"SHA-256\">\($0)</pin>\n"
                }.joined()
                return (
                    "config.xml",
                    "<network-security-config><domain-config><domain>h.example.com</domain><pin-set>\n"
                        + "<pin digest=\"SHA-256\">\(KeyInFileTests.pin)</pin>\n\(lines)<pin digest=\"SHA-256\">\(KeyInFileTests.other)</pin>\n"
                        + "</pin-set></domain-config></network-security-config>\n"
                )
            case .hostLines:
                return ("pins.txt", lines.map { "# \($0)\n" }.joined() + "sha256//\(KeyInFileTests.pin)\n")
            case .labels:
                let host = lines.joined(separator: ".")
                return ("pins.json", #"{"version":1,"hosts":{"\#(host).example":["\#(KeyInFileTests.pin)"]}}"#)
            }
        }
    }

    @Test(arguments: Place.allCases, [["ED25519"], ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"]])
    func isNotShown(place: Place, algorithm: [String]) throws {
        // A name has at most 253 characters.
        guard place != .labels || algorithm == ["ED25519"] else { return }
        let folder = try TemporaryFolder("key-in-file")
        defer { folder.remove() }
        let key = try ChildProcess.output(of: ["openssl", "genpkey", "-outform", "DER", "-algorithm"] + algorithm)
        let digits =
            place == .labels ? key.map { String(format: "%02x", $0) }.joined() : Data(key).base64EncodedString()
        let size = place == .labels ? 60 : 44
        let lines = stride(from: 0, to: digits.count, by: size).map { String(digits.dropFirst($0).prefix(size)) }
        let file = place.file(lines)
        try folder.write(file.text, to: file.name)
        try folder.write(#"{"version":1,"hosts":{"h.example.com":["\#(Self.pin)"]}}"#, to: "set.json")
        for command in [
            ["convert", "--to", "pins", file.name], ["convert", "--to", "okhttp", file.name], ["lint", file.name],
            ["lint", "-f", "json", file.name], ["diff", file.name, "set.json"],
            ["diff", "-f", "json", file.name, "set.json"],
            ["verify", "--timeout", "1", "--pins", file.name], ["verify", "--pins", file.name, "other.example.com"],
        ] {
            let run = try PinctlRun.inProcess(command, folder: folder.url)
            let shown = (run.text + run.errors).lowercased()
            // The first line has the start, which all keys of a type have.
            for line in lines.dropFirst() {
                let line = line.lowercased().replacing("=", with: "")
                for start in stride(from: 0, through: line.count - 8, by: 4) {
                    let part = line.dropFirst(start).prefix(8)
                    #expect(!shown.contains(part), "\(command): \(shown)")
                }
            }
        }
    }

    /// How a file has the parts of a key at places that readers use separately, with pins in the same notation between them.
    enum Mixture: CaseIterable {
        case zoneComments, zoneNames, nats, labels, hpkp, elastic, hosts, escapedHosts, escapedPins

        /// The number of digits of a part, and whether they are hexadecimal.
        var parts: (size: Int, isHexadecimal: Bool) {
            switch self {
            case .zoneComments, .zoneNames, .nats, .labels: (20, true)
            case .hosts: (32, true)
            case .hpkp: (20, false)
            case .elastic: (16, false)
            case .escapedHosts, .escapedPins: (40, false)
            }
        }

        func file(_ parts: [String]) -> (name: String, text: String) {
            let pin = KeyInFileTests.pin
            let hex = "0b9fa5a59eed715c26c1020c711b4f6ec42d58b0015e14337a39dad301c5afc3"
            func lines(_ line: (String) -> String) -> String { parts.map(line).joined() }
            func list(_ value: (String) -> String) -> String { parts.map(value).joined(separator: ",\n") }
            return switch self {
            case .zoneComments: ("zone.tlsa", lines { "_443._tcp.h.example.com. IN TLSA 3 1 1 \(hex) ; \($0)\n" })
            case .zoneNames: ("zone.tlsa", lines { "_443._tcp.\($0).example.com. IN TLSA 3 1 1 \(hex)\n" })
            case .nats: ("nats.conf", lines { "# host: \($0).example.com\ntls {\n  pinned_certs: [ \"\(hex)\" ]\n}\n" })
            case .labels:
                (
                    "pins.json",
                    #"{"version":1,"hosts":{"h.example.com":[\#(list { #"{"sha256":"\#(hex)","label":"\#($0)"}"# })]}}"#
                )
            case .hpkp:
                (
                    "hpkp.txt",
                    lines {
                        "# \($0).example.com\nPublic-Key-Pins: pin-sha256=\"\(pin)\"; pin-sha256=\"\(KeyInFileTests.other)\"; max-age=5184000\n"
                    }
                )
            case .elastic:
                (
                    "elastic.yml",
                    lines {
                        "---\noutput.elasticsearch:\n  hosts: [\"https://\($0).example.com:9200\"]\n  ssl.ca_sha256:\n    - \"\(pin)\"\n"
                    }
                )
            case .hosts:
                ("pins.json", #"{"version":1,"hosts":{\#(list { #""\#($0).example.com":["\#(hex)"]"# })}}"#)
            case .escapedHosts:
                (
                    "pins.json",
                    #"{"version":1,"hosts":{\#(list { "\"\(Self.escaped($0, "\\u%04x")).example.com\":[\"\(pin)\"]" })}}"#
                )
            case .escapedPins:
                (
                    "config.xml",
                    "<network-security-config><domain-config><domain>h.example.com</domain><pin-set>\n"
                        + lines { "<pin digest=\"SHA-256\">\(Self.escaped($0, "&#x%x;"))</pin>\n" }
                        + "</pin-set></domain-config></network-security-config>\n"
                )
            }
        }

        private static func escaped(_ text: String, _ format: String) -> String {
            text.utf8.map { String(format: format, UInt32($0)) }.joined()
        }
    }

    @Test(arguments: Mixture.allCases) func aDividedKeyIsAnError(mixture: Mixture) throws {
        let folder = try TemporaryFolder("divided-key")
        defer { folder.remove() }
        let (size, isHexadecimal) = mixture.parts
        for algorithm in [["ED25519"], ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"]] {
            let key = try ChildProcess.output(of: ["openssl", "genpkey", "-outform", "DER", "-algorithm"] + algorithm)
            let digits =
                isHexadecimal
                ? key.map { String(format: "%02x", $0) }.joined()
                : Data(key).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            let parts = stride(from: 0, to: digits.count, by: size).map { String(digits.dropFirst($0).prefix(size)) }
            let file = mixture.file(parts)
            try folder.write(file.text, to: file.name)
            for command in [
                ["convert", "--to", "pins"], ["convert", "--to", "okhttp"], ["lint"], ["lint", "-f", "json"],
                ["diff", file.name],
                ["verify", "--timeout", "1", "--pins"], ["explain"],
            ] {
                let run = try PinctlRun.inProcess(command + [file.name], folder: folder.url)
                #expect(run.status == 2, "\(command): \(run)")
                let line = mixture == .elastic ? 3 : mixture == .escapedPins ? 2 : 1
                #expect(
                    run.errors.hasPrefix("pinctl: error: \(file.name):\(line): the file contains a private key, "),
                    "\(command): \(run.errors)")
                #expect(!(run.text + run.errors).contains("example.com"))
            }
        }
    }

    /// `xxd -p -c 32` prints lines that have the form of pins.
    @Test func aLineIsNoPin() throws {
        let folder = try TemporaryFolder("key-as-hex-pins")
        defer { folder.remove() }
        let key = try ChildProcess.output(of: [
            "openssl", "genpkey", "-outform", "DER", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048",
        ])
        let digits = key.map { String(format: "%02x", $0) }.joined()
        let lines = stride(from: 0, to: digits.count, by: 64).map { digits.dropFirst($0).prefix(64) }
        let pins = lines.filter { $0.count == 64 }.map { "\"\($0)\"" }.joined(separator: ", ")
        try folder.write("# host: h.example.com\ntls { pinned_certs: [\(pins)] }\n", to: "nats.conf")
        try folder.write(#"{"version":1,"hosts":{"h.example.com":[\#(pins)]}}"#, to: "pins.json")
        for file in ["nats.conf", "pins.json"] {
            for command in [["convert", "--to", "okhttp"], ["verify", "--timeout", "1", "--pins"], ["lint"]] {
                let run = try PinctlRun.inProcess(command + [file], folder: folder.url)
                #expect(run.status != 0 && (run.text + run.errors).contains("a private key"), "\(command): \(run)")
            }
        }
    }
}
