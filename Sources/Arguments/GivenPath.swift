/// What a command does with the file of an option or operand.
package enum PathUse: Sendable {
    /// The command reads the file, or changes a part of it on purpose.
    case reads
    /// The command reads passwords from the file.
    case readsPasswords
    /// The command may replace the file or append to it.
    case writes
}

/// A path on a command line.
package struct GivenPath: Sendable {
    /// Location of the option with its value, or of the operand.
    package let location: ArgumentLocation
    package let path: String
    package let use: PathUse
}
