import TestSupport
import Testing

@testable import ConnectionFailures
@testable import Encodings
@testable import Pinning

/// Reads damaged logs. No input may cause a trap or take long; the damage is the same in every run.
@Suite struct DamagedLogTests {
    static let logs = [FailureLogTests.okhttp, FailureLogTests.urlSession, MailServerTests.log]

    @Test(.limit(minutes: 2), arguments: logs.indices) func doNotTrap(index: Int) {
        let original = Array(Self.logs[index].utf8)
        var generator = SeededGenerator(seed: 7469)
        for _ in 0..<TestEnvironment.rounds(1500) {
            var bytes = original
            for _ in 0...Int.random(in: 0...3, using: &generator) {
                let start = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[start] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.removeSubrange(start..<min(start + 40, bytes.count))
                case 2: bytes.insert(contentsOf: bytes[start..<min(start + 60, bytes.count)], at: start)
                default: bytes.insert(contentsOf: Array("\n\\n{}=\"".utf8), at: start)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            let log = FailureLog(bytes)
            #expect(log.failures.count <= FailureLog.maximumFailures)
            for (failure, count) in log.failures {
                #expect(count > 0)
                #expect(failure.line > 0)
                _ = Conclusion(of: failure, with: HostEvidence(.notAsked, expected: failure.expected))
            }
        }
    }

    @Test(
        .limit(minutes: 1),
        arguments: [
            "Certificate pinning failure!\n", "NSURLErrorDomain Code=-1202 {\n", "{",
            "x509: certificate signed by unknown authority\n",
            "https://", "=== TrustKit: Error: SSL Pin not found for a\n", "PKIX path validation failed\n", "sha256/",
            "\\n", "curl: (60) x\n",
            "a/smtp[7]: 4: relay=a[b]:1, status=deferred (Server certificate not verified)\n",
            "[a] SSL verify error: depth=0 error=x cert=\n", "- Status: The certificate is NOT trusted.\n",
            "imapc(a:1): SSL handshake failed: Received invalid SSL certificate: x: y (check ssl_client_ca_\n",
        ])
    func ofOneMessageRepeatedEnd(unit: String) {
        let text = String(repeating: unit, count: 200_000 / unit.utf8.count)
        #expect(FailureLog(Array(text.utf8)).failures.count <= FailureLog.maximumFailures)
    }
}
