import TestSupport

@testable import OpenSSL

/// The certificates of the test PKI as chains, and the results of the openssl command for them.
extension TestPKI {
    static func path(_ name: String) throws -> String { try shared().path(name) }

    static func der(_ name: String) throws -> [UInt8] { try shared().bytes("\(name).der") }

    static func chain(_ names: String...) throws -> PeerChain { try chain(of: names.map { try der($0) }) }

    static func chain(of certificates: [[UInt8]]) throws -> PeerChain {
        guard let chain = try PeerChain.saved(certificates) else { throw NoCertificates() }
        return chain
    }

    private struct NoCertificates: Error {}

    /// A temporary file of the test next to the certificates.
    static func write(_ bytes: [UInt8], to name: String) throws -> String { try shared().folder.write(bytes, to: name) }

    @discardableResult
    static func openssl(_ arguments: String...) throws -> String { try openssl(arguments) }

    /// Standard output and standard error of the command, for every exit status.
    @discardableResult
    static func openssl(_ arguments: [String]) throws -> String {
        let openssl = try ChildProcess.output(of: [Repository.path("Scripts/find-openssl")])
        let path = String(decoding: openssl, as: UTF8.self).split(separator: "\n").first.map(String.init)
        let outcome = try ChildProcess.run([path ?? "openssl"] + arguments)
        return outcome.text + outcome.errors
    }
}
