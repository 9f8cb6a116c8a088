internal import CSystem
internal import Encodings

/// The arguments of this process, as other users of the machine see them (`ps`, `/proc/PID/cmdline`).
package enum ProcessArguments {
    /// The environment variables that name files or servers.
    private static let variables =
        [
            "SSL_CERT_FILE", "SSL_CERT_DIR", "https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY",
            "no_proxy", "NO_PROXY",
        ] + EnvironmentFiles.files + EnvironmentFiles.folders

    /// The words after the program's name.
    ///
    /// - Throws: ``CommandError`` if a word, or an environment variable that names files or servers, is not UTF-8. A string would
    ///   replace the bytes, and name another file.
    package static func checked() throws(CommandError) -> [String] {
        var words: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = unsafe CommandLine.unsafeArgv[index] else { break }
            let bytes = unsafe Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
            guard let word = String(validating: bytes, as: UTF8.self) else {
                // A password in the place of its file is a mistake that no error should show.
                let isOfPassword = words.last.map { $0.begins(with: "--") && $0.ends(with: "password-file") } ?? false
                throw CommandError(
                    "the argument \(isOfPassword ? "after \(words.last ?? "")" : shown(bytes)) is not UTF-8",
                    hint: "use a name in UTF-8: rename the file, or make a symbolic link to it")
            }
            words.append(word)
        }
        for name in variables {
            guard let value = unsafe getenv(name), unsafe String(validatingCString: value) == nil else { continue }
            throw CommandError(
                "the environment variable \(name) is not UTF-8", hint: "correct \(name), or unset it")
        }
        return words
    }

    /// The argument, without a part that may be a user or a password: the value of an option, the text after a colon, and the whole
    /// argument if it has an `@`. Of an argument with control characters, which can be a key in DER, only the start is shown.
    private static func shown(_ bytes: [UInt8]) -> String {
        let isLong = bytes.starts(with: "--".utf8)
        let isShort = !isLong && bytes.first == UInt8(ascii: "-")
        let hasUser = !isLong && bytes.contains(UInt8(ascii: "@"))
        let end = hasUser ? 0 : bytes.firstIndex { $0 == UInt8(ascii: isLong ? "=" : ":") } ?? bytes.count
        let isBinary = bytes.contains { $0 < 0x20 }
        let kept = min(isShort ? min(2, bytes.count) : end, isBinary ? 4 : bytes.count)
        return String.quoted(invalidUTF8: bytes.prefix(kept) + (kept < bytes.count ? Array("…".utf8) : []))
    }

    /// Overwrites the user and the password in each argument that contains this URL. Before this call, they were visible.
    static func eraseUserInfo(of url: String) {
        guard url.utf8.hasAtSign else { return }
        let bytes = Array(url.utf8)
        let at = bytes.lastIndex(of: UInt8(ascii: "@"))
        // An @ that is encoded does not end the user, so the URL is an error, and what follows can be a part of the password.
        let hasOther = at.map { String(decoding: bytes[($0 + 1)...], as: UTF8.self).utf8.hasAtSign } ?? true
        let end = hasOther ? bytes.count : at ?? bytes.count
        let scheme = bytes.indices.first { bytes[$0...].starts(with: "://".utf8) }
        let start = scheme.map { $0 + 3 } ?? 0
        guard start < end else { return }
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = unsafe CommandLine.unsafeArgv[index] else { return }
            let length = unsafe strlen(argument)
            guard length >= bytes.count else { continue }
            // The URL is the whole argument, or follows the name of the option and an equals sign.
            let offset = length - bytes.count
            let isSame = bytes.indices.allSatisfy {
                unsafe UInt8(bitPattern: argument[offset + $0]) == bytes[$0]
            }
            guard isSame else { continue }
            for position in start..<end { unsafe argument[offset + position] = CChar(bitPattern: UInt8(ascii: "x")) }
        }
    }
}
