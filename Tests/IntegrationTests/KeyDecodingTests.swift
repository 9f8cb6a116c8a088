import Foundation
import TestSupport
import Testing

/// Direct decoding of public keys changes no result, and a configuration with other providers or engines disables it.
@Suite(.blocking) struct KeyDecodingTests {
    private struct Version: Decodable {
        struct Library: Decodable {
            let built: String
            let running: String
            let keyDecoding: String
        }
        let openssl: Library
    }

    private static let disabled = ["PINCTL_NO_ENGINE": "1"]

    private func library(_ environment: [String: String] = [:]) throws -> Version.Library {
        let run = try PinctlRun.spawn(["--version", "--json"], environment: environment)
        #expect(run.status == 0, "\(run)")
        return try JSONDecoder().decode(Version.self, from: Data(run.output)).openssl
    }

    @Test(arguments: FetchKeyTests.kinds.map(\.leaf) + ["leaf-expired", "leaf-wrong-name"])
    func resultIsTheSameWithoutIt(leaf: String) throws {
        let pki = try TestPKI.shared()
        try Nginx.run {
            Nginx.host($0, leaf)
        } _: { server in
            for version in ["1.2", "1.3"] {
                for anchors in ["root.pem", "root-rsa.pem"].map(pki.path) {
                    let arguments = [
                        "fetch", server.localhost, "--anchors", anchors, "--tls-max", version, "--format", "ndjson",
                    ]
                    let direct = try PinctlRun.spawn(arguments)
                    let searched = try PinctlRun.spawn(arguments, environment: Self.disabled)
                    #expect(!direct.output.isEmpty)
                    #expect(direct.output == searched.output)
                    #expect(direct.status == searched.status)
                }
            }
        }
    }

    /// Leaves on each curve, and one with explicit parameters, from authorities on P-256, P-521 and SM2. pinctl stores the curves of
    /// NIST, and OpenSSL gives keys on SM2 another type than other EC keys.
    @Test(arguments: ["P-256", "P-521", "SM2"])
    func resultIsTheSameForAllCurves(authority: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try Shell.run(
            """
            ec() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:$1 -pkeyopt ec_param_enc:$2 -out $3.key; }
            ec \(authority) named_curve ca
            openssl req -x509 -new -key ca.key -subj /CN=ca -days 30 -out ca.pem \
                -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
            ec P-256 named_curve P-256; ec P-384 named_curve P-384; ec P-521 named_curve P-521; ec P-256 explicit explicit
            echo subjectAltName=DNS:localhost >names
            for leaf in P-256 P-384 P-521 explicit; do
                openssl req -new -key $leaf.key -subj /CN=$leaf -out $leaf.csr
                openssl x509 -req -in $leaf.csr -CA ca.pem -CAkey ca.key -days 30 -extfile names -out $leaf.pem 2>log
            done
            """, in: folder.url)
        for leaf in ["P-256", "P-384", "P-521", "explicit"] {
            try ServerProcess.run(folder: folder) {
                let files = ["-cert", "\(leaf).pem", "-key", "\(leaf).key"]
                return ["openssl", "s_server", "-accept", "127.0.0.1:\($0)", "-www"] + files
            } _: { server in
                let arguments = ["fetch", server.localhost, "--anchors", folder.path("ca.pem"), "--format", "ndjson"]
                let direct = try PinctlRun.spawn(arguments)
                let searched = try PinctlRun.spawn(arguments, environment: Self.disabled)
                // OpenSSL accepts no certificate with explicit parameters in a chain (openssl-verification-options(1)).
                #expect(direct.status == (leaf == "explicit" ? 1 : 0), "\(direct)")
                #expect(!direct.output.isEmpty)
                #expect(direct.output == searched.output)
                #expect(direct.status == searched.status)
            }
        }
    }

    @Test func versionNamesTheLibraryAndTheDecoding() throws {
        let library = try library()
        let version = try ChildProcess.run(["openssl", "version"]).text.split(separator: " ")
        try #require(version.count > 1 && version[0] == "OpenSSL")
        #expect(library.running == version[1])
        // OpenSSL 3.0 and 3.1 search for a decoder for each key; later versions store the result.
        let searches = library.running.hasPrefix("3.0.") || library.running.hasPrefix("3.1.")
        #expect(library.keyDecoding == (searches ? "direct" : "providers"))
        try #expect(self.library(Self.disabled).keyDecoding == "providers")
        try #expect(self.library(["PINCTL_NO_ENGINE": ""]).keyDecoding == library.keyDecoding)
    }

    @Test(arguments: [
        "providers = chosen\n[chosen]\ndefault = on\nlegacy = on\n[on]\nactivate = 1",
        "alg_section = algorithms\n[algorithms]\ndefault_properties = fips=yes",
        "alg_section = algorithms\n[algorithms]\ndefault_properties = provider=other",
        "engines = chosen\n[chosen]\ndynamic = loaded\n[loaded]\ninit = 0",
    ])
    func otherProvidersAndEnginesDisableIt(section: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write("openssl_conf = start\n[start]\n\(section)\n", to: "openssl.cnf")
        try #expect(library(["OPENSSL_CONF": file]).keyDecoding == "providers")
        let plain = try folder.write("openssl_conf = start\n[start]\n", to: "plain.cnf")
        try #expect(library(["OPENSSL_CONF": plain]).keyDecoding == library().keyDecoding)
    }
}
