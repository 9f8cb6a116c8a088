import TestSupport
import Testing

@testable import ConnectionFailures
@testable import Encodings
@testable import Pinning

/// Logs that are cut off, which can hide the end of a certificate's name, and logs of new versions of TrustKit.
@Suite(.blocking) struct CutLogTests {
    /// A name with the end of the list, the keys of the description and its end, in a log that is cut off within the name.
    @Test func aListInACutDescriptionOfURLSession() throws {
        let start = """
            Error Domain=NSURLErrorDomain Code=-1202 "x" UserInfo={_kCFStreamErrorDomainKey=3, NSErrorPeerCertificateChainKey=(
                "<cert(0x1) s: x i: Other Root>",
                "<cert(0x2) s: Other Root i: Other Root>"
            ), NSErrorFailingURLStringKey=https://evil.example/, _kCFStreamErrorCodeKey=-9814
            """
        let genuine = try onlyFailure(in: start + "}\n12:00 app: line\n")
        #expect(genuine.kind == .expired && genuine.host == "evil.example" && genuine.hostLine == nil)
        for end in [
            "", ", ", "\n", "\n12:00 app: line\n", ", x={", "}<…>\n", "} i: Other<…>\n", "}\n<…>\n", "}...\n",
            "} i: Othe…\n",
        ] {
            for log in [start + end, start.replacing("\n", with: " ") + end] {
                let failure = try onlyFailure(in: log)
                #expect(failure.kind == .untrusted && (failure.host == nil || failure.hostLine != nil), "\(log)")
            }
        }
        // Keys before the list are no part of a name.
        let before = start.replacing("_kCFStreamErrorDomainKey=3", with: "NSErrorFailingURLKey=https://localhost/")
        #expect(try onlyFailure(in: before + "<…>\n").host == "localhost")
    }

    /// A name can contain a title and a heading, so neither message has a conclusion. The complete one alone has one.
    @Test func aCutMessageOfOkHttpBeforeACompleteOne() throws {
        let pki = try TestPKI.shared()
        let title = "Certificate pinning failure!\n  Peer certificate chain:\n"
        let cut = title + "    sha256/\(try pki.pin("leaf")): CN=localhost\n"
        let complete =
            title
            + "    sha256/\(try pki.pin("other-leaf")): CN=localhost\n    sha256/\(try pki.pin("other-root")): CN=ISRG Root X1\n"
            + "  Pinned certificates for localhost:\n    sha256/\(try pki.pin("leaf"))\n"
        let live = try ["leaf", "intermediate", "root"].map { try Certificate(der: pki.bytes("\($0).der")) }
        let chain = CertificateChain(path: live, served: live, failures: [])
        for between in ["", "  at okhttp3.internal.connection.RealCall\n", "12:00 app: line\n\n"] {
            let found = failures(in: cut + between + complete)
            #expect(found.count == 2)
            for failure in found {
                let conclusion = Conclusion(
                    of: failure, with: HostEvidence(.chain(chain), expected: failure.expected))
                #expect(failure.hasRepeatedParts && conclusion.verdict == .undecided, "\(failure)")
            }
        }
        let alone = try onlyFailure(in: complete)
        let conclusion = Conclusion(of: alone, with: HostEvidence(.chain(chain), expected: alone.expected))
        #expect(conclusion.verdict == .interception)
    }

    /// Since iOS 13, the description of NSData does not contain all bytes. A key in the old format is then a part of a name.
    @Test func keysOfTrustKitSinceIOS13() throws {
        let log = """
            === TrustKit: Checking certificate with CN: localhost
            === TrustKit: Testing SSL Pin {length = 32, bytes = 0x70f8beba 49a87d05 f5768df9 5e8a4665 ... 4ab60d25 3be7255f }
            === TrustKit: Error: SSL Pin not found for localhost
            === TrustKit: Pin validation failed for localhost
            """
        let failure = try onlyFailure(in: log)
        #expect(
            failure.seen.map(\.subject) == ["CN=localhost"] && failure.seenPins.isEmpty && !failure.hasRepeatedParts)
        let key =
            "=== TrustKit: Testing SSL Pin <00000000 31f9586b cbf41727 e417b7d1 c45c2f47 f93be161 b8f7bb2d 6da2ff16>"
        #expect(try onlyFailure(in: log.replacing("CN: localhost", with: "CN: localhost\n\(key)")).hasRepeatedParts)
    }

    /// The text of `verifyPublicKeyPin` in TrustKit's ssl_pin_verifier.m for a chain that the system does not trust.
    @Test(arguments: [
        ": {\n    TrustEvaluationDate = \"2026-11-23 10:00:00 +0000\";\n    TrustResultValue = 5;\n}", "",
    ])
    func anUntrustedChainOfTrustKit(details: String) throws {
        let failure = try onlyFailure(
            in: """
                === TrustKit: Error: default SSL validation failed for localhost\(details)
                === TrustKit: Pin validation failed for localhost\n
                """)
        #expect(failure.kind == .untrusted && failure.host == "localhost")
    }
}
