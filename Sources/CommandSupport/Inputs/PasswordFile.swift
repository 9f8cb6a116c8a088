internal import Encodings

/// A password in the first line of a file.
package enum PasswordFile {
    package static func read(_ path: String, _ console: Console) throws(CommandError) -> Password {
        console.protectSecrets()
        var bytes = try InputFile.bytes(at: path, console)
        defer { Password.wipe(&bytes) }
        var length = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
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
