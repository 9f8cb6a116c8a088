internal import Encodings
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning

/// Converts new entries to a text edit.
struct NewEntryText {
    let bytes: [UInt8]
    /// The object of all hosts.
    let hosts: JSONSourceMap
    /// The last entry of the file, whose layout is used; nil if there is no entry.
    let template: EntryOutline?

    func edit(inserting entries: [PinSet.Entry]) -> TextEdit {
        guard let template, let end = hosts.members.last?.end else {
            return TextEdit(range: hosts.range, text: object(of: entries))
        }
        let style = JSONStyle(of: hosts, in: bytes) ?? JSONStyle()
        let editor = EntryEditor(bytes: bytes, entry: template, others: [])
        let text = entries.map { entry in
            style.comma + JSONText.quoted(entry.host) + style.colon + editor.text(of: entry)
        }
        return TextEdit(range: end..<end, text: text.joined())
    }

    /// The object of all hosts in the layout of a new file, with the line ends of this file.
    private func object(of entries: [PinSet.Entry]) -> String {
        guard let file = try? PinSet(entries: entries).written(as: .pins).files.first?.bytes,
            let root = try? JSONDocument(file).root,
            let hosts = EntryOutline.hosts(of: root, JSONSourceMap(of: root))
        else { return "{}" }
        let text = file[hosts.range]
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end > 0, bytes[end - 1] == UInt8(ascii: "\r") else {
            return String(decoding: text, as: UTF8.self)
        }
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return String(decoding: Array(lines.joined(separator: Array("\r\n".utf8))), as: UTF8.self)
    }
}
