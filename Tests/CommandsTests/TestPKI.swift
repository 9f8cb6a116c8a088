import Foundation
import Synchronization

/// The certificates that `Scripts/pki` makes, made once for all tests of a run and removed at its end.
struct TestPKI {
    let folder: URL
    /// What openssl says that the pin of each certificate is, by the certificate's name.
    let pins: [String: String]

    static let shared = Result { try TestPKI() }

    private init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "pinctl-pki-\(UUID().uuidString)")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Scripts/pki")
        let process = Process()
        process.executableURL = script.standardizedFileURL
        process.arguments = [folder.path()]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileNoSuchFile) }
        let rows = try String(contentsOf: folder.appending(path: "pins.tsv"), encoding: .utf8).split(separator: "\n")
        var pins: [String: String] = [:]
        for row in rows {
            let columns = row.split(separator: "\t").map(String.init)
            pins[columns[0]] = columns[2]
        }
        self.pins = pins
        Self.removeAtExit(folder)
    }

    private static let leftover = Mutex<URL?>(nil)

    private static func removeAtExit(_ folder: URL) {
        leftover.withLock { $0 = folder }
        atexit {
            guard let folder = TestPKI.leftover.withLock({ $0 }) else { return }
            try? FileManager.default.removeItem(at: folder)
        }
    }

    /// The path of one of its files.
    func path(_ name: String) -> String { folder.appending(path: name).path() }

    func pin(_ name: String) -> String { pins[name] ?? "there is no certificate \(name)" }
}
