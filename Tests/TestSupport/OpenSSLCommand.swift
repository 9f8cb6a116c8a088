internal import Foundation

/// The output of `openssl x509` for a certificate, as expected values.
package struct OpenSSLCommand {
    package let lines: [String]

    package static let exists = FileManager.default.isExecutableFile(atPath: path)
    private static let path = "/usr/bin/openssl"

    package init(describing der: [UInt8]) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).der")
        try Data(der).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        let process = Process()
        process.executableURL = URL(filePath: Self.path)
        process.arguments = [
            "x509", "-in", file.path(), "-inform", "DER", "-noout", "-text", "-subject", "-issuer", "-serial", "-dates",
            "-dateopt", "iso_8601", "-nameopt", "sep_comma_plus_space,dn_rev,esc_2253,utf8,sname,dump_der",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        lines = String(decoding: data, as: UTF8.self).components(separatedBy: "\n")
    }

    /// The text after `prefix` in the last line that begins with it, without blanks.
    package func value(_ prefix: String) -> String? {
        lines.map { $0.trimmingCharacters(in: .whitespaces) }.last { $0.hasPrefix(prefix) }
            .map { String($0.dropFirst(prefix.count)) }
    }
}
