internal import Arguments

/// A password in the first line of a file.
enum PasswordFile {
    static func read(_ path: String, _ console: Console) throws(CommandError) -> [UInt8] {
        let bytes = try InputFile.bytes(at: path, console)
        var line = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard !line.isEmpty else {
            throw CommandError("the first line of \(path.quoted) is empty: expected a password")
        }
        return line
    }
}
