internal import Encodings
internal import PinSetCodec
internal import PinSetFormats
package import PinSetMaintenance
package import Pinning

/// Changes a pins.json for the commands that edit it.
package enum PinSetEditor {
    /// A change, and its description for the report.
    package struct Change {
        package let edit: PinSetEdit
        /// A sentence such as `api.example.com: added the backup "GTS Root R4" (root)`.
        package let message: String

        package init(_ edit: PinSetEdit, _ message: String) { (self.edit, self.message) = (edit, message) }
    }

    /// Changes a file under a lock. The file is replaced as a whole, or not at all.
    ///
    /// - Parameter changes: returns the changes of a set. It is called again if another process changes the file.
    /// - Returns: the changes that were written; empty if the file already has them.
    package static func change(
        _ path: String, _ changes: (PinSet) throws(CommandError) -> [Change]
    ) throws(CommandError) -> [Change] {
        guard path != "-" else { throw CommandError("\"--pins -\" is standard input, which cannot be updated") }
        var written: [Change] = []
        try FileEditor.change(path) { bytes throws(CommandError) in
            if let format = try? PinSetFormat.recognized(in: bytes), format != .pins {
                throw CommandError(
                    "\(path.quoted) has the format \(format.rawValue.quoted): a pins.json is expected",
                    hint:
                        "convert the set with pinctl convert --to pins, edit pins.json, and update this file with pinctl sync"
                )
            }
            if let error = PinSetFile.error(onOther: bytes, at: path) { throw error }
            let document = try naming(path) { () throws(PinSetError) in try PinSetDocument(bytes) }
            written = try changes(document.set)
            return try naming(path) { () throws(PinSetError) in try document.applying(written.map(\.edit)).bytes }
        }
        return written
    }

    /// Writes the changes, or that the file is unchanged, to standard error.
    package static func report(_ changes: [Change], _ path: String, _ console: Console) {
        for change in changes { console.writeError(Message.note(change.message)) }
        let count = changes.count
        console.writeError(
            Message.closing(
                count == 0
                    ? "\(path.quoted) is unchanged: it already has this"
                    : "\(count) \(count == 1 ? "change" : "changes") in \(path.quoted)"))
    }

    /// Adds the path of the file to the errors of `body`.
    private static func naming<Result>(
        _ path: String, _ body: () throws(PinSetError) -> Result
    ) throws(CommandError) -> Result {
        do throws(PinSetError) {
            return try body()
        } catch {
            throw CommandError("\(path):\(error.description)", hint: error.hint)
        }
    }
}

extension PinSet.PinnedKey {
    /// The pin as a part of a sentence: `the pin "GTS Root R4" mEfl…= (root, backup)`.
    package func phrase(as state: PinSet.State) -> String {
        let name = label.map { "\($0.quoted) " } ?? ""
        return "the pin \(name)\(pin.base64) (\(role.rawValue), \(state.rawValue))"
    }
}
