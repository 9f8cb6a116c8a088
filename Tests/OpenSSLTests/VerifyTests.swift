import Foundation
import TestSupport
import Testing

@testable import OpenSSL

@Suite struct VerifyTests {
    private func store(_ names: String...) throws -> TrustStore {
        let store = try TrustStore()
        for name in names { try store.add(try TestPKI.der(name)) }
        return store
    }

    /// Each invalid chain with the kind of its failure. The depth and the text are from "openssl verify".
    struct Case: CustomTestStringConvertible, Sendable {
        let chain: [String]
        let kind: VerifyFailure.Kind?
        var anchors = ["root"]

        var testDescription: String { chain.joined(separator: " ") }
    }

    @Test(arguments: [
        Case(chain: ["leaf", "intermediate"], kind: nil),
        Case(chain: ["leaf", "intermediate", "root"], kind: nil),
        Case(chain: ["leaf", "root", "intermediate"], kind: nil),
        Case(chain: ["leaf", "intermediate", "other-root"], kind: nil),
        Case(chain: ["leaf", "intermediate", "root-cross"], kind: nil),
        Case(chain: ["leaf", "intermediate", "root-cross"], kind: nil, anchors: ["root-old"]),
        Case(chain: ["leaf-rsa", "intermediate-rsa"], kind: nil, anchors: ["root", "root-rsa"]),
        Case(chain: ["leaf-p384", "intermediate"], kind: nil),
        Case(chain: ["leaf-ed25519", "intermediate"], kind: nil),
        Case(chain: ["leaf-cn-only", "intermediate"], kind: nil),
        Case(chain: ["leaf-self-signed"], kind: nil, anchors: ["leaf-self-signed"]),
        Case(chain: ["leaf"], kind: .missingIssuer),
        Case(chain: ["leaf", "intermediate"], kind: .missingIssuer, anchors: ["other-root"]),
        Case(chain: ["leaf", "intermediate", "root"], kind: .untrustedRoot, anchors: ["other-root"]),
        Case(chain: ["leaf-self-signed"], kind: .selfSignedLeaf),
        Case(chain: ["leaf-expired", "intermediate"], kind: .expired),
        Case(chain: ["leaf-by-expired", "intermediate-expired"], kind: .expired),
        Case(chain: ["leaf-not-yet-valid", "intermediate"], kind: .notYetValid),
        Case(chain: ["leaf-client-only", "intermediate"], kind: .wrongPurpose),
        Case(chain: ["leaf-unpermitted", "intermediate-constrained"], kind: .nameConstraints),
        Case(chain: ["leaf-by-leaf", "leaf", "intermediate"], kind: .notAnAuthority),
        Case(chain: ["leaf-rsa1024", "intermediate"], kind: .weakKey),
        Case(chain: ["leaf-sha1", "intermediate"], kind: .weakSignature),
    ])
    func agreesWithTheOpenSSLCommand(example: Case) throws {
        let served = try example.chain.map { try TestPKI.der($0) }
        let chain = try TestPKI.chain(of: served)
        let store = try TrustStore()
        for anchor in example.anchors { try store.add(try TestPKI.der(anchor)) }
        let result = chain.verify(against: store, parameters: VerifyParameters())
        #expect(result.failure?.kind == example.kind)
        let said = try Self.verify(example.chain, anchors: example.anchors)
        #expect(result.failure.map { "\($0.depth): \($0.text)" } == said)
        #expect(result.path.first == served.first)
        guard example.kind == nil else { return }
        #expect(try example.anchors.contains { try TestPKI.der($0) == result.path.last })
    }

    /// The first error that "openssl verify" prints, as "depth: text"; nil if it prints none.
    private static func verify(_ chain: [String], anchors: [String]) throws -> String? {
        func bundle(_ names: [String]) throws -> String {
            let text = try names.map { try String(contentsOfFile: try TestPKI.path("\($0).pem"), encoding: .utf8) }
            return try TestPKI.write(
                [UInt8](text.joined().utf8), to: "bundles/\(names.joined(separator: "+"))-\(UUID().uuidString).pem")
        }
        let said = try TestPKI.openssl(
            "verify", "-no-CApath", "-no-CAstore", "-purpose", "sslserver", "-auth_level", "2", "-CAfile",
            try bundle(anchors), "-untrusted", try bundle(Array(chain.dropFirst()) + ["other-root"]),
            try TestPKI.path("\(chain[0]).pem"))
        let line = said.split(separator: "\n").first { $0.hasPrefix("error ") }
        guard let line else {
            #expect(said.hasSuffix(": OK\n"))
            return nil
        }
        // "error 10 at 0 depth lookup: certificate has expired"
        let words = line.split(separator: " ", maxSplits: 6).map(String.init)
        return words.count == 7 ? "\(words[3]): \(words[6])" : String(line)
    }

    @Test func findsABadSignature() throws {
        var leaf = try TestPKI.der("leaf-rsa")
        let last = leaf.count - 1
        leaf[last] ^= 1
        let chain = try TestPKI.chain(of: [leaf, try TestPKI.der("intermediate-rsa")])
        let result = chain.verify(against: try store("root", "root-rsa"), parameters: VerifyParameters())
        #expect(result.failure?.kind == .badSignature)
        #expect(result.failure?.depth == 0)
    }

    @Test func findsAPathThatIsTooLong() throws {
        let root = try Self.issue("short-root", by: nil, "CA:TRUE,pathlen:0")
        let middle = try Self.issue("short-middle", by: "short-root", "CA:TRUE")
        let leaf = try Self.issue("short-leaf", by: "short-middle", "CA:FALSE")
        let store = try TrustStore()
        try store.add(root)
        let chain = try TestPKI.chain(of: [leaf, middle])
        let result = chain.verify(against: store, parameters: VerifyParameters())
        #expect(result.failure?.kind == .pathTooLong)
        #expect(result.path == [leaf, middle, root])
    }

    private static func issue(_ name: String, by issuer: String?, _ constraints: String) throws -> [UInt8] {
        func path(_ suffix: String) throws -> String { try TestPKI.path(name + suffix) }
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        var arguments =
            ["req", "-x509"] + key + ["-keyout", try path(".key"), "-out", try path(".der"), "-outform", "DER"]
        arguments += ["-subj", "/CN=\(name)", "-days", "30", "-addext", "basicConstraints=critical,\(constraints)"]
        if let issuer {
            try TestPKI.openssl(
                "x509", "-inform", "DER", "-in", try TestPKI.path("\(issuer).der"), "-out", try path(".ca"))
            arguments += ["-CA", try path(".ca"), "-CAkey", try TestPKI.path("\(issuer).key")]
        }
        let said = try TestPKI.openssl(arguments)
        return try #require(try? TestPKI.der(name), "\(said)")
    }

    /// The administrator of a system can mark a certificate as rejected (openssl-x509(1), "-addreject").
    @Test func findsADistrustedRoot() throws {
        let hash = try TestPKI.openssl("x509", "-noout", "-hash", "-in", try TestPKI.path("root.pem"))
            .trimmingCharacters(in: .newlines)
        let file = try TestPKI.write([], to: "distrusted/\(hash).0")
        try TestPKI.openssl(
            "x509", "-in", try TestPKI.path("root.pem"), "-trustout", "-addreject", "serverAuth", "-out", file)
        let store = try TrustStore()
        try store.addHashedDirectory(try TestPKI.path("distrusted"))
        let result = try TestPKI.chain("leaf", "intermediate").verify(against: store, parameters: VerifyParameters())
        #expect(result.failure?.kind == .distrusted)
        #expect(result.failure?.depth == 2)
    }

    /// X509_V_ERR_CERT_REVOKED is 23 and X509_V_ERR_UNSPECIFIED 1 (openssl/x509_vfy.h). This code reads no revocation lists.
    @Test func classifiesOtherFailures() {
        #expect(VerifyFailure(code: 23, depth: 1).kind == .revoked)
        #expect(VerifyFailure(code: 23, depth: 1).text == "certificate revoked")
        #expect(VerifyFailure(code: 1, depth: 0).kind == .unspecified)
        #expect(!VerifyFailure(code: 99_999, depth: 0).text.isEmpty)
    }

    @Test func findsIssuersInAFolder() throws {
        let store = try TrustStore()
        try store.addHashedDirectory(try TestPKI.path("hashed"))
        let result = try TestPKI.chain("leaf", "intermediate").verify(against: store, parameters: VerifyParameters())
        #expect(result.failure == nil)
        #expect(result.path.last == (try TestPKI.der("root")))
        // A missing folder contains no certificates and is not an error.
        let empty = try TrustStore()
        try empty.addHashedDirectory("/nonexistent")
        #expect(
            try TestPKI.chain("leaf", "intermediate").verify(against: empty, parameters: VerifyParameters()).failure?
                .kind
                == .missingIssuer)
    }

    @Test func trustsAnIntermediateOnlyIfAllowed() throws {
        let store = try store("intermediate")
        var parameters = VerifyParameters()
        let chain = try TestPKI.chain("leaf")
        #expect(chain.verify(against: store, parameters: parameters).failure?.kind == .missingIssuer)
        parameters.acceptsAnyAnchor = true
        let result = chain.verify(against: store, parameters: parameters)
        #expect(result.failure == nil)
        #expect(result.path == [try TestPKI.der("leaf"), try TestPKI.der("intermediate")])
    }

    @Test func validatesAtAnotherTime() throws {
        let store = try store("root")
        var parameters = VerifyParameters()
        parameters.secondsSince1970 = 4_102_444_800  // 2100
        let chain = try TestPKI.chain("leaf", "intermediate")
        #expect(chain.verify(against: store, parameters: parameters).failure?.kind == .expired)
        parameters.secondsSince1970 = 0
        #expect(chain.verify(against: store, parameters: parameters).failure?.kind == .notYetValid)
    }

    @Test func rejectsWeakKeysByTheSecurityLevel() throws {
        let store = try store("root")
        var parameters = VerifyParameters()
        parameters.securityLevel = 0
        #expect(
            try TestPKI.chain("leaf-rsa1024", "intermediate").verify(against: store, parameters: parameters).failure
                == nil)
        #expect(
            try TestPKI.chain("leaf-sha1", "intermediate").verify(against: store, parameters: parameters).failure == nil
        )
    }

    @Test func acceptsARepeatedCertificate() throws {
        let store = try store("root", "root")
        #expect(
            try TestPKI.chain("leaf", "intermediate").verify(against: store, parameters: VerifyParameters()).failure
                == nil)
        #expect(throws: OpenSSLError.self) { try store.add([0x30, 0x00]) }
        #expect(throws: OpenSSLError.self) { try store.add([]) }
    }
}
