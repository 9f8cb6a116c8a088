import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Configurations of servers and tools, as people write them.
@Suite struct ServerFormatTests: FormatSuite {
    /// These files are for one peer. kubeadm, for example, rejects a file with two documents of a kind (cmd/kubeadm/app/util/marshal.go).
    @Test(arguments: [PinSetFormat.kubeadm, .elastic, .envoy, .nats, .openconnect])
    func saysThatHostsAreNotToldApart(format: PinSetFormat) throws {
        let pin = "[{\"sha256\":\"\(OkHttpFormatTests.x1)\"}]"
        let text = "{\"version\":1,\"hosts\":{\"a.example\":{\"pins\":\(pin)},\"b.example\":{\"pins\":\(pin)}}}"
        let set = try PinSet(json: Array(text.utf8))
        for (host, isOne) in [(nil, false), ("b.example", true)] {
            let writing = try set.written(as: format, with: ConversionInputs(host: host))
            #expect(writing.warnings.contains { $0.reason == .hostsNotToldApart(count: 2) } != isOne)
        }
    }

    /// A list of only backups blocks every connection until the server has changed its key. curl 7.88 exits with status 90.
    @Test(arguments: [
        (PinSetFormat.curl, "root", "leaf"), (.openconnect, "root", "leaf"), (.envoy, "ca", "leaf"),
        (.nats, "intermediate", "leaf"), (.kubeadm, "leaf", "ca"), (.elastic, "leaf", "root"),
    ])
    func writesNoListOfOnlyBackups(format: PinSetFormat, active: String, backup: String) throws {
        func set(_ state: String) throws -> PinSet {
            let pins =
                "[{\"sha256\":\"\(OkHttpFormatTests.x1)\",\"role\":\"\(active)\",\"state\":\"\(state)\"},"
                + "{\"sha256\":\"\(OkHttpFormatTests.x2)\",\"role\":\"\(backup)\",\"state\":\"backup\"}]"
            return try PinSet(json: Array("{\"version\":1,\"hosts\":{\"a.example\":{\"pins\":\(pins)}}}".utf8))
        }
        let error = #expect(throws: PinSetFormatError.self) { try set("active").written(as: format) }
        guard case .nothingWritable(let warning?)? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(warning.message.contains("a list of only backups blocks every connection"))
        #expect(warning.harm == .unpins)
        // Without an active pin in the whole set, the list is what the set says.
        let text = String(decoding: try set("backup").written(as: format).main, as: UTF8.self)
        let hex = try Hex.encode(Pin(spelling: OkHttpFormatTests.x2).bytes)
        #expect(text.contains(OkHttpFormatTests.x2) || text.contains(hex))
    }

    // MARK: kubeadm (cmd/kubeadm/app/util/pubkeypin/pubkeypin.go)

    @Test func kubeadmReadsThePinOfTheAuthority() throws {
        let text = """
            apiVersion: kubeadm.k8s.io/v1beta3
            kind: JoinConfiguration
            discovery:
              bootstrapToken:
                apiServerEndpoint: 10.0.0.1:6443
                caCertHashes:
                - "sha256:\(Self.hex)"
            """
        #expect(try PinSet.read(Array(text.utf8)).format == .kubeadm)
        #expect(summary(try read(text, as: .kubeadm)) == ["10.0.0.1 ca \(Self.pin)"])
        let old =
            "discoveryTokenAPIServers: [a.example:6443, b.example:6443]\ndiscoveryTokenCACertHashes: ['SHA256:\(Self.hex)']"
        #expect(summary(try read(old, as: .kubeadm)) == ["a.example ca \(Self.pin)", "b.example ca \(Self.pin)"])
    }

    @Test(arguments: ["sha1:00", "sha256:00", "sha256", "a:b:c", "pin-sha256:doqV"])
    func kubeadmRejectsOtherHashes(hash: String) throws {
        let error = try error("caCertHashes: [\"\(hash)\"]\napiServerEndpoint: h.example:1", as: .kubeadm)
        #expect(error.message.hasPrefix("kubeadm rejects \"\(hash)\""))
        #expect(error.line == 1)
    }

    /// A token in the place of the hash. The characters after the dot are its secret.
    @Test func kubeadmTokensAreNotShown() throws {
        let text = "kubeadm join h.example:1 --discovery-token-ca-cert-hash abcdef.0123456789abcdef"
        #expect(try error(text, as: .kubeadm).message.hasPrefix("kubeadm rejects \"abcdef.***\""))
    }

    /// The documented form has the options first. A token after an option is no host (cmd/kubeadm/app/cmd/join.go).
    @Test(arguments: [
        "--discovery-token abcdef.0123456789abcdef HASH --control-plane h.example:1",
        "--token=abcdef.0123456789abcdef --v 5 HASH -v 5 h.example:1 > log", "HASH --dry-run h.example:1 --node-name n",
        "--discovery-token-ca-cert-hash sha256:HEX,SHA256:HEX h.example:1", "abcdef.0123456789abcdef HASH h.example:1",
    ])
    func kubeadmReadsOptionsBeforeTheHost(arguments: String) throws {
        let text = arguments.replacing("HASH", with: "--discovery-token-ca-cert-hash sha256:HEX")
        let reading = try read("kubeadm join " + text.replacing("HEX", with: Self.hex), as: .kubeadm)
        #expect(summary(reading) == ["h.example ca \(Self.pin)"])
    }

    @Test func kubeadmReadsCommandsInOtherTexts() throws {
        let text = """
            - cmd: |
                docker exec n kubeadm join 192.168.0.101:6443 --control-plane --discovery-token-ca-cert-hash sha256:\(Self.hex) -v
                kubeadm join {{ .host }} --discovery-token-ca-cert-hash sha256:\(Self.hex)
                kubeadm join h.example:1 --discovery-token-ca-cert-hash sha256:$HASH
            """
        let reading = try read(text, as: .kubeadm, host: "given.example")
        #expect(summary(reading) == ["192.168.0.101 ca \(Self.pin)", "given.example ca \(Self.pin)"])
        #expect(
            reading.warnings.map(\.reason) == [
                .unknownPattern("{{", line: 3), .unknownPin("sha256:$HASH", line: 4),
            ])
    }

    // MARK: openconnect (library.c)

    @Test func openconnectReadsCommandsAndScripts() throws {
        let text = "openconnect --servercert pin-sha256:\(Self.pin) vpn.example.com\n"
        #expect(try PinSet.read(Array(text.utf8)).format == .openconnect)
        #expect(summary(try read(text, as: .openconnect)) == ["vpn.example.com leaf \(Self.pin)"])
        // The hexadecimal digits after sha256: are compared without regard to case, base64 with regard to it.
        let digits =
            "sudo openconnect -u me https://vpn.example.com:444/group --servercert=sha256:\(Self.hex.uppercased())"
        #expect(summary(try read(digits, as: .openconnect)) == ["vpn.example.com leaf \(Self.pin)"])
        #expect(try error("openconnect --servercert pin-sha256:\(Self.pin)", as: .openconnect).need == .host)
    }

    /// openconnect 9.01 takes `--server` and its line in a configuration file, and finds that `--serve` is ambiguous.
    @Test(arguments: [
        "openconnect --mca-key-password x.example --server vpn.example PIN",
        "openconnect vpn.example PIN --csd-user u.example -e 7", "openconnect -x p.example --no-dtls vpn.example PIN",
        "server = vpn.example\nservercert=VALUE", "servercert VALUE\nserver=https://vpn.example:444",
    ])
    func openconnectFindsTheServer(command: String) throws {
        let pin = "pin-sha256:\(Self.pin)"
        let text = command.replacing("PIN", with: "--servercert \(pin)").replacing("VALUE", with: pin)
        let reading = try read(text, as: .openconnect)
        #expect(summary(reading) == ["vpn.example leaf \(Self.pin)"] && reading.warnings.isEmpty)
    }

    /// Each value is compared as a whole, and openconnect takes abbreviated options (openfortivpn 1.19.0 and openconnect 9.01 were run).
    @Test func wholeValuesAndAbbreviations() throws {
        let digest = String(repeating: "c", count: 63) + "a"
        for (text, isRead) in [
            ("trusted-cert = \(digest)", true), ("trusted-cert = \(digest) # gateway", false),
            ("trusted-cert = \"\(digest)\"", false), ("trusted-cert = \(digest)00", false),
            ("openfortivpn h.example --trusted-cert \(digest)", true),
            ("openfortivpn h.example --trusted-cert=\(digest)00", true),
        ] {
            var warnings = ConversionWarnings()
            let entries = try? OpenFortiVPNFormat.entries(in: Array(text.utf8), host: "h.example", &warnings)
            #expect((entries?.count == 1) == isRead, "\(text)")
        }
        let pin = "--servercert pin-sha256:\(Self.pin)"
        for text in [
            "openconnect vpn.example \(pin) --token-sec x.example --form x",
            "openconnect \(pin) vpn.example # password x.example", "openconnect \(pin) vpn.example; echo x.example",
            "if openconnect \(pin) vpn.example; then",
            "true && openconnect \(pin) vpn.example || openconnect x.example",
        ] {
            #expect(summary(try read(text, as: .openconnect)) == ["vpn.example leaf \(Self.pin)"], "\(text)")
        }
    }

    /// getdns's own syntax: stubby 1.6.0 does not start with the others.
    @Test(arguments: [
        ("\"sha256\"", "PIN", "h.example", true), ("\"sha256\"", "\"PIN\"", "h.example", false),
        ("\"sha256\"", "'PIN'", "h.example", false), ("sha256", "PIN", "h.example", false),
    ])
    func quotationMarksOfStubby(digest: String, value: String, name: String, isAccepted: Bool) throws {
        let text = """
            tls_authentication: GETDNS_AUTHENTICATION_REQUIRED
            dns_transport_list: [GETDNS_TRANSPORT_TLS]
            upstream_recursive_servers:
              - tls_auth_name: "\(name)"
                tls_pubkey_pinset:
                  - digest: \(digest)
                    value: \(value.replacing("PIN", with: Self.pin))
            """
        let reading = try read(text, as: .stubby)
        #expect(summary(reading) == ["h.example any \(Self.pin)"])
        #expect(reading.warnings.isEmpty == isAccepted, "\(reading.warnings)")
        let connection = PlatformConnection(
            host: "h.example", chain: [], isTrusted: true, at: Timestamp(secondsSince1970: 1_790_000_000))
        let configuration = try Platform.stubby.configuration(ofFile: Array(text.utf8), format: .stubby)
        #expect(configuration?.verdict(on: connection).verdict == (isAccepted ? nil : .refusesConfig))
    }

    @Test func openconnectNamesWhatGivesNoPin() throws {
        let text = """
            openconnect --servercert d66b507ae074d03b02eafca40d35f87dd81049d3 a.example
            openconnect --servercert pin-sha256:doqV b.example
            openconnect --servercert $PIN c.example
            openconnect --servercert pin-sha256:\(Self.pin) d.example
            """
        let reading = try read(text, as: .openconnect)
        #expect(summary(reading) == ["d.example leaf \(Self.pin)"])
        #expect(reading.warnings.count == 3)
        #expect(reading.warnings[0].reason == .sha1Pin("d66b507ae074d03b02eafca40d35f87dd81049d3"))
        #expect(reading.warnings[1].message.contains("line 2") && reading.warnings[1].message.contains("prefix"))
        #expect(reading.warnings[2].reason == .unknownPin("$PIN", line: 3))
    }

    /// In a configuration file, the value is all the rest of the line (main.c `next_option`), and openconnect compares all of it.
    @Test(arguments: [
        ("servercert=pin-sha256:PIN", true), ("\tservercert \t= pin-sha256:PIN\r", true),
        ("servercert pin-sha256:PIN", true),
        ("servercert=sha256:HEX", true), ("servercert=pin-sha256:PIN # a note", false),
        ("servercert=pin-sha256:PIN ", false),
        ("servercert=\"pin-sha256:PIN\"", false), ("servercert='sha256:HEX'", false),
        ("servercert==pin-sha256:PIN", false),
        ("servercert=pin-sha256:PIN\\", false),
    ])
    func openconnectComparesTheWholeLine(line: String, isRead: Bool) throws {
        let line = line.replacing("PIN", with: Self.pin).replacing("HEX", with: Self.hex)
        let reading = try read(
            "# host: a.example\nservercert=pin-sha256:\(OkHttpFormatTests.x1)\n\(line)\n", as: .openconnect)
        let pins = isRead ? [OkHttpFormatTests.x1, Self.pin] : [OkHttpFormatTests.x1]
        #expect(summary(reading) == ["a.example " + pins.map { "leaf \($0)" }.joined(separator: " ")])
        #expect(
            reading.warnings.map { $0.message.contains("never matches") } == (isRead ? [] : [true]),
            "\(reading.warnings)")
    }

    // MARK: Envoy (default_validator.cc)

    @Test func envoyReadsFlowStyle() throws {
        let text =
            "transport_socket: {typed_config: {common_tls_context: {validation_context: {verify_certificate_spki: [\"\(Self.pin)\"]}}, sni: example.com}}\n"
        #expect(try PinSet.read(Array(text.utf8)).format == .envoy)
        #expect(summary(try read(text, as: .envoy)) == ["example.com leaf \(Self.pin)"])
    }

    @Test func envoyLeavesOutPinsOfClients() throws {
        let text = """
            kind: Gateway
            spec:
              servers:
              - tls:
                  verifyCertificateSpki: ["\(Self.pin)"]
            """
        let error = try error(text, as: .envoy, host: "h.example")
        #expect(error.message.hasSuffix("the pins on line 5 are for the certificates of clients; they are left out"))
    }

    @Test func envoyReadsHashesWithCertificates() throws {
        let certificate = try Certificate(der: Self.certificate())
        let digits = Hex.encode(certificate.sha256)
        let colons = stride(from: 0, to: 64, by: 2).map { String(Array(digits)[$0..<$0 + 2]) }.joined(separator: ":")
        for hash in [digits, digits.uppercased(), colons] {
            let text = "sni: h.example\nverify_certificate_hash: \(hash)\n"
            #expect(try error(text, as: .envoy).need == .certificates)
            let inputs = ConversionInputs(certificates: [certificate])
            let reading = try PinSet.read(Array(text.utf8), as: .envoy, with: inputs)
            #expect(summary(reading) == ["h.example leaf \(certificate.pin.base64)"])
        }
        #expect(
            try error("sni: h.example\nverify_certificate_hash: [00]", as: .envoy).message == "Envoy rejects \"00\"")
    }

    // MARK: stubby (getdns)

    @Test func stubbyReadsServers() throws {
        let text = """
            upstream_recursive_servers:
              - address_data: 185.49.141.37
                tls_auth_name: "example.com"
                tls_pubkey_pinset:
                  - digest: "sha256"
                    value: \(Self.pin)
              - address_data: 2001:db8::1
                tls_pubkey_pinset: [{digest: sha256, value: "\(Self.pin)"}]
            """
        #expect(try PinSet.read(Array(text.utf8)).format == .stubby)
        #expect(summary(try read(text, as: .stubby)) == ["example.com any \(Self.pin)", "2001:db8::1 any \(Self.pin)"])
        let other = text.replacing("\"sha256\"", with: "\"sha1\"")
        #expect(try error(other, as: .stubby).message == "getdns rejects \"sha1\"")
    }

    /// A manual contains an example between other lines. Its positions are those of the manual.
    @Test func stubbyReadsTheExampleInAManual() throws {
        let reading = try PinSet.read(try vector("stubby.1"))
        #expect(summary(reading) == ["dns.example.com any \(OkHttpFormatTests.x1)"])
        #expect(reading.set.entries[0].position?.line == 7)
        #expect(reading.warnings.contains { $0.message.hasSuffix("only \"upstream_recursive_servers\" is read") })
        let broken = """
            # Title
            ```
            upstream_recursive_servers:
              - tls_auth_name: "h.example"
                tls_pubkey_pinset:
                  digest: "sha256"
                   value: \(Self.pin)
            ```
            """
        #expect(try error(broken, as: .stubby).line == 7)
    }

    // MARK: Elastic (tls_config.go)

    @Test(arguments: [
        "output.elasticsearch.hosts: ['https://h.example:9200']\noutput.elasticsearch.ssl.ca_sha256: PIN\n",
        "output:\n  elasticsearch:\n    hosts:\n      - h.example:9200\n    ssl.ca_sha256:\n      - PIN\n",
        "outputs:\n  default:\n    hosts: [h.example]\n    ssl: {ca_sha256: [PIN]}\n",
    ])
    func elasticReadsNestedAndDottedKeys(text: String) throws {
        let reading = try read(text.replacing("PIN", with: Self.pin), as: .elastic)
        #expect(summary(reading) == ["h.example ca \(Self.pin)"])
    }

    @Test func elasticReadsTheFingerprintWithItsCertificate() throws {
        let certificate = try Certificate(der: Self.certificate())
        let text = "hosts: [h.example]\nssl.ca_trusted_fingerprint: \(Hex.encode(certificate.sha256).uppercased())\n"
        #expect(try error(text, as: .elastic).need == .certificates)
        let reading = try PinSet.read(
            Array(text.utf8), as: .elastic, with: ConversionInputs(certificates: [certificate]))
        #expect(summary(reading) == ["h.example ca \(certificate.pin.base64)"])
        // Colons are an error at the handshake: hex.DecodeString.
        let colons = try error("hosts: [h.example]\nca_trusted_fingerprint: \"AA:BB\"\n", as: .elastic)
        #expect(colons.message.hasSuffix("\"AA:BB\" on line 2 never matches a certificate; it is left out"))
    }

    // MARK: NATS (server/opts.go)

    @Test func natsReadsListsWithAndWithoutQuotes() throws {
        for list in ["\"\(Self.hex)\"", "'\(Self.hex.uppercased())'", Self.hex] {
            let text = "tls {\n  verify: true // peers\n  pinned_certs: [ \(list) ]\n}\n"
            #expect(summary(try read(text, as: .nats, host: "h.example")) == ["h.example leaf \(Self.pin)"])
            #expect(try error(text, as: .nats).need == .host)
        }
        let error = try error("tls { pinned_certs = [ \"\(Self.pin)\" ] }", as: .nats, host: "h.example")
        #expect(error.message == "nats-server rejects \"\(Self.pin)\"" && error.line == 1)
    }

    /// server/opts.go: the blocks whose pins nats-server compares. The names are compared without regard to case.
    @Test(arguments: [
        "tls { PINS }", "TLS: { PINS }", "\"tls\"{ PINS }", "{ \"tls\": { PINS } }",
        "cluster { name: tls, tls { PINS } }", "gateway { gateways: [ { name: a, tls {} } ], tls { PINS } }",
        "leaf { remotes = [ { url: \"tls://b\", tls {} } ], tls { PINS } }",
        "websocket { tls = { PINS } }", "mqtt { tls\n{ PINS } }", "tls { verify: true }\ntls { PINS }",
        "tls { pinned_certs: []\nPINS }",
    ])
    func natsReadsPinsInBlocks(text: String) throws {
        let file = text.replacing("PINS", with: "pinned_certs: [ \"\(Self.hex)\" ]")
        #expect(summary(try read(file, as: .nats, host: "h.example")) == ["h.example leaf \(Self.pin)"], "\(file)")
    }

    /// server/opts.go: unknown keys. conf/parse.go (`setValue`): a later block of the same name replaces an earlier one.
    @Test(arguments: [
        ("PINS", "reads \"pinned_certs\" only in the \"tls\" block of the file or of a listener"),
        // server/leafnode.go and server/gateway.go compare the pins of the listener.
        ("gateway { gateways: [ { name: a, tls { PINS } } ] }", "reads \"pinned_certs\" only in"),
        ("leaf { remotes = [ { url: \"tls://b\", tls { PINS } } ] }", "reads \"pinned_certs\" only in"),
        ("tsl { PINS }", "reads \"pinned_certs\" only in"), ("tls{ PINS }", "reads \"pinned_certs\" only in"),
        ("my-tls { PINS }", "reads \"pinned_certs\" only in"), ("a { tls { PINS } }", "reads \"pinned_certs\" only in"),
        ("gateway { gateways { tls { PINS } } }", "reads \"pinned_certs\" only in"),
        ("resolver_tls { PINS }", "reads \"pinned_certs\" only in"),
        ("tls { PINS }\ntls { verify: true }", "uses only the last \"tls\" of several"),
        ("# host: h.example\ntls { PINS }\n# host: h.example\ntls { verify: true }", "uses only the last \"tls\""),
        ("# host: h.example\ntls { PINS }\n# host: b.example\ntls { verify: true }", "uses only the last \"tls\""),
        ("cluster { tls { PINS } }\ncluster { port: 1 }", "uses only the last \"cluster\" of several"),
        ("tls { PINS }\ntls: $other", "uses only the last \"tls\" of several"),
        ("tls { verify: true }\nTLS { PINS }", "uses any of several spellings of \"tls\""),
        ("leaf { port: 1 }\nleafnodes { tls { PINS } }", "uses any of several spellings of \"leafnodes\""),
        ("tls { PINS, Pinned_Certs: [] }", "uses any of several spellings of \"pinned_certs\""),
    ])
    func natsReadsNoOtherPins(text: String, reason: String) throws {
        let file = text.replacing("PINS", with: "pinned_certs: [ \"\(Self.hex)\" ]")
        let error = try error(file, as: .nats, host: "h.example")
        #expect(error.message.contains("is not read: nats-server \(reason)"), "\(error.message)")
    }

    /// `convert` writes a block for each host of a set.
    @Test func natsReadsTheBlocksOfSeveralHosts() throws {
        let file = ["a", "b"].map { "# host: \($0).example\ntls { pinned_certs: [ \"\(Self.hex)\" ] }\n" }.joined()
        let both = ["a.example leaf \(Self.pin)", "b.example leaf \(Self.pin)"]
        #expect(summary(try read(file, as: .nats)) == both)
        let reading = try read(file + file, as: .nats)
        #expect(summary(reading) == both && reading.warnings.count == 2)
    }
}
