import Foundation
import TestSupport
import Testing

/// `--fetch-issuers`: a server that does not send its intermediates, and the HTTP server that its certificates name.
@Suite(.blocking) struct FetchIssuersTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("issuers") }

    /// Makes a root, two intermediates and a leaf. The leaf names `leafURL`, the lower intermediate `lowerURL`.
    ///
    /// - Parameter padding: lengths of unknown extensions, in bytes.
    func makePKI(leafURL: String, lowerURL: String, padding: (leaf: Int, lower: Int) = (0, 0)) throws {
        func padded(_ length: Int) -> String {
            length == 0 ? "" : "\n1.2.3.4=ASN1:UTF8String:" + String(repeating: "x", count: length)
        }
        try Shell.run(
            #"""
            set -e
            exec 2>log
            key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out $1.key; }
            issue() {
                openssl req -new -key $1.key -subj "/CN=$2" -out $1.csr
                printf '%s\n' "$4" >$1.ext
                openssl x509 -req -in $1.csr -CA $3.pem -CAkey $3.key -set_serial 0x$(openssl rand -hex 8) -days 20 -extfile $1.ext -out $1.pem
                openssl x509 -in $1.pem -outform DER -out $1.der
            }
            for name in root upper lower leaf; do key $name; done
            openssl req -x509 -new -key root.key -subj "/CN=Root" -days 30 -out root.pem -addext keyUsage=critical,keyCertSign
            issue upper "Upper CA" root 'basicConstraints=critical,CA:TRUE'
            """#
                + "\nissue lower 'Lower CA' upper 'basicConstraints=critical,CA:TRUE\nauthorityInfoAccess=caIssuers;URI:\(lowerURL)\(padded(padding.lower))'"
                + "\nissue leaf localhost lower 'subjectAltName=DNS:localhost\nauthorityInfoAccess=caIssuers;URI:\(leafURL)\(padded(padding.leaf))'"
                + "\nopenssl crl2pkcs7 -nocrl -certfile upper.pem -certfile lower.pem -outform DER -out both.p7c",
            in: folder.url)
    }

    func serving<Value>(_ chain: String = "leaf", _ body: (ServerProcess) throws -> Value) throws -> Value {
        try Nginx.run {
            "server { listen \($0) ssl; ssl_certificate \(folder.path("\(chain).pem"));"
                + " ssl_certificate_key \(folder.path("leaf.key")); }"
        } _: {
            try body($0)
        }
    }

    /// nginx with the files of the PKI.
    func publishing<Value>(_ more: String = "", _ body: (ServerProcess) throws -> Value) throws -> Value {
        try Nginx.run {
            "server { listen \($0); root \(folder.path); \(more) }"
        } _: {
            try body($0)
        }
    }

    struct Report: Decodable {
        let trust: FetchReport.Trust
        let chain: [Entry]
        let issuerFetches: [Fetch]

        struct Entry: Decodable {
            let source: String
            let sha256: String
        }
        struct Fetch: Decodable {
            let issuer: String
            let url: String?
            let certificates: Int
            let error: String?
        }
    }

    private func pinctl(_ server: ServerProcess, _ options: String...) throws -> PinctlRun {
        try PinctlRun.spawn(["fetch", server.localhost, "--anchors", folder.path("root.pem")] + options)
    }

    func report(_ server: ServerProcess, _ options: String..., status: Int32) throws -> Report {
        let run = try PinctlRun.spawn(
            ["fetch", server.localhost, "--anchors", folder.path("root.pem"), "--fetch-issuers", "-f", "ndjson"]
                + options)
        #expect(run.status == status, "\(run)")
        return try JSONDecoder().decode(Report.self, from: Data(run.output))
    }

    /// Two intermediates are missing, one after the other.
    @Test func completesAChain() throws {
        try publishing { files in
            let urls = ["lower", "upper"].map { "http://\(files.endpoint)/\($0).der" }
            try makePKI(leafURL: urls[0], lowerURL: urls[1])
            try serving { server in
                let plain = try pinctl(server)
                #expect(plain.status == 1)
                #expect(plain.text.contains("the server did not send the certificate of \"Lower CA\""), "\(plain)")

                let found = try report(server, status: 0)
                #expect(found.trust.trusted)
                #expect(found.chain.map(\.source) == ["served", "fetched", "fetched", "store"])
                #expect(found.issuerFetches.map(\.url) == urls)
                #expect(found.issuerFetches.map(\.issuer) == ["CN=Lower CA", "CN=Upper CA"])
                let lower = try Shell.run("sha256sum lower.der | cut -d ' ' -f 1", in: folder.url)
                #expect(found.chain[1].sha256 + "\n" == lower)

                let text = try pinctl(server, "--fetch-issuers")
                #expect(text.status == 0)
                #expect(text.text.contains("Lower CA (fetched)"), "\(text)")
                #expect(
                    text.text.contains(
                        "the server did not send the certificate of \"Lower CA\", which was fetched from"))
                let pins = try pinctl(server, "--fetch-issuers", "--format", "pin")
                #expect(pins.lines.count == 4, "\(pins)")
                #expect(pins.errors.contains("warning: \(server.localhost): the server did not send"), "\(pins)")
                let doubt = "an interceptor can have selected the CAs"
                #expect(pins.errors.contains(doubt), "\(pins)")
                let leaf = try pinctl(server, "--fetch-issuers", "--format", "pin", "--select", "leaf")
                #expect(leaf.lines.count == 1 && !leaf.errors.contains(doubt), "\(leaf)")
            }
        }
    }

    /// The first URL has a certificate with the name of the issuer and another key.
    @Test func triesTheNextURLAfterACertificateWithAnotherKey() throws {
        try publishing { files in
            let urls = ["other", "lower"].map { "http://\(files.endpoint)/\($0).der" }
            try makePKI(
                leafURL: "\(urls[0]),caIssuers;URI:\(urls[1])", lowerURL: "http://\(files.endpoint)/upper.der")
            try Shell.run(
                "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout other.key -subj '/CN=Lower CA' -days 9"
                    + " -outform DER -out other.der 2>log", in: folder.url)
            try serving { server in
                let found = try report(server, status: 0)
                #expect(found.chain.map(\.source) == ["served", "fetched", "fetched", "store"])
                #expect(found.issuerFetches.prefix(2).map(\.url) == urls)
            }
        }
    }

    /// CAs of companies name the directory before the web server.
    @Test func urlsOfOtherSchemesDoNotCount() throws {
        try publishing { files in
            let url = "http://\(files.endpoint)/lower.der"
            let others = ["ldap://directory.example.test/lower", "ldap:lower", "https://ca.example.test/lower.der"]
            try makePKI(
                leafURL: (others + [url]).joined(separator: ",caIssuers;URI:"),
                lowerURL: "http://\(files.endpoint)/upper.der")
            try serving { server in
                let found = try report(server, status: 0)
                #expect(found.chain.map(\.source) == ["served", "fetched", "fetched", "store"])
                #expect(found.issuerFetches.first?.url == url)
            }
        }
    }

    @Test(arguments: ["lower.pem", "both.p7c", "moved"]) func formatsAndRedirections(file: String) throws {
        try publishing("location /moved { return 301 /lower.der; }") { files in
            try makePKI(leafURL: "http://\(files.endpoint)/\(file)", lowerURL: "http://\(files.endpoint)/upper.der")
            try serving { server in
                let found = try report(server, status: 0)
                #expect(found.chain.map(\.source) == ["served", "fetched", "fetched", "store"], "\(found)")
            }
        }
    }

    @Test func failures() throws {
        let redirections = "location /https { return 302 https://127.0.0.1:1/; } location /loop { return 302 /loop; }"
        try publishing("\(redirections) location /root.pem { }") { files in
            for (path, reason) in [
                ("absent", "the answer has the HTTP status 404"),
                ("https", "it redirects too often, or to a URL that is not http"),
                ("loop", "it redirects too often"), ("leaf.key", "the answer contains no certificate of the issuer"),
                ("root.pem", "the answer contains no certificate of the issuer"),
            ] {
                try makePKI(leafURL: "http://\(files.endpoint)/\(path)", lowerURL: "http://\(files.endpoint)/upper.der")
                try serving { server in
                    let found = try report(server, status: 1)
                    #expect(found.trust.code == "missing-intermediate")
                    #expect(found.issuerFetches.first?.error?.hasPrefix(reason) == true, "\(found)")
                    #expect(found.chain.map(\.source) == ["served"])
                }
            }
        }
    }

    /// Only http is followed.
    @Test(arguments: ["https://127.0.0.1:1/", "ldap://127.0.0.1:1/"]) func otherSchemes(url: String) throws {
        try makePKI(leafURL: url, lowerURL: url)
        try serving { server in
            let found = try report(server, status: 1)
            #expect(found.issuerFetches.map(\.error) == ["the certificate names no http URL of its issuer"])
        }
    }

    /// A hostile HTTP server: each answer ends within the time limit of the host.
    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n."])
    func silence(answer: String) throws {
        try RawPeer.run {
            _ = $0.read()
            $0.write(answer)
            $0.drain()
        } _: { peer in
            try makePKI(leafURL: "http://\(peer.endpoint)/", lowerURL: "http://\(peer.endpoint)/")
            try serving { server in
                let found = try report(server, "--timeout", "1", status: 1)
                #expect(found.issuerFetches.map(\.error) == ["the time limit was reached"])
            }
        }
    }

    @Test func hostileAnswers() throws {
        let count = Counter()
        let answers = [
            "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 20_000),
            "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 300_000),
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
        ]
        let reasons = [
            "not HTTP", "headers of the HTTP answer are longer", "longer than 256 KiB", "closed before the end",
        ]
        try RawPeer.run {
            _ = $0.read()
            $0.write(answers[count.next() - 1])
        } _: { peer in
            try makePKI(leafURL: "http://\(peer.endpoint)/", lowerURL: "http://\(peer.endpoint)/")
            try serving { server in
                for reason in reasons {
                    let found = try report(server, status: 1)
                    #expect(found.issuerFetches.first?.error?.contains(reason) == true, "\(found)")
                }
            }
        }
    }

    /// The time of a validation grows with the square of the size of the certificates, so a chain with fetched issuers has at most 64
    /// KiB. The lower intermediate is within the limit, then above it.
    @Test(arguments: [(60_000, true), (66_000, false)]) func aChainHasALimitedSize(padding: Int, fits: Bool) throws {
        try publishing { files in
            let urls = ["lower", "upper"].map { "http://\(files.endpoint)/\($0).der" }
            try makePKI(leafURL: urls[0], lowerURL: urls[1], padding: (0, padding))
            try serving { server in
                let found = try report(server, "--paths", status: fits ? 0 : 1)
                #expect(found.issuerFetches.map(\.url) == (fits ? urls : [urls[0]]))
                let failure =
                    "the certificates of the chain would have more than 64 KiB, the maximum if issuers are fetched"
                #expect(found.issuerFetches.map(\.error) == (fits ? [nil, nil] : [failure]))
                #expect(found.trust.code == (fits ? nil : "missing-intermediate"))
            }
        }
    }

    /// No issuer can complete a chain of which the server sent too much already, so no URL is requested.
    @Test func requestsNothingForALargeChain() throws {
        let count = Counter()
        try RawPeer.run {
            _ = count.next()
            $0.drain()
        } _: { peer in
            try makePKI(leafURL: "http://\(peer.endpoint)/", lowerURL: "http://\(peer.endpoint)/", padding: (66_000, 0))
            try serving { server in
                let found = try report(server, status: 1)
                #expect(found.issuerFetches.map(\.error).first??.contains("more than 64 KiB") == true, "\(found)")
                #expect(found.issuerFetches.map(\.url) == [nil])
            }
        }
        #expect(count.value == 0)
    }

    /// Each URL is requested once for a host, also if all of its addresses need it at the same time and the answer is an error.
    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames)) func requestsEachURLOnce() throws {
        let addresses = (1...20).map { "127.0.0.\($0)" }
        let environment = try NameService.environment(
            addresses.map { "\($0) www.example.test" }.joined(separator: "\n"), in: folder)
        let count = Counter()
        try RawPeer.run {
            _ = count.next()
            _ = $0.read()
            $0.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        } _: { peer in
            try makePKI(leafURL: "http://\(peer.endpoint)/", lowerURL: "http://\(peer.endpoint)/")
            try Nginx.run { endpoint in
                let listeners = addresses.map { "listen \(endpoint.replacing("127.0.0.1", with: $0)) ssl;" }
                return "server { \(listeners.joined(separator: " ")) ssl_certificate \(folder.path("leaf.pem"));"
                    + " ssl_certificate_key \(folder.path("leaf.key")); }"
            } _: { server in
                let run = try PinctlRun.spawn(
                    [
                        "fetch", "www.example.test:\(server.port)", "--all-addresses", "--fetch-issuers", "-f",
                        "ndjson",
                    ], environment: environment)
                #expect(run.status == 1, "\(run)")
                let failures = run.lines.filter { $0.contains("the answer has the HTTP status 404") }
                #expect(failures.count == addresses.count, "\(run)")
            }
        }
        #expect(count.next() == 2)
    }

    /// Without the option, and for a complete chain, no connection is made to the URL.
    @Test func contactsNothingUnlessNeeded() throws {
        let count = Counter()
        try RawPeer.run {
            _ = count.next()
            $0.drain()
        } _: { peer in
            try makePKI(leafURL: "http://\(peer.endpoint)/", lowerURL: "http://\(peer.endpoint)/")
            try Shell.run("cat leaf.pem lower.pem upper.pem >chain.pem", in: folder.url)
            try serving { server in try #expect(pinctl(server).status == 1) }
            try serving("chain") { server in
                let found = try report(server, status: 0)
                #expect(found.issuerFetches.isEmpty)
            }
        }
        #expect(count.next() == 1)
    }
}
