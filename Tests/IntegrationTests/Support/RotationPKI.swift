import Foundation
import Synchronization
import TestSupport

/// CAs and servers whose keys change, created with openssl. Each name is a key, and a test can issue several certificates
/// for it. The tests of a process share the first CAs and most keys, because hundreds of tests would create them again.
struct RotationPKI {
    let folder: TemporaryFolder

    /// The host of every leaf.
    static let host = "api.example.test"

    private static let keys = Mutex<[[String]: [UInt8]]>([:])
    private static let pins = Mutex<[[UInt8]: String]>([:])
    private static let firstAuthorities = Result {
        let pki = RotationPKI(folder: try TemporaryFolder("rotation"))
        defer { pki.folder.remove() }
        try pki.root("root")
        try pki.authority("intermediate", by: "root")
        return try ["root.key", "root.pem", "intermediate.key", "intermediate.pem"].map {
            ($0, try pki.folder.bytes($0))
        }
    }

    private init(folder: TemporaryFolder) { self.folder = folder }

    /// With the CAs `root` and `intermediate`.
    init() throws {
        self.init(folder: try TemporaryFolder("rotation"))
        for (name, bytes) in try Self.firstAuthorities.get() { try folder.write(bytes, to: name) }
    }

    func path(_ name: String) -> String { folder.path(name) }

    /// Creates a key unless it exists: an ECDSA key on a curve, or a key of another type of openssl-genpkey(1).
    func key(_ name: String, curve: String = "prime256v1", type: String? = nil) throws {
        guard !FileManager.default.fileExists(atPath: path("\(name).key")) else { return }
        let known = [name, type ?? curve]
        if let bytes = Self.keys.withLock({ $0[known] }) {
            try folder.write(bytes, to: "\(name).key")
            return
        }
        if let type {
            try openssl("genpkey", "-algorithm", type, "-out", "\(name).key")
        } else {
            try openssl("ecparam", "-name", curve, "-genkey", "-noout", "-out", "\(name).key")
        }
        let bytes = try folder.bytes("\(name).key")
        Self.keys.withLock { $0[known] = bytes }
    }

    /// Creates a certificate request for a key.
    func request(_ key: String) throws {
        try self.key(key)
        try openssl("req", "-new", "-key", "\(key).key", "-subj", "/CN=\(Self.host)", "-out", "\(key).csr")
    }

    func root(_ name: String) throws {
        try key(name)
        try openssl(
            "req", "-x509", "-new", "-key", "\(name).key", "-subj", "/CN=Test \(name)", "-days", "3000",
            "-addext", "keyUsage=critical,keyCertSign,cRLSign", "-out", "\(name).pem")
    }

    /// Creates an intermediate, or a cross-signed root: `file` is then the name of the certificate.
    func authority(_ name: String, by issuer: String, as file: String? = nil) throws {
        try key(name)
        try sign(
            name, by: issuer, days: 2000, as: file ?? name,
            "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n")
    }

    /// Writes the chain of a server into a separate file: the leaf, then the named CAs.
    ///
    /// - Parameters:
    ///   - key: the name of the leaf's key. Two chains with one key are a renewal with the same key.
    ///   - names: the subject alternative names in the notation of openssl.
    func chain(
        _ name: String, key: String, by authorities: String..., days: Int = 90,
        names: String = "DNS:\(host),DNS:localhost", type: String? = nil
    ) throws {
        try self.key(key, type: type)
        try sign(
            key, by: authorities[0], days: days, as: "\(name).leaf", "subjectAltName=\(names)\n")
        let parts = ["\(name).leaf"] + authorities
        try folder.write(parts.map { try folder.text("\($0).pem") }.joined(), to: "\(name).chain.pem")
        try folder.write(try folder.bytes("\(key).key"), to: "\(name).chain.key")
    }

    /// The pin, computed by openssl.
    func pin(_ key: String) throws -> String {
        let bytes = try folder.bytes("\(key).key")
        if let pin = Self.pins.withLock({ $0[bytes] }) { return pin }
        try openssl("pkey", "-in", "\(key).key", "-pubout", "-outform", "DER", "-out", "\(key).spki")
        try openssl("dgst", "-sha256", "-binary", "-out", "\(key).digest", "\(key).spki")
        let pin = Data(try folder.bytes("\(key).digest")).base64EncodedString()
        Self.pins.withLock { $0[bytes] = pin }
        return pin
    }

    /// A `server` block of nginx with one of the chains and additional directives.
    func server(_ endpoint: String, _ chain: String, _ more: String = "") -> String {
        "server { listen \(endpoint) ssl; ssl_certificate \(path("\(chain).chain.pem"));"
            + " ssl_certificate_key \(path("\(chain).chain.key")); \(more) }\n"
    }

    private func sign(_ name: String, by issuer: String, days: Int, as file: String, _ extensions: String) throws {
        try folder.write(extensions, to: "extensions")
        let isLeaf = extensions.hasPrefix("subject")
        try openssl(
            "req", "-new", "-key", "\(name).key", "-subj", isLeaf ? "/CN=\(Self.host)" : "/CN=Test \(name)", "-out",
            "csr")
        try openssl(
            "x509", "-req", "-in", "csr", "-CA", "\(issuer).pem", "-CAkey", "\(issuer).key", "-days", String(days),
            "-set_serial", String(Int.random(in: 1...(1 << 60))), "-extfile", "extensions", "-out", "\(file).pem")
    }

    @discardableResult
    private func openssl(_ arguments: String...) throws -> [UInt8] {
        let outcome = try ChildProcess.run(
            ["openssl"] + arguments, environment: TestEnvironment.base, folder: folder.url, atMost: .seconds(30))
        guard case .exit(0) = outcome.end else { throw Failed(description: "\(arguments): \(outcome.errors)") }
        return outcome.output
    }

    struct Failed: Error, CustomStringConvertible {
        let description: String
    }
}
