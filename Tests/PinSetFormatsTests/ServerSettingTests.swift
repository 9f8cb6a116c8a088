import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Settings with which a server or tool does not compare the pins, or accepts other connections.
@Suite struct ServerSettingTests: FormatSuite {
    /// The line and the start of the text of each warning about a setting.
    private func settings(_ reading: PinSetReading) -> [String] {
        reading.warnings.compactMap { warning in
            guard case .uncheckedConnections(let text, let line) = warning.reason else { return nil }
            return "\(line) \(warning.host ?? "-") \(text)"
        }
    }

    // MARK: Envoy

    private static func context(_ fields: String, name: String = "validation_context") -> String {
        """
        sni: h.example
        common_tls_context:
          \(name):
            verify_certificate_spki: ["\(pin)"]
        \(fields.split(separator: "\n").map { "    \($0)\n" }.joined())
        """
    }

    /// default_validator.cc: `verifyCertAndUpdateStatus` returns true with ACCEPT_UNTRUSTED, and `doVerifyCertChain` validates a chain only
    /// with trusted_ca.
    @Test(arguments: [
        ("trusted_ca: {filename: a.pem}", []), ("trustedCa: {filename: a.pem}", []),
        ("ca_certificate_provider_instance: {instance_name: a}", []),
        ("", ["4 h.example without \"trusted_ca\", Envoy validates neither the chain nor its dates"]),
        // Null is no field, and a message can be empty.
        ("trusted_ca: ~", ["4 h.example without \"trusted_ca\", Envoy validates neither the chain nor its dates"]),
        (
            "trusted_ca: {inline_string: \"\"}",
            ["4 h.example without \"trusted_ca\", Envoy validates neither the chain nor its dates"]
        ),
        ("system_root_certs: {}", []),
        (
            "trusted_ca: {filename: a.pem}\ntrust_chain_verification: ACCEPT_UNTRUSTED",
            [
                "6 h.example with \"trust_chain_verification: ACCEPT_UNTRUSTED\", Envoy also accepts a certificate without a pin"
            ]
        ),
        ("trusted_ca: {filename: a.pem}\ntrustChainVerification: VERIFY_TRUST_CHAIN", []),
        (
            "trusted_ca: {filename: a.pem}\ncustom_validator_config: {name: envoy.tls.cert_validator.spiffe}",
            [
                "6 h.example with \"custom_validator_config\", Envoy uses the validator \"envoy.tls.cert_validator.spiffe\" in place of the"
                    + " one that compares pins"
            ]
        ),
        ("trusted_ca: {filename: a.pem}\ncustomValidatorConfig: {name: envoy.tls.cert_validator.default}", []),
    ])
    func envoy(fields: String, expected: [String]) throws {
        let reading = try read(Self.context(fields), as: .envoy)
        #expect(summary(reading) == ["h.example leaf \(Self.pin)"])
        #expect(settings(reading) == expected)
    }

    /// Each cluster, and each upstream server of getdns, compares its own list.
    @Test func placesWithPartsOfThePins() throws {
        let other = OkHttpFormatTests.x1
        func clusters(_ pins: String) -> String {
            "- sni: h.example\n  validation_context: {verify_certificate_spki: [\"\(Self.pin)\", \"\(other)\"]}\n"
                + "- sni: H.example\n  validation_context:\n    verify_certificate_spki: [\(pins)]\n"
        }
        let same = try read(clusters("\"\(other)\", \"\(Self.pin)\""), as: .envoy)
        let text = "5 H.example the pins differ from those on line 2, and a cluster of Envoy compares only its own"
        #expect(!settings(same).contains { $0.contains("differ") })
        #expect(settings(try read(clusters("\"\(other)\""), as: .envoy)).contains(text))

        func servers(_ pins: String...) -> String {
            let lists = [[Self.pin, other], pins].map { list in
                "  - tls_auth_name: h.example\n    tls_pubkey_pinset:\n"
                    + list.map { "      - {digest: \"sha256\", value: \"\($0)\"}\n" }.joined()
            }
            return "upstream_recursive_servers:\n" + lists.joined()
        }
        #expect(try !settings(read(servers(other, Self.pin), as: .stubby)).contains { $0.contains("differ") })
        let server = "6 h.example the pins differ from those on line 2, and a server of getdns compares only its own"
        #expect(try settings(read(servers(Self.pin), as: .stubby)).contains(server))

        func blocks(_ pins: String) -> String {
            "# host: h.example\ncluster { tls { pinned_certs: [\"\(Self.hex)\"] } }\nleafnodes { tls { pinned_certs: [\(pins)] } }\n"
        }
        let ones = String(repeating: "1", count: 64)
        let block =
            "3 h.example the pins differ from those on line 2, and a connection of nats-server compares only its own"
        #expect(try settings(read(blocks("\"\(Self.hex)\""), as: .nats)).isEmpty)
        #expect(try settings(read(blocks("\"\(ones)\""), as: .nats)) == [block])

        func commands(_ pin: String) -> String {
            "openconnect --servercert pin-sha256:\(Self.pin) h.example\nopenconnect --servercert pin-sha256:\(pin) h.example\n"
        }
        let command = "2 h.example the pins differ from those on line 1, and a command compares only its own"
        #expect(try settings(read(commands(Self.pin), as: .openconnect)).isEmpty)
        #expect(try settings(read(commands(other), as: .openconnect)) == [command])
        let file = "servercert=pin-sha256:\(Self.pin)\nservercert=pin-sha256:\(other)\n"
        #expect(try settings(read(file, as: .openconnect, host: "h.example")).isEmpty)
    }

    /// A second cluster for the host, whose context has no pins. Those of other hosts, of listeners and of the pins themselves do not count.
    @Test(arguments: [
        ("{sni: H.example, common_tls_context: {}}", "compares no pin"),
        ("{sni: h.example, commonTlsContext: {validation_context: {trusted_ca: {filename: a}}}}", "compares no pin"),
        (
            "{sni: h.example, common_tls_context: {validation_context: {verify_certificate_spki: []}}}",
            "compares no pin"
        ),
        (
            "{sni: h.example, common_tls_context: {validation_context_sds_secret_config: {name: a}}}",
            "the pins of a cluster with this \"sni\" are in a secret"
        ),
        ("{sni: g.example, common_tls_context: {}}", nil), ("{sni: '', common_tls_context: {}}", nil),
        ("{common_tls_context: {}}", nil), ("{sni: h.example}", nil),
        ("{sni: h.example, common_tls_context: {validation_context: {verify_certificate_spki: [\"\(pin)\"]}}}", nil),
    ])
    func envoyClustersWithoutPins(context: String, message: String?) throws {
        let text =
            "- {sni: h.example, common_tls_context: {validation_context: {trusted_ca: {filename: a},"
            + " verify_certificate_spki: [\"\(Self.pin)\"]}}}\n- \(context)\n"
        let reading = try read(text, as: .envoy)
        #expect(summary(reading) == ["h.example leaf \(Self.pin)"])
        let found = reading.warnings.filter { $0.message.contains("a cluster") }
        #expect(found.count == (message == nil ? 0 : 1) && found.allSatisfy { $0.message.contains(message ?? "") })
    }

    /// The anchors of a default context can come from the context that replaces parts of it.
    @Test func envoyContextsWithAnotherSource() throws {
        let text = Self.context("", name: "default_validation_context")
        #expect(settings(try read(text, as: .envoy)).isEmpty)
    }

    /// The JSON name of a field is another name of it (Protocol Buffers, "ProtoJSON Format").
    @Test(arguments: [
        ("verifyCertificateSpki: [\"\(pin)\"]", "verify_certificate_spki"),
        ("trusted_ca: {filename: a}\ntrustedCa: {filename: b}", "trusted_ca"),
        ("verify_certificate_hash: []\nverifyCertificateHash: []", "verify_certificate_hash"),
        ("trust_chain_verification: 1\ntrustChainVerification: 0", "trust_chain_verification"),
    ])
    func envoyFieldsUnderBothNames(fields: String, name: String) throws {
        let error = try error(Self.context(fields), as: .envoy)
        #expect(error.message.hasPrefix("the field \"\(name)\" occurs twice"))
        #expect(error.line == (fields.contains("\n") ? 6 : 5))
    }

    /// default_validator.cc, `initializeSslContexts`: each text must be 32 bytes.
    @Test(arguments: ["verify_certificate_spki: [\"\(pin)\", \"\"]", "verify_certificate_hash: [\"\"]"])
    func envoyRejectsAnEmptyText(list: String) throws {
        #expect(try error("sni: h.example\n\(list)\n", as: .envoy).message == "Envoy rejects \"\"")
    }

    // MARK: openconnect

    /// main.c and gnutls.c: only a chain that does not validate is compared, and --cafile adds trust anchors.
    @Test func openconnect() throws {
        let text = "with \"cafile\", openconnect accepts a chain that validates and compares no pin"
        let file = "# host: h.example\nservercert=pin-sha256:\(Self.pin)\n"
        #expect(settings(try read(file, as: .openconnect)).isEmpty)
        #expect(settings(try read(file + "cafile=/etc/ca.pem\n", as: .openconnect)) == ["3 - \(text)"])
        let commands = """
            openconnect --cafile a.pem other.example
            openconnect --cafile a.pem --servercert pin-sha256:\(Self.pin) h.example
            openconnect --servercert pin-sha256:\(Self.pin) i.example
            """
        #expect(settings(try read(commands, as: .openconnect)) == ["2 h.example \(text)"])
        // getopt_long(3) accepts the start of an option.
        let short = "openconnect --servercert pin-sha256:\(Self.pin) --serverc=pin-sha256:AAAA h.example\n"
        let warnings = try read(short, as: .openconnect).warnings.map(\.message)
        #expect(warnings.contains { $0.contains("\"--serverc\" is an abbreviation") }, "\(warnings)")
    }

    // MARK: kubeadm

    /// util/config/joinconfiguration.go: kubeadm join requires a document of the kind JoinConfiguration.
    @Test(arguments: ["InitConfiguration", "ClusterConfiguration", "UpgradeConfiguration"])
    func kubeadmReadsNoPinsOfOtherKinds(kind: String) throws {
        func text(_ kind: String, group: String = "kubeadm.k8s.io") -> String {
            """
            apiVersion: \(group)/v1beta3
            kind: \(kind)
            discovery:
              bootstrapToken:
                apiServerEndpoint: h.example:6443
                caCertHashes: ["sha256:\(Self.hex)"]

            """
        }
        let reason = "line 6 is not read: kubeadm join uses no document of the kind \"\(kind)\""
        #expect(try error(text(kind), as: .kubeadm).message.hasSuffix(reason))
        let both = try read(text(kind) + "---\n" + text("JoinConfiguration"), as: .kubeadm)
        #expect(summary(both) == ["h.example ca \(Self.pin)"])
        #expect(both.warnings.map(\.message) == [reason])
        // Another program reads a document of another group, such as Cluster API.
        let other = try read(text("KubeadmConfig", group: "bootstrap.cluster.x-k8s.io"), as: .kubeadm)
        #expect(summary(other) == ["h.example ca \(Self.pin)"] && other.warnings.isEmpty)
    }

    /// kubeadm compares hashes also with unsafeSkipCAVerification (cmd/kubeadm/app/discovery/token/token.go).
    @Test func kubeadmComparesHashesInEveryMode() throws {
        let text = """
            kind: JoinConfiguration
            discovery:
              bootstrapToken:
                apiServerEndpoint: h.example:6443
                unsafeSkipCAVerification: true
                caCertHashes: ["sha256:\(Self.hex)"]
            """
        let reading = try read(text, as: .kubeadm)
        #expect(summary(reading) == ["h.example ca \(Self.pin)"] && reading.warnings.isEmpty)
    }

    // MARK: stubby

    /// getdns, src/request-internal.c and src/stub.c: a failed verification is tolerated, unless TLS is the only transport and the
    /// authentication is required.
    @Test(arguments: [
        (
            "",
            [
                "2 - without \"tls_authentication: GETDNS_AUTHENTICATION_REQUIRED\"",
                "2 - without TLS as the only transport in \"dns_transport_list\"",
            ]
        ),
        ("tls_authentication: GETDNS_AUTHENTICATION_REQUIRED\ndns_transport_list: [GETDNS_TRANSPORT_TLS]\n", []),
        (
            "dns_transport_list: [1202]\ntls_authentication: GETDNS_AUTHENTICATION_NONE\n",
            ["2 - with \"tls_authentication: GETDNS_AUTHENTICATION_NONE\""]
        ),
        (
            "dns_transport_list: [1202]\ntls_authentication: 1300\n",
            ["2 - with \"tls_authentication: 1300\""]
        ),
        ("tls_authentication: 1301\ndns_transport_list: [1202]\n", []),
        (
            "tls_authentication: 1301\ndns_transport_list: [GETDNS_TRANSPORT_TLS, GETDNS_TRANSPORT_UDP]\n",
            ["2 - with another transport than TLS in \"dns_transport_list\""]
        ),
    ])
    func stubby(settings text: String, expected: [String]) throws {
        let servers = "upstream_recursive_servers:\n  - tls_auth_name: h.example\n    address_data: 192.0.2.1\n"
        let pins = "    tls_pubkey_pinset: [{digest: sha256, value: \"\(Self.pin)\"}]\n"
        let effect = ", getdns also connects to a server if no pin matches"
        #expect(settings(try read(text + servers + pins, as: .stubby)) == expected.map { $0 + effect })
    }

    @Test func stubbyServersWithoutPins() throws {
        let text = """
            tls_authentication: GETDNS_AUTHENTICATION_REQUIRED
            dns_transport_list: [GETDNS_TRANSPORT_TLS]
            upstream_recursive_servers:
              - address_data: 192.0.2.1
                tls_auth_name: h.example
                tls_pubkey_pinset: [{digest: sha256, value: "\(Self.pin)"}]
              - address_data: 192.0.2.2
                tls_auth_name: H.example
              - address_data: 192.0.2.3
                tls_auth_name: other.example
              - address_data: 192.0.2.4
                tls_auth_name: h.example
                tls_pubkey_pinset: []
            """
        let reason = "this server has no pin in \"tls_pubkey_pinset\", so getdns compares none"
        #expect(settings(try read(text, as: .stubby)) == ["7 H.example \(reason)", "11 h.example \(reason)"])
    }

    // MARK: Elastic

    /// tls_config.go: `makeVerifyConnection` verifies nothing in the mode none. config.go: `LoadTLSConfig` returns no settings if they are
    /// not enabled. A URL with http:// needs no TLS.
    @Test(arguments: [
        (
            "output.elasticsearch:\n  hosts: ['https://h.example']\n  ssl.ca_sha256: PIN\n  ssl.verification_mode: full\n",
            []
        ),
        (
            "output.elasticsearch:\n  hosts: ['https://h.example']\n  ssl.ca_sha256: PIN\n  ssl.verification_mode: none\n",
            ["4 h.example with \"ssl.verification_mode: none\""]
        ),
        (
            "output.a.hosts: [h.example]\noutput.a.ssl.ca_sha256: PIN\noutput.a.ssl.enabled: false\noutput.a.enabled: false\n",
            ["3 h.example with \"ssl.enabled: false\"", "4 h.example with \"enabled: false\""]
        ),
        (
            "a:\n  enabled: false\n  hosts: [h.example]\n  ssl:\n    ca_sha256: PIN\n    verification_mode: none\n    enabled: true\n",
            ["6 h.example with \"ssl.verification_mode: none\"", "2 h.example with \"enabled: false\""]
        ),
        ("b.enabled: false\nhosts: [h.example]\nssl.ca_sha256: PIN\nssl.enabled: true\n", []),
        (
            "setup.kibana:\n  host: h.example\n  ssl.ca_sha256: PIN\n",
            ["2 h.example without \"protocol: https\", a host without \"https://\" has no TLS"]
        ),
        (
            "outputs:\n  - type: elasticsearch\n    hosts: [h.example]\n    protocol: http\n    ssl: {ca_sha256: PIN}\n",
            ["3 h.example with \"protocol: http\", a host without \"https://\" has no TLS"]
        ),
        (
            "outputs:\n  - type: elasticsearch\n    hosts: [h.example]\n    protocol: HTTPS\n    ssl: {ca_sha256: PIN}\n",
            []
        ),
        (
            "output.elasticsearch:\n  hosts: [h.example, 'https://h.example']\n  ssl.ca_sha256: PIN\n",
            ["2 h.example without \"protocol: https\", a host without \"https://\" has no TLS"]
        ),
        ("output.logstash:\n  hosts: [h.example]\n  ssl.ca_sha256: PIN\n", []),
        (
            "hosts: ['HTTP://user:secret@h.example:9200']\nssl.ca_sha256: PIN\n",
            ["1 h.example a connection to a URL with \"http://\" has no TLS"]
        ),
    ])
    func elastic(text: String, expected: [String]) throws {
        let reading = try read(text.replacing("PIN", with: Self.pin), as: .elastic)
        #expect(summary(reading) == ["h.example ca \(Self.pin)"])
        let found = settings(reading)
        #expect(found.count == expected.count && zip(found, expected).allSatisfy { $0.hasPrefix($1) }, "\(found)")
        #expect(!found.joined().contains("secret"))
    }

    // MARK: NATS

    /// conf/lex.go, `keyCheckKeyword`: include is a keyword, in any case, only as a key before white space.
    @Test(arguments: [
        ("include ./a.conf\nTLS", [1]), ("TLS\nINCLUDE \"a.conf\"\n", [2]), ("accounts { include ./a.conf }\nTLS", [1]),
        ("\"include\" a\nTLS", []), ("include: a\nTLS", []), ("name: include\nTLS", []), ("# include a\nTLS", []),
    ])
    func natsNamesIncludedFiles(text: String, lines: [Int]) throws {
        let file = text.replacing("TLS", with: "tls { pinned_certs: [ \"\(Self.hex)\" ] }")
        let reading = try read(file, as: .nats, host: "h.example")
        #expect(summary(reading) == ["h.example leaf \(Self.pin)"])
        let found = reading.warnings.compactMap { warning -> Int? in
            if case .includeNotRead(_, let line) = warning.reason { line } else { nil }
        }
        #expect(found == lines, "\(file)")
    }

    // MARK: Writing

    /// What pinctl writes has none of these settings.
    @Test(arguments: [PinSetFormat.envoy, .openconnect, .kubeadm, .stubby, .elastic, .nats, .hpkp])
    func writesNoSuchSetting(format: PinSetFormat) throws {
        let role = [PinSetFormat.kubeadm, .elastic].contains(format) ? "ca" : "leaf"
        let pins = [OkHttpFormatTests.x1, OkHttpFormatTests.x2].map { "{\"sha256\":\"\($0)\",\"role\":\"\(role)\"}" }
        let text = "{\"version\":1,\"hosts\":{\"h.example\":{\"pins\":[\(pins.joined(separator: ","))]}}}"
        let written = try PinSet(json: Array(text.utf8)).written(as: format).main
        let reading = try PinSet.read(written, as: format, with: ConversionInputs(host: "h.example"))
        #expect(!reading.warnings.contains { $0.harm <= .unpins }, "\(reading.warnings.map(\.message))")
    }
}
