internal import Encodings
internal import StagedFiles

/// A password in the first line of a file.
package enum PasswordFile {
    /// Reads a password. It does not include a carriage return at the end of the line.
    package static func read(_ path: String, _ console: Console) throws(CommandError) -> Password {
        try read(path, console, check: { _ in nil })
    }

    /// Reads the password of a new key.
    ///
    /// - Throws: also for a line with which `openssl pkey -passin file:` cannot open the key. It reads at most 1023 bytes, up to a
    ///   line feed or a NUL (`app_get_pass` in apps/lib/apps.c of OpenSSL 3.0).
    package static func readForNewKey(_ path: String, _ console: Console) throws(CommandError) -> Password {
        try read(path, console) { line in
            if line.last == UInt8(ascii: "\r") {
                return
                    "ends with a carriage return, which openssl reads as a part of the password: use only a line feed"
            }
            if line.contains(0) { return "contains a NUL byte, at which openssl ends the password" }
            return line.count > maximumLengthForNewKey
                ? "has \(line.count) bytes: openssl reads at most \(maximumLengthForNewKey)" : nil
        }
    }

    /// In bytes.
    private static let maximumLengthForNewKey = 1023

    /// - Parameter check: returns what is wrong with the line, without its line feed.
    private static func read(
        _ path: String, _ console: Console, check: (ArraySlice<UInt8>) -> String?
    ) throws(CommandError) -> Password {
        console.protectSecrets()
        // A person or a script can give the password in place of a path.
        guard path == "-" || (try? FileState(at: path)) != nil else {
            throw CommandError(
                "cannot find the file of the password",
                hint:
                    "name a file whose first line is the password; its path is not shown, because it may be the password"
            )
        }
        var bytes = try InputFile.bytes(at: path, for: .certificatesOrSecrets, console)
        defer { Password.wipe(&bytes) }
        var length = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        if let problem = check(bytes[..<length]) { throw CommandError("the first line of \(path.quoted) \(problem)") }
        if length > 0, bytes[length - 1] == UInt8(ascii: "\r") { length -= 1 }
        guard length > 0 else {
            throw CommandError("the first line of \(path.quoted) is empty: expected a password")
        }
        guard let password = Password(), password.append(bytes[..<length]) else {
            throw CommandError(
                "the first line of \(path.quoted) is longer than \(Password.maximumLength) bytes, the limit for a password"
            )
        }
        return password
    }
}
