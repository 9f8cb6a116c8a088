import Foundation
import TestSupport
import Testing

/// `fetch --paths`, with cross-signed authorities. Each certificate has its own file; names and keys are shared.
@Suite(.blocking) struct FetchPathsTests {
    let folder: TemporaryFolder

    /// Makes a PKI: "a" and "b" are roots, "a-by-b" has the name and the key of "a". "i", "i-by-b" and "i-expired" have one name and
    /// one key. The leaf is issued by that key.
    init() throws {
        folder = try TemporaryFolder("paths")
        try Shell.run(
            #"""
            set -e
            exec 2>log
            key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out $1.key; }
            # issue FILE KEY NAME CA-FILE CA-KEY DAYS EXTENSIONS
            issue() {
                openssl req -new -key $2.key -subj "/CN=$3" -out $1.csr
                printf '%s\n' "$7" >$1.ext
                openssl x509 -req -in $1.csr -CA $4.pem -CAkey $5.key -set_serial 0x$(openssl rand -hex 8) -days $6 -extfile $1.ext -out $1.pem
            }
            root() {
                openssl req -x509 -new -key $1.key -subj "/CN=$2" -days 30 -out $1.pem -addext keyUsage=critical,keyCertSign
            }
            ca='basicConstraints=critical,CA:TRUE'
            for name in a b i leaf; do key $name; done
            root a "Root A"; root b "Root B"
            issue a-by-b a "Root A" b b 20 "$ca"
            issue i i "Issuing CA" a a 20 "$ca"
            issue i-by-b i "Issuing CA" b b 20 "$ca"
            issue i-expired i "Issuing CA" b b -1 "$ca"
            issue leaf leaf localhost i i 20 "subjectAltName=DNS:localhost"
            cat leaf.pem i.pem a-by-b.pem i-by-b.pem i-expired.pem >chain.pem
            cat a.pem b.pem >roots.pem
            cat a.pem b.pem i.pem >anchors.pem
            """#, in: folder.url)
    }

    private struct Report: Decodable {
        let chain: [Anchor]
        let paths: [Path]
        let pathsComplete: Bool?
        let pinsInAllPaths: [Key]

        struct Anchor: Decodable { let anchor: Bool }
        struct Path: Decodable { let certificates: [Certificate] }
        struct Certificate: Decodable {
            let role: String
            let anchor: Bool
            let inAllPaths: Bool
            let sha256: String
            let pin: String
        }
        struct Key: Decodable {
            let pin: String
            let roles: [String]
        }
    }

    private func serving<Value>(_ chain: String = "chain", _ body: (ServerProcess) throws -> Value) throws -> Value {
        try Nginx.run {
            "server { listen \($0) ssl; ssl_certificate \(folder.path("\(chain).pem"));"
                + " ssl_certificate_key \(folder.path("leaf.key")); }"
        } _: {
            try body($0)
        }
    }

    private func pathReport(_ anchors: String, at server: ServerProcess) throws -> Report {
        let run = try PinctlRun.spawn([
            "fetch", "--paths", "--format", "ndjson", "--anchors", folder.path("\(anchors).pem"), server.localhost,
        ])
        #expect(run.status == 0, "\(run)")
        return try JSONDecoder().decode(Report.self, from: Data(run.output))
    }

    private func fingerprint(_ name: String) throws -> String {
        try Shell.run("openssl x509 -in \(name).pem -outform DER | sha256sum | cut -d ' ' -f 1", in: folder.url)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func pin(_ name: String) throws -> String {
        try Shell.run(
            "openssl pkey -in \(name).key -pubout -outform DER | openssl dgst -sha256 -binary | openssl base64",
            in: folder.url
        ).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The paths that `openssl verify` accepts with one anchor, and with no certificate that it does not need.
    private func pathsByOpenSSL(_ others: [String], _ anchors: [String]) throws -> Set<Set<String>> {
        var found: Set<Set<String>> = []
        for anchor in anchors {
            var accepted: [Set<String>] = []
            for mask in 0..<(1 << others.count) {
                let subset = others.indices.filter { mask >> $0 & 1 == 1 }.map { others[$0] }
                let files = ([anchor] + subset).map { "\($0).pem" }.joined(separator: " ")
                let command =
                    "cat \(files) >bundle; openssl verify -no-CApath -no-CAstore -purpose sslserver -auth_level 2"
                    + " -CAfile \(anchor).pem -untrusted bundle leaf.pem >/dev/null 2>&1 && echo yes || echo no"
                if try Shell.run(command, in: folder.url).hasPrefix("yes") { accepted.append(Set(subset)) }
            }
            for path in accepted where !accepted.contains(where: { $0.isStrictSubset(of: path) }) {
                found.insert(path.union([anchor, "leaf"]))
            }
        }
        return found
    }

    @Test func everyPathThatOpenSSLAccepts() throws {
        let others = ["i", "a-by-b", "i-by-b", "i-expired"]
        let expected = try pathsByOpenSSL(others, ["a", "b"])
        #expect(expected.count == 3)
        var names: [String: String] = [:]
        for name in others + ["a", "b", "leaf"] { names[try fingerprint(name)] = name }
        try serving { server in
            let report = try pathReport("roots", at: server)
            let found = report.paths.map { $0.certificates.compactMap { names[$0.sha256] } }
            #expect(Set(found.map { Set($0) }) == expected)
            #expect(found.count == expected.count)
            #expect(found.contains(["leaf", "i", "a-by-b", "b"]))
            #expect(report.pathsComplete == true)
            // Only the leaf is in all paths. The issuing CA has one key, but two certificates.
            let common = report.paths.flatMap(\.certificates).filter(\.inAllPaths)
            #expect(Set(common.map(\.sha256)) == [try fingerprint("leaf")])
            #expect(report.pinsInAllPaths.map(\.pin) == (try ["leaf", "i"].map { try pin($0) }))
            #expect(report.pinsInAllPaths.map(\.roles) == [["leaf"], ["intermediate"]])

            let text = try PinctlRun.spawn([
                "fetch", "--paths", "--anchors", folder.path("roots.pem"), server.localhost,
            ])
            #expect(text.lines.contains("  path 3 of 3"), "\(text)")
            #expect(text.text.contains("localhost   in all paths"), "\(text)")
            #expect(text.text.contains("pins that all paths contain"), "\(text)")
            let unproven = try PinctlRun.spawn([
                "fetch", "--paths", "--certificate-only", "--anchors", folder.path("roots.pem"), server.localhost,
            ])
            let pins = unproven.lines.filter { $0.hasPrefix("    pin ") }
            #expect(pins.count == 2 && pins.allSatisfy { $0.hasSuffix(" (not proven)") }, "\(unproven)")
        }
    }

    /// The diagram has every path, and names only the certificates that no path contains as such.
    @Test func theDiagramHasEveryPath() throws {
        try serving { server in
            let tree = try PinctlRun.spawn([
                "fetch", "--tree", "--anchors", folder.path("roots.pem"), server.localhost,
            ])
            #expect(tree.lines.count { $0.contains("Root ") } == 4, "\(tree)")
            #expect(tree.lines.count { $0.contains("Issuing CA  ") } == 2, "\(tree)")
            #expect(tree.lines.filter { $0.hasPrefix("not part") } == ["not part of a path: Issuing CA"], "\(tree)")
        }
    }

    /// A root in one path is an intermediate in another.
    @Test func aCrossSignedRootIsInAllPaths() throws {
        try Shell.run("cat leaf.pem i.pem a-by-b.pem >short.pem", in: folder.url)
        try serving("short") { server in
            let report = try pathReport("roots", at: server)
            #expect(report.paths.count == 2)
            #expect(report.pinsInAllPaths.map(\.pin) == (try ["leaf", "i", "a"].map { try pin($0) }))
            #expect(report.pinsInAllPaths.last?.roles == ["intermediate", "root"])
        }
    }

    /// An anchor that another CA signed ends a path only if no other anchor does.
    @Test func anchorsThatAreNotSelfSigned() throws {
        try serving { server in
            let all = try pathReport("anchors", at: server)
            #expect(all.paths.count == 3)
            #expect(
                all.paths.allSatisfy { $0.certificates.last?.role == "root" && $0.certificates.last?.anchor == true })
            let one = try pathReport("i", at: server)
            #expect(one.paths.map { $0.certificates.map(\.role) } == [["leaf", "intermediate"]])
            #expect(one.chain.map(\.anchor) == [false, true])
            let text = try PinctlRun.spawn(["fetch", "--anchors", folder.path("i.pem"), server.localhost])
            #expect(text.text.contains("  anchor (intermediate)  Issuing CA"), "\(text)")
            #expect(!text.text.contains("root"), "\(text)")
        }
    }

    /// Six CAs that all sign each other have more paths than the search tries.
    @Test func theSearchIsBounded() throws {
        try Shell.run(
            #"""
            set -e
            exec 2>log
            : >mesh.pem; : >mesh-roots.pem
            for n in 1 2 3 4 5 6; do
                openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out m$n.key
                openssl req -x509 -new -key m$n.key -subj "/CN=Mesh $n" -days 30 -out m$n.pem -addext keyUsage=critical,keyCertSign
                cat m$n.pem >>mesh-roots.pem
            done
            printf 'basicConstraints=critical,CA:TRUE\n' >ca.ext
            for n in 1 2 3 4 5 6; do
                openssl req -new -key m$n.key -subj "/CN=Mesh $n" -out m$n.csr
                for k in 1 2 3 4 5 6; do
                    test $n = $k && continue
                    openssl x509 -req -in m$n.csr -CA m$k.pem -CAkey m$k.key -set_serial $n$k -days 30 -extfile ca.ext >>mesh.pem
                done
            done
            openssl req -new -key leaf.key -subj /CN=localhost -out mesh-leaf.csr
            printf 'subjectAltName=DNS:localhost\n' >leaf.ext
            openssl x509 -req -in mesh-leaf.csr -CA m1.pem -CAkey m1.key -set_serial 99 -days 30 -extfile leaf.ext -out mesh-leaf.pem
            cat mesh-leaf.pem mesh.pem >mesh-chain.pem
            """#, in: folder.url)
        try serving("mesh-chain") { server in
            let report = try pathReport("mesh-roots", at: server)
            #expect(report.pathsComplete == false)
            #expect(report.paths.count >= 32)
            #expect(report.paths.count <= 65)
            #expect(Set(report.paths.map { $0.certificates.map(\.sha256) }).count == report.paths.count)
        }
    }

    @Test func onlyInReports() throws {
        let run = try PinctlRun.spawn(["fetch", "--paths", "--format", "pin", "127.0.0.1:1"])
        #expect(run.status == 2)
        #expect(run.errors.contains("\"--paths\" has no effect with \"--format pin\""), "\(run)")
    }
}
