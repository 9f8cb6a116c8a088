import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

/// Configurations of servers and tools, as people write them.
@Suite struct ServerFormatTests {
    static let pin = "doqV9xMo8MAv8x/BtTYbIu9wZF/f0Kj19EQqf9Pmf5Y="
    static let hex = "768a95f71328f0c02ff31fc1b5361b22ef70645fdfd0a8f5f4442a7fd3e67f96"

    private func read(_ text: String, as format: PinSetFormat, host: String? = nil) throws -> PinSetReading {
        try PinSet.read(Array(text.utf8), as: format, with: ConversionInputs(host: host))
    }

    /// The entries as `HOST ROLE PIN…`.
    private func summary(_ reading: PinSetReading) -> [String] {
        reading.set.entries.map { entry in
            "\(entry.host) \(entry.pins.map { "\($0.role.rawValue) \($0.pin.base64)" }.joined(separator: " "))"
        }
    }

    private func error(_ text: String, as format: PinSetFormat, host: String? = nil) throws -> PinSetFormatError {
        let error = #expect(throws: PinSetFormatError.self) { try read(text, as: format, host: host) }
        return try #require(error)
    }

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

    private func vector(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: FormatVectorTests.folder.appending(path: name)))
    }

    // MARK: Source code

    /// Chromium, CronetEngineBuilderImpl.java (`addPublicKeyPins`): host, pins, subdomains, expiry.
    @Test func cronetReadsJava() throws {
        let reading = try PinSet.read(try vector("cronet.java"))
        #expect(reading.format == .cronet)
        #expect(
            summary(reading) == [
                "example.com any \(OkHttpFormatTests.x1) any diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="
            ])
        let entry = reading.set.entries[0]
        #expect(entry.subdomains == .all && entry.expires == Timestamp(rfc3339: "2027-06-01"))
        #expect(entry.pins[0].label == "ISRG Root X1")
        #expect(reading.warnings.map(\.reason) == [.unknownPattern("Hosts.API", line: 12)])
        let given = try read(
            String(decoding: try vector("cronet.java"), as: UTF8.self), as: .cronet, host: "api.example.com")
        #expect(given.set.entries.map(\.host) == ["example.com", "api.example.com"])
        #expect(given.set.entries[1].expires == nil && given.set.entries[1].subdomains == .none)
    }

    @Test func cronetReadsKotlinAndNamesWhatItCannotRead() throws {
        let text = """
            fun addPublicKeyPins(host: String) {}
            const val PIN = "\(Self.pin)"
            builder.addPublicKeyPins("a.example", setOf(decode(PIN), BuildConfig.PIN), flag, Date(1_811_808_000_000L))
            builder.addPublicKeyPins("b.example", setOf(decode("AAAA")), false, end())
            builder.addPublicKeyPins("A.example.", hashSetOf(pin(PIN)), true, Date(1_811_808_000_000L))
            """
        let reading = try read(text, as: .cronet)
        #expect(summary(reading) == ["A.example. any \(Self.pin)"])
        #expect(reading.set.entries[0].expires == Timestamp(secondsSince1970: 1_811_808_000))
        #expect(
            reading.warnings.map(\.reason).contains(.unknownPin("BuildConfig.PIN", line: 3))
                && reading.warnings.map(\.reason).contains(.laterEntry(line: 3)))
        #expect(reading.warnings.contains { $0.host == "b.example" && $0.reason == .hostWithoutPins })
        #expect(try error("class A { val x = \"addPublicKeyPins(\" }", as: .cronet).message.contains("no pins"))
    }

    @Test func urlSessionReadsPinsWithTheirHosts() throws {
        let reading = try PinSet.read(try vector("urlsession.swift"))
        #expect(reading.format == .urlsession)
        #expect(
            summary(reading) == [
                "api.example.com any \(OkHttpFormatTests.x1)",
                "other.example.com any diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI=",
            ])
        #expect(reading.set.entries[0].pins[0].label == "ISRG Root X1")
        #expect(reading.warnings.map(\.reason) == [.codeNotRead])
        let bare =
            "import Foundation\nlet session: URLSession\nlet pins = [\"\(Self.pin)\"] /* \"\(OkHttpFormatTests.x1)\" */"
        #expect(try PinSetFormat.recognized(in: Array(bare.utf8)) == .urlsession)
        #expect(try error(bare, as: .urlsession).need == .host)
        #expect(summary(try read(bare, as: .urlsession, host: "h.example")) == ["h.example any \(Self.pin)"])
    }

    /// Apps store the patterns of each pin for a CertificatePinner in JSON.
    @Test func okHttpReadsPinsAsKeys() throws {
        let reading = try PinSet.read(try vector("pins-as-keys.json"))
        #expect(reading.format == .okhttp)
        #expect(
            summary(reading) == [
                "example.com any \(OkHttpFormatTests.x1) any diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI=",
                "a.example.org any \(OkHttpFormatTests.x1)",
            ])
        #expect(reading.set.entries.map(\.subdomains) == [.all, .none])
        #expect(reading.warnings.map(\.reason) == [.codeNotRead])
    }

    // MARK: NATS (server/opts.go)

    @Test func natsReadsListsWithAndWithoutQuotes() throws {
        for list in ["\"\(Self.hex)\"", "'\(Self.hex.uppercased())'", Self.hex] {
            let text = "tls {\n  verify: true // peers\n  pinned_certs: [ \(list) ]\n}\n"
            #expect(summary(try read(text, as: .nats, host: "h.example")) == ["h.example leaf \(Self.pin)"])
            #expect(try error(text, as: .nats).need == .host)
        }
        let error = try error("pinned_certs = [ \"\(Self.pin)\" ]", as: .nats, host: "h.example")
        #expect(error.message == "nats-server rejects \"\(Self.pin)\"" && error.line == 1)
    }

    // MARK: Fingerprints of certificates

    static func certificate() throws -> [UInt8] {
        let path = FormatVectorTests.folder.appending(path: "certificate.pem")
        let text = [UInt8](try Data(contentsOf: path))
        for case .success(let block) in PEM.blocks(in: text) { return block.bytes }
        return []
    }

    /// aiohttp, client_reqrep.py (`Fingerprint.__init__`): 32 bytes; 16 and 20 bytes are a ValueError.
    @Test func aiohttpReadsFingerprints() throws {
        let certificate = try Certificate(der: Self.certificate())
        let hex = Hex.encode(certificate.sha256)
        let escaped = certificate.sha256.map { "\\x" + Hex.encode([$0]) }.joined()
        let inputs = ConversionInputs(certificates: [certificate])
        for expression in ["b'\(escaped)'", "bytes.fromhex(\"\(hex)\")", "binascii.unhexlify('\(hex)')"] {
            let text = """
                import aiohttp
                # aiohttp.Fingerprint(b"x") is a comment
                async with session.get('https://h.example/x', ssl=aiohttp.Fingerprint(\(expression))) as r: pass
                """
            let reading = try PinSet.read(Array(text.utf8), with: inputs)
            #expect(reading.format == .aiohttp)
            #expect(summary(reading) == ["h.example leaf \(certificate.pin.base64)"])
        }
        let short = "import aiohttp\naiohttp.Fingerprint(b'0123456789abcdef')"
        #expect(
            try error(short, as: .aiohttp, host: "h.example").message.hasSuffix(
                "line 2 is not read: aiohttp rejects a fingerprint of 16 bytes"))
    }

    /// openfortivpn, src/config.c (`add_trusted_cert`) and src/tunnel.c: memcmp with lower-case digits.
    @Test func openfortivpnReadsLowerCaseDigitsOnly() throws {
        let certificate = try Certificate(der: Self.certificate())
        let hex = Hex.encode(certificate.sha256)
        let inputs = ConversionInputs(certificates: [certificate])
        let text = "host = h.example\nport = 443\ntrusted-cert = \(hex)\n"
        #expect(
            summary(try PinSet.read(Array(text.utf8), with: inputs)) == ["h.example leaf \(certificate.pin.base64)"])
        let command = "openfortivpn h.example:443 --trusted-cert \(hex)00\n"
        #expect(
            summary(try PinSet.read(Array(command.utf8), with: inputs)) == ["h.example leaf \(certificate.pin.base64)"])
        let upper = try error("host=h.example\ntrusted-cert = \(hex.uppercased())\n", as: .openfortivpn)
        #expect(
            upper.message.hasSuffix("\"\(hex.uppercased())\" on line 2 never matches a certificate; it is left out"))
    }

    /// http_certificate_pinning, lib/http_certificate_pinning.dart: colons are removed, white space and case do not matter.
    @Test func flutterReadsCalls() throws {
        let certificate = try Certificate(der: Self.certificate())
        let hex = Hex.encode(certificate.sha256)
        let colons = stride(from: 0, to: 64, by: 2).map { String(Array(hex)[$0..<$0 + 2]) }.joined(separator: ":")
        let inputs = ConversionInputs(host: "given.example", certificates: [certificate])
        let calls = [
            ("CertificatePinningInterceptor(allowedSHAFingerprints: ['\(colons.uppercased())'])", "given.example"),
            (
                "HttpCertificatePinning.check(serverURL: \"https://h.example/\", allowedSHAFingerprints: const <String>['\(hex)'], timeout: 5)",
                "h.example"
            ),
            (
                "final client = SecureHttpClient.build(pins);\nconst pins = [\"\(colons.replacing(":", with: " "))\"];",
                "given.example"
            ),
        ]
        for (call, host) in calls {
            let reading = try PinSet.read(Array("void main() { \(call); }".utf8), with: inputs)
            #expect(reading.format == .flutter)
            #expect(summary(reading) == ["\(host) leaf \(certificate.pin.base64)"])
        }
        let unknown = try error("check(allowedSHAFingerprints: [a, 'AA BB'])", as: .flutter, host: "h.example")
        #expect(unknown.message.hasSuffix("the pin on line 1, \"a\", has no value in this file; it is left out"))
    }

    /// A written file has the fingerprints of the given certificates, and reads back.
    @Test(arguments: [PinSetFormat.flutter, .aiohttp, .openfortivpn])
    func fingerprintsComeBack(format: PinSetFormat) throws {
        let certificate = try Certificate(der: Self.certificate())
        let set = try PinSet(entries: [
            PinSet.Entry(host: "h.example", pins: [.init(pin: certificate.pin, role: .leaf)]),
            PinSet.Entry(host: "i.example", pins: [.init(pin: certificate.pin, role: .leaf)]),
        ])
        #expect(throws: PinSetFormatError.self) { try set.written(as: format) }
        let inputs = ConversionInputs(certificates: [certificate])
        let writing = try set.written(as: format, with: inputs)
        #expect(String(decoding: writing.main, as: UTF8.self).contains(Hex.encode(certificate.sha256)))
        #expect(writing.warnings.allSatisfy { if case .pinAsCertificates = $0.reason { true } else { false } })
        let reading = try PinSet.read(writing.main, with: inputs)
        #expect(reading.format == format)
        #expect(reading.set.entries.map(\.host) == ["h.example", "i.example"])
        #expect(reading.set.entries.allSatisfy { $0.pins.map(\.pin) == [certificate.pin] })
        let codec = try #require(format.codec as? any FingerprintWritingCodec.Type)
        let isGenerated = codec.isGenerated(writing.main)
        let isGeneratedWithMore = codec.isGenerated(writing.main + Array("# more\n".utf8))
        #expect(isGenerated && !isGeneratedWithMore)
    }

    // MARK: React Native

    /// react-native-ssl-public-key-pinning, src/types.ts; react-native-ssl-manager, src/config.ts: each value that is not a literal
    /// causes a warning.
    @Test func reactNativeNamesWhatHasNoValue() throws {
        let text = """
            initializeSslPinning({
              [domain]: { publicKeyHashes: ['\(Self.pin)'] },
              '{{host}}': { publicKeyHashes: ['\(Self.pin)'] },
              "h.example": { publicKeyHashes: ['\(Self.pin)', process.env.PIN], expirationDate: '2027-06-01' },
            });
            """
        let reading = try read(text, as: .reactNative)
        #expect(summary(reading) == ["h.example any \(Self.pin)"])
        #expect(reading.set.entries[0].expires == Timestamp(rfc3339: "2027-06-01"))
        #expect(
            reading.warnings.map(\.message) == [
                "\"[domain]\" on line 2 is not a literal; it is left out",
                "\"process.env.PIN\" for \"publicKeyHashes\" on line 4 is not a literal; it is left out",
                "the platform never matches the host on line 3, and it is left out: the host \"{{host}}\" contains a character"
                    + " that host names cannot contain: \"{\"",
            ])
    }

    /// react-native-ssl-manager 2.2.0, android/…/SslConfigStore.kt and PinningClientConfigurator.kt: the defaults of `domains`.
    @Test func reactNativeSSLManagerHasDefaults() throws {
        let text = """
            { "sha256Keys": { "a.example": ["sha256/\(Self.pin)"], "b.example": ["sha256/\(Self.pin)"] },
              "domains": { "b.example": { "enforcePinning": false, "expirationDate": "2027-06-30", "includeSubdomains": false },
                           "c.example": {} } }
            """
        let reading = try read(text, as: .reactNativeSSLManager)
        #expect(reading.set.entries.map(\.subdomains) == [.all, .none])
        #expect(reading.set.entries.map(\.enforce) == [true, false])
        #expect(reading.set.entries.map(\.expires) == [nil, Timestamp(rfc3339: "2027-06-30")])
        #expect(reading.warnings == [ConversionWarning(host: "c.example", .hostWithoutPins)])
    }

    // MARK: Certificate files

    @Test func certificatesAreRead() throws {
        let der = try Self.certificate()
        let pem = Array(PEM.certificate(der).utf8)
        for bytes in [der, pem, Array("text\n".utf8) + pem] {
            let reading = try PinSet.read(bytes, with: ConversionInputs(host: "h.example"))
            #expect(reading.format == .certificates)
            let key = try #require(reading.set.entries.first?.pins.first)
            // openssl x509 -in ISRG_Root_X1.pem -noout -subject -enddate
            #expect(key.label == "ISRG Root X1" && key.role == .root)
            #expect(key.notAfter == Timestamp(rfc3339: "2035-06-04T11:04:38Z"))
            #expect(key.pin.base64 == OkHttpFormatTests.x1)
        }
        #expect(try PinSet.read(der + der, with: ConversionInputs(host: "h.example")).set.entries[0].pins.count == 1)
        let error = #expect(throws: PinSetFormatError.self) { try PinSet.read(der) }
        #expect(error?.need == .host)
    }

    @Test func certificatesAreWritten() throws {
        let certificate = try Certificate(der: Self.certificate())
        let set = try PinSet(entries: [PinSet.Entry(host: "h.example", pins: [.init(pin: certificate.pin)])])
        let inputs = ConversionInputs(certificates: [certificate])
        #expect(try set.written(as: .certificates, with: inputs).files.map(\.bytes) == [certificate.der])
        let pem = try set.written(as: .certificatesPEM, with: inputs)
        #expect(pem.main == Array(PEM.certificate(certificate.der).utf8))
        #expect(throws: PinSetFormatError.self) { try set.written(as: .certificates) }
        let other = try PinSet(entries: [PinSet.Entry(host: "h.example", pins: [.init(pin: .numbered(1))])])
        #expect(throws: PinSetFormatError.self) { try other.written(as: .certificates, with: inputs) }
    }
}
