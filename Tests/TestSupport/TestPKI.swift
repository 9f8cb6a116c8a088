internal import Foundation

/// The certificates that `Scripts/pki` creates, once for each run of the tests. No test changes them.
package struct TestPKI: Sendable {
    package let folder: TemporaryFolder
    private let pins: [String: String]

    /// - Throws: if the certificates could not be created.
    package static func shared() throws -> TestPKI { try made.get() }

    private static let made = Result<TestPKI, any Error> { try TestPKI() }

    private init() throws {
        folder = try TemporaryFolder("pki")
        _ = try ChildProcess.output(of: [Repository.path("Scripts/pki"), folder.path])
        var pins: [String: String] = [:]
        for line in try folder.text("pins.tsv").split(separator: "\n") {
            let fields = line.split(separator: "\t")
            guard fields.count == 3 else { continue }
            pins[String(fields[0])] = String(fields[2])
        }
        self.pins = pins
    }

    package func path(_ file: String) -> String { folder.path(file) }

    package func bytes(_ file: String) throws -> [UInt8] { try folder.bytes(file) }

    package func text(_ file: String) throws -> String { try folder.text(file) }

    package struct NoSuchCertificate: Error {
        package let name: String
    }

    /// The pin of a certificate, which openssl and certtool computed.
    package func pin(_ name: String) throws -> String {
        guard let pin = pins[name] else { throw NoSuchCertificate(name: name) }
        return pin
    }

    package func pins(_ names: String...) throws -> [String] { try names.map { try pin($0) } }
}
