internal import Encodings
package import FileConflicts
internal import PlaintextProtocols

extension FileUse {
    /// The warnings at the end of a command, as sentences.
    package var warnings: [String] {
        leftovers.map {
            "cannot remove the temporary file \($0.path.quoted): \(SystemError(code: $0.error).text)"
        }
            + lostAttributes.map {
                let attribute = $0.name.map { "the extended attribute \($0.quoted)" } ?? "a change of its permissions"
                return "\($0.path.quoted) lost \(attribute): \(SystemError(code: $0.error).text)"
            }
    }
}
