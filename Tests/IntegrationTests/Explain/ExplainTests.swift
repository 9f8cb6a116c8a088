import Foundation
import TestSupport
import Testing

/// The conclusions of `explain` about logs, compared with live hosts.
@Suite(.blocking) struct ExplainTests: ExplainSuite {
    let pki: TestPKI
    let folder: TemporaryFolder

    init() throws {
        pki = try TestPKI.shared()
        folder = try TemporaryFolder("explain")
    }

    @Test func recognizesARotation() throws {
        try OpenSSLServer.run { server in
            let log = okhttp(seen: try pki.pins("leaf", "intermediate", "root"), pinned: [try pki.pin("other-root")])
            let failure = try explain(log, ["--connect-to", "127.0.0.1:\(server.port)"])
            #expect(failure.conclusion.verdict == "rotation")
            #expect(
                failure.conclusion.sentence.contains("; only the address of --connect-to was compared"), "\(failure)")
            let options = "--anchors \(pki.path("root.pem")) --connect-to 127.0.0.1:\(server.port)"
            #expect(
                failure.conclusion.command
                    == "pinctl refresh --pins PINS --accept-new localhost localhost:443 \(options)")
            // The command shows the changes.
            try folder.write(#"{"version":1,"hosts":{"localhost":["\#(try pki.pin("other-root"))"]}}"#, to: "old.json")
            let words = failure.conclusion.command.split(separator: " ").dropFirst().map {
                $0 == "PINS" ? "old.json" : String($0)
            }
            let run = try PinctlRun.spawn(words, folder: folder.url)
            #expect(run.status == 0 && run.text.contains("to be added"), "\(run)")
        }
    }

    /// refresh does not accept a chain with a pin that a person retired, also with --accept-new.
    @Test(arguments: [("", "verify"), (#", "goneSince": "2026-01-01""#, "refresh")])
    func aPinThatAPersonRetired(date: String, command: String) throws {
        let (retired, pinned) = (try pki.pin("leaf"), try pki.pin("other-root"))
        let pins = #"[{"sha256":"\#(retired)","state":"retired"\#(date)},"\#(pinned)"]"#
        try folder.write(#"{"version":1,"hosts":{"localhost":{"pins":\#(pins)}}}"#, to: "pins.json")
        try OpenSSLServer.run { server in
            let log = okhttp(seen: try pki.pins("leaf", "intermediate", "root"), pinned: [pinned])
            let options = ["--pins", folder.path("pins.json"), "--connect-to", "127.0.0.1:\(server.port)"]
            let failure = try explain(log, options)
            #expect(failure.conclusion.verdict == "rotation", "\(failure)")
            #expect(failure.conclusion.command.hasPrefix("pinctl \(command) "), "\(failure)")
            #expect(failure.conclusion.sentence.contains("a person retired a pin") == date.isEmpty, "\(failure)")
        }
    }

    /// A name adds pins to the message of OkHttp, and the set has the pin of the host.
    @Test func comparesTheSetBesidesThePinsOfTheLog() throws {
        try OpenSSLServer.run { server in
            try folder.write(#"{"version":1,"hosts":{"localhost":["\#(try pki.pin("leaf"))"]}}"#, to: "pins.json")
            let connect = ["--connect-to", "127.0.0.1:\(server.port)"]
            let log = okhttp(seen: try pki.pins("leaf", "intermediate"), pinned: [try pki.pin("other-root")])
            #expect(try explain(log, connect).conclusion.verdict == "rotation")
            let failure = try explain(log, connect + ["--pins", folder.path("pins.json")], status: 3)
            #expect(failure.conclusion.sentence.contains("the program has an older set"), "\(failure)")
            #expect(failure.conclusion.command.hasPrefix("pinctl explain LOG --pins PINS "), "\(failure)")
        }
    }

    /// One address serves the chain of the log, and the other one the pinned key.
    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames)) func comparesEveryAddress() throws {
        let name = "www.example.test"
        try Nginx.run { endpoint in
            Nginx.host(endpoint, "leaf-www")
                + Nginx.host(endpoint.replacing("127.0.0.1", with: "127.0.0.2"), "leaf")
        } _: { server in
            let log = okhttp(seen: try pki.pins("leaf-www", "intermediate", "root"), pinned: [try pki.pin("leaf")])
                .replacing("localhost", with: name)
            func explained(
                _ addresses: [Int], and others: String..., options: [String] = [], status: Int32
            ) throws -> ExplainReport.Failure {
                let all = addresses.map { "127.0.0.\($0)" } + others
                let environment = try NameService.environment(
                    all.map { "\($0) \(name)" }.joined(separator: "\n"), in: folder)
                let options = ["--host", "\(name):\(server.port)"] + options
                return try explain(log, options, environment: environment, status: status)
            }
            let one = try explained([1], status: 0)
            #expect(one.conclusion.verdict == "rotation", "\(one)")
            for addresses in [[1, 2], [2, 1], [2, 1, 2]] {
                let failure = try explained(addresses, status: 3)
                #expect(failure.conclusion.verdict == "undecided", "\(failure)")
                #expect(
                    failure.conclusion.sentence.hasSuffix("; other addresses of the host serve another chain"),
                    "\(failure)")
                #expect(failure.conclusion.command.contains(" --all-addresses "), "\(failure)")
            }
            // The pinned key can be at an address that does not answer.
            let silent = try explained([1, 4], status: 3)
            #expect(silent.conclusion.verdict == "undecided", "\(silent)")
            #expect(silent.conclusion.command.hasPrefix("pinctl explain LOG "), "\(silent)")
            #expect(
                silent.conclusion.sentence.hasSuffix("; 1 of the 2 addresses of the host did not answer"), "\(silent)")
            let four = try explained([1], options: ["-4"], status: 0)
            #expect(four.conclusion.sentence.contains("; -4 leaves out the IPv6 addresses of the host"), "\(four)")
            guard Loopback.hasIPv6 else { return }
            // No program listens on ::1, and no route leads to a multicast address of TCP.
            let both = try explained([1], and: "::1", "ff02::1", status: 3)
            #expect(both.conclusion.verdict == "undecided", "\(both)")
            let clauses =
                "; 1 of the 3 addresses of the host did not answer; this machine has no route to 1 of the 3 addresses of the host"
            #expect(both.conclusion.sentence.hasSuffix(clauses), "\(both)")
        }
    }

    /// One address serves an expired certificate, or the chain of the log.
    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames), arguments: [[1, 2], [2, 1]])
    func findsTheAddressThatTheProgramSaw(addresses: [Int]) throws {
        let name = "www.example.test"
        try Nginx.run { endpoint in
            Nginx.host(endpoint, "leaf-www")
                + Nginx.host(endpoint.replacing("127.0.0.1", with: "127.0.0.2"), "leaf")
                + Nginx.host(endpoint.replacing("127.0.0.1", with: "127.0.0.3"), "leaf-expired")
        } _: { server in
            func explained(_ log: String, _ addresses: [Int], status: Int32) throws -> ExplainReport.Failure {
                let names = addresses.map { "127.0.0.\($0) \(name)" }.joined(separator: "\n")
                let environment = try NameService.environment(names, in: folder)
                return try explain(log, ["--host", "\(name):\(server.port)"], environment: environment, status: status)
            }
            let log = okhttp(
                seen: try pki.pins("leaf-www", "intermediate", "root"), pinned: [try pki.pin("other-root")]
            )
            .replacing("localhost", with: name)
            let seen = try explained(log, addresses, status: 0).conclusion
            #expect(seen.verdict == "rotation", "\(seen)")
            #expect(seen.sentence.hasPrefix("the program saw the chain that the host serves now"), "\(seen)")
            #expect(seen.sentence.hasSuffix("; other addresses of the host serve another chain"), "\(seen)")
            let expired = try explained(
                "curl: (60) SSL certificate problem: certificate has expired\n", addresses.map { $0 == 1 ? 1 : 3 },
                status: 0
            ).conclusion
            #expect(expired.verdict == "expired-certificate", "\(expired)")
            #expect(!expired.sentence.contains("renewed since"), "\(expired)")
        }
    }

    /// One address has a second chain with the pinned key, or the other address serves this chain to all clients.
    @Test(.enabled(if: NameService.exists, FetchAddressTests.needsNames), arguments: ["leaf", "leaf-rsa"])
    func aPinInAChainOfOneAddress(other: String) throws {
        let name = "www.example.test"
        let rsa = "ssl_certificate PKI/leaf-rsa.chain.pem; ssl_certificate_key PKI/leaf-rsa.key;"
        try Nginx.run { endpoint in
            Nginx.host(endpoint, "leaf", more: rsa)
                + Nginx.host(endpoint.replacing("127.0.0.1", with: "127.0.0.2"), other)
        } _: { server in
            let log = try okhttp(seen: pki.pins("leaf", "intermediate", "root"), pinned: [pki.pin("leaf-rsa")])
                .replacing("localhost", with: name)
            for addresses in ["127.0.0.1 \(name)\n127.0.0.2 \(name)", "127.0.0.2 \(name)\n127.0.0.1 \(name)"] {
                let failure = try explain(
                    log, ["--host", "\(name):\(server.port)", "--anchors", pki.path("root-rsa.pem")],
                    environment: NameService.environment(addresses, in: folder), status: other == "leaf" ? 0 : 3)
                let live = try #require(failure.live)
                let chains = [(live.clients, live.chain)] + live.otherChains.map { ($0.clients, $0.chain) }
                let holder = try #require(chains.first { $0.1.contains(where: \.pinned) }, "\(failure)")
                let clients = "clients that accept only keys of the type RSA"
                #expect(holder.0 == (other == "leaf" ? clients : nil), "\(failure)")
                if other == "leaf" {
                    let clause = "; but the chain of the host for \(clients) has the pinned key "
                    #expect(failure.conclusion.sentence.contains(clause), "\(failure)")
                }
                #expect(!failure.conclusion.sentence.contains("the keys changed"), "\(failure)")
            }
        }
    }

    /// A server with an ECDSA and an RSA certificate of two CAs. The program can see either of the chains.
    @Test func comparesTheChainsForOtherTypesOfKeys() throws {
        let lines = ["leaf", "leaf-rsa"].map {
            "ssl_certificate PKI/\($0).chain.pem; ssl_certificate_key PKI/\($0).key;"
        }
        let other = try pki.pins("other-leaf", "other-root")
        let rsa = try pki.pins("leaf-rsa", "intermediate-rsa", "root-rsa")
        try Nginx.run {
            "server { listen \($0) ssl; \(lines.joined(separator: " ")) }\n"
        } _: { server in
            let port = server.port
            func explained(
                _ log: String, port: UInt16 = port, _ options: String..., status: Int32
            ) throws -> ExplainReport.Failure {
                let connect = ["--connect-to", "127.0.0.1:\(port)", "--anchors", pki.path("root-rsa.pem")]
                return try explain(log, connect + options, status: status)
            }
            let own = try explained(okhttp(seen: rsa, pinned: [pki.pin("leaf")]), status: 0)
            #expect(own.conclusion.verdict == "rotation", "\(own)")
            #expect(
                own.conclusion.sentence.contains(
                    "for clients that accept only keys of the type RSA; but the first chain"), "\(own)")
            // A renewed RSA certificate of the same CA, and an ECDSA chain with a pinned key.
            let renewed = try okhttp(seen: [other[0]] + rsa.dropFirst(), pinned: [pki.pin("leaf")])
            let related = try explained(renewed, status: 3)
            #expect(
                related.conclusion.sentence.contains("; but the first chain of the host has the pinned key "),
                "\(related)"
            )
            // No chain of the host contains a key that the program saw.
            let foreign = try okhttp(seen: other, pinned: [pki.pin("leaf")])
            #expect(try explained(foreign, status: 0).conclusion.verdict == "interception")
            // The program saw other keys than those of the first chain, and the pin is in the second one.
            let pinned = try explained(
                "java.security.cert.CertificateException: Pin verification failed\n", "--pins", writeSet(rsa[0]),
                "--host", "localhost", status: 3)
            #expect(
                pinned.conclusion.sentence.contains(
                    "; but the chain of the host for clients that accept only keys of the type RSA has the pinned key"),
                "\(pinned)")
            #expect(pinned.conclusion.command.contains(" --key-type all "), "\(pinned)")
            let limited = try explained(foreign, "--key-type", "ecdsa", status: 0).conclusion
            #expect(limited.verdict == "interception", "\(limited)")
            #expect(limited.sentence.contains("; --key-type ecdsa leaves out other chains"), "\(limited)")
            // Only the first connection reaches the server.
            let count = Counter()
            try RawPeer.run {
                guard count.next() == 1 else { return }
                $0.forward(to: port) { $0.write($1) }
            } _: { peer in
                let doubtful = try explained(foreign, port: peer.port, status: 3)
                #expect(
                    doubtful.conclusion.sentence.contains("may have another chain for other types of keys"),
                    "\(doubtful)")
            }
        }
    }

    private func writeSet(_ pin: String) throws -> String {
        try folder.write(#"{"version":1,"hosts":{"localhost":["\#(pin)"]}}"#, to: "set.json")
    }

    /// The certificate of the server is for both names.
    @Test func comparesTheServerOfTheFailureOnly() throws {
        try OpenSSLServer.run { server in
            let connect = ["--connect-to", "127.0.0.1:\(server.port)"]
            let log = okhttp(seen: try pki.pins("leaf", "intermediate", "root"), pinned: [try pki.pin("other-root")])
            #expect(try explain(log, connect + ["--servername", "localhost"]).conclusion.verdict == "rotation")
            let other = try explain(log, connect + ["--servername", "www.example.test"], status: 3)
            let reason = "; but --servername requested the chain of www.example.test, and not that of localhost"
            #expect(other.conclusion.sentence.hasSuffix(reason), "\(other)")
            #expect(other.conclusion.command.hasPrefix("pinctl fetch localhost:443 "), "\(other)")
            #expect(!other.conclusion.command.contains("www.example.test"), "\(other)")

            let pin = try pki.pin("other-root")
            for (endpoints, options, verdict) in [
                ("localhost:8443", [], "undecided"), ("localhost:8443", ["--host", "localhost:8443"], "rotation"),
                ("localhost:8443", ["--host", "localhost"], "undecided"), ("localhost", [], "rotation"),
                ("localhost:8443\", \"localhost", [], "undecided"), ("smtp://localhost:443", [], "undecided"),
                ("localhost:8443\", \"localhost", ["--host", "localhost:443"], "rotation"),
                ("localhost:8443\", \"localhost", ["--host", "https://localhost"], "rotation"),
            ] {
                try folder.write(
                    "{\"version\":1,\"hosts\":{\"localhost\":{\"endpoints\":[\"\(endpoints)\"],\"pins\":[\"\(pin)\"]}}}",
                    to: "endpoints.json")
                let set = ["--pins", folder.path("endpoints.json")]
                let failure = try explain(log, connect + set + options, status: verdict == "undecided" ? 3 : 0)
                #expect(failure.conclusion.verdict == verdict, "\(failure)")
                let doubt = ": name the port with --host"
                #expect(failure.conclusion.sentence.hasSuffix(doubt) == (verdict == "undecided"), "\(failure)")
            }
        }
    }

    @Test func recognizesAnInterception() throws {
        try OpenSSLServer.run { server in
            let log = okhttp(seen: try pki.pins("leaf-www", "other-root"), pinned: [try pki.pin("leaf")])
            let failure = try explain(log, ["--connect-to", "127.0.0.1:\(server.port)"])
            #expect(failure.conclusion.verdict == "interception")
            #expect(
                failure.conclusion.command
                    == "pinctl fetch localhost:443 --anchors \(pki.path("root.pem")) --connect-to 127.0.0.1:\(server.port)"
            )
        }
    }

    /// The name of a certificate in OkHttp's message can contain line feeds, so an interceptor writes some of its lines.
    @Test func isNotMisledByNamesWithLineFeeds() throws {
        let publicAuthority = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
        try OpenSSLServer.run { server in
            let connect = ["--connect-to", "127.0.0.1:\(server.port)"]
            let (own, pinned) = (try pki.pins("leaf-www", "other-root"), try pki.pin("leaf"))
            let genuine = okhttp(seen: own, pinned: [pinned])
            #expect(try explain(genuine, connect).conclusion.verdict == "interception")
            let lines = "CN=leaf\n    sha256/\(publicAuthority): CN=ISRG Root X1"
            let other = lines + "\n  Pinned certificates for localhost:\n    sha256/\(try pki.pin("other-root"))\n ,"
            for (name, reason) in [(lines, "this line of the log"), (other, "two values of")] {
                let log = genuine.replacing("CN=leaf", with: name, maxReplacements: 1)
                let failure = try explain(log, connect, status: 3)
                #expect(failure.conclusion.verdict == "undecided")
                #expect(failure.conclusion.sentence.contains(reason), "\(failure.conclusion)")
                #expect(try explain(log, ["--offline"], status: 3).conclusion.verdict == "undecided")
            }
        }
    }

    /// A log that contradicts itself: the host's own key, which is pinned.
    @Test func callsNothingARotationThatIsPinned() throws {
        try OpenSSLServer.run { server in
            let log = okhttp(seen: try pki.pins("leaf", "other-root"), pinned: [try pki.pin("root")])
            let failure = try explain(log, ["--connect-to", "127.0.0.1:\(server.port)"], status: 3)
            #expect(failure.conclusion.verdict == "undecided")
        }
    }

    /// The CA of an interceptor can be in the trust store of the device and of this machine. Then the chain that the program saw is
    /// the one that is trusted here.
    @Test func aPrivateCAInTheTrustStore() throws {
        try OpenSSLServer.run { server in
            let log = okhttp(seen: try pki.pins("leaf", "intermediate", "root"), pinned: [try pki.pin("other-root")])
            let failure = try explain(
                log, ["--connect-to", "127.0.0.1:\(server.port)"], store: pki.path("root.pem"), status: 3)
            #expect(failure.conclusion.verdict == "undecided")
            #expect(
                failure.conclusion.sentence.hasPrefix(
                    "the program saw the same chain, and the host's chain ends here in"))
            #expect(failure.conclusion.sentence.contains("if that CA is not yours, this connection may be intercepted"))
            #expect(
                failure.conclusion.command == "pinctl fetch localhost:443 --connect-to 127.0.0.1:\(server.port)")
            let curl = try curl(
                [
                    "--verbose", "--cacert", pki.path("root.pem"), "--pinnedpubkey",
                    "sha256//\(try pki.pin("other-root"))",
                    "https://\(server.localhost)/",
                ], status: 90)
            #expect(try explain(curl, store: pki.path("root.pem"), status: 3).conclusion.verdict == "undecided")
        }
    }

    /// Another server of the host has another key of the same CA.
    @Test func anotherKeyOfTheSameCA() throws {
        try OpenSSLServer.run { server in
            let connect = ["--connect-to", "127.0.0.1:\(server.port)"]
            let seen = try pki.pins("leaf-www", "intermediate", "root")
            let pinned = try explain(okhttp(seen: seen, pinned: [try pki.pin("leaf")]), connect, status: 3)
            #expect(pinned.conclusion.verdict == "undecided", "\(pinned)")
            #expect(pinned.conclusion.sentence.contains("another server of the host has other keys"))
            let neither = try explain(okhttp(seen: seen, pinned: [try pki.pin("other-root")]), connect)
            #expect(neither.conclusion.verdict == "rotation", "\(neither)")
        }
    }

    /// A log that ends in the middle of the message does not show the CA.
    @Test func aMessageThatIsCut() throws {
        try OpenSSLServer.run { server in
            let connect = ["--connect-to", "127.0.0.1:\(server.port)", "--host", "localhost"]
            try folder.write(#"{"version":1,"hosts":{"localhost":["\#(try pki.pin("leaf"))"]}}"#, to: "pins.json")
            let whole = okhttp(seen: try pki.pins("leaf-www", "other-root"), pinned: [])
            let cut = String(whole.prefix(upTo: try #require(whole.firstRange(of: "  Pinned")?.lowerBound)))
            let failure = try explain(cut, connect + ["--pins", folder.path("pins.json")], status: 3)
            #expect(failure.conclusion.verdict == "undecided", "\(failure)")
            #expect(failure.conclusion.sentence.contains("the log does not show the whole chain"))
        }
    }

    @Test func recognizesTheDigestOfACertificate() throws {
        try OpenSSLServer.run { server in
            let digest = try ChildProcess.run(
                ["sh", "-c", "openssl dgst -sha256 -binary \(pki.path("leaf.der")) | base64"]
            ).text.trimmingCharacters(in: .whitespacesAndNewlines)
            let log = okhttp(seen: try pki.pins("leaf", "intermediate", "root"), pinned: [digest])
            let failure = try explain(log, ["--connect-to", "127.0.0.1:\(server.port)"])
            #expect(failure.conclusion.verdict == "wrong-set")
            #expect(failure.conclusion.command.hasPrefix("pinctl lint"))
        }
    }

    @Test func comparesWithTheGivenSet() throws {
        try OpenSSLServer.run { server in
            let android = "java.security.cert.CertificateException: Pin verification failed"
            let connect = ["--host", "localhost", "--connect-to", "127.0.0.1:\(server.port)"]
            // The host serves the pinned key of the intermediate, so the device saw another chain, or the app has other pins.
            for (pin, verdict, status) in [("other-root", "rotation", 0), ("intermediate", "undecided", 3)]
                as [(_, _, Int32)]
            {
                try folder.write(#"{"version":1,"hosts":{"localhost":["\#(try pki.pin(pin))"]}}"#, to: "pins.json")
                let failure = try explain(
                    android, connect + ["--pins", folder.path("pins.json")], status: status)
                #expect(failure.conclusion.verdict == verdict)
            }
            #expect(try explain(android, connect, status: 3).conclusion.verdict == "undecided")
        }
    }

    @Test func namesACaptivePortal() throws {
        try OpenSSLServer.run { server in
            let log = """
                Error Domain=NSURLErrorDomain Code=-1202 "x" UserInfo={NSErrorPeerCertificateChainKey=(
                    "<cert(0x1) s: login.wifi.example i: Portal CA>"
                ), NSErrorFailingURLStringKey=https://localhost/, _kCFStreamErrorCodeKey=-9843}
                """
            let failure = try explain(log, ["--connect-to", "127.0.0.1:\(server.port)"])
            #expect(failure.conclusion.verdict == "interception")
            #expect(failure.conclusion.sentence.contains("login.wifi.example"))
        }
    }
}
