internal import CSystem

/// The arguments of this process, as other users of the machine see them (`ps`, `/proc/PID/cmdline`).
enum ProcessArguments {
    /// Overwrites the user and the password in each argument that contains this URL. Before this call, they were visible.
    static func eraseUserInfo(of url: String) {
        let bytes = Array(url.utf8)
        guard let end = bytes.lastIndex(of: UInt8(ascii: "@")) else { return }
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
