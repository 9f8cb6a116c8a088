internal import Encodings

/// Standard input. The command line refers to it as `-`.
package enum StandardInput {
    /// Fails if a command line names standard input twice, because it can be read only once.
    ///
    /// - Parameter files: the files to read, with the option that names them, such as `--pins`; nil for operands.
    package static func checkReadOnce(_ files: [(option: String?, paths: [String?])]) throws(CommandError) {
        var readers: [String] = []
        for (option, paths) in files {
            readers += paths.filter { $0 == "-" }.map { _ in option.map { "\($0) -" } ?? "-" }
        }
        guard let first = readers.first, let second = readers.dropFirst().first else { return }
        throw CommandError(
            first == second
                ? "\(first.quoted) is given twice, and standard input can be read only once"
                : "\(first.quoted) and \(second.quoted) cannot both read standard input"
        )
    }
}
