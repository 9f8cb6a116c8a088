internal import Arguments
internal import Pinning

/// A pin set, and the file that it was read from.
struct PinSetFile {
    let set: PinSet
    /// What the file says that a pin set cannot: whole sentences.
    let losses: [String]
    /// As it was given.
    let path: String
    /// Whether it can name trust anchors.
    let namesAnchors: Bool

    /// - Parameter path: `-` is standard input.
    /// - Throws: ``CommandError`` that begins with `FILE:LINE:COLUMN:` where there is a place.
    static func read(_ path: String, _ console: Console) throws(CommandError) -> PinSetFile {
        try PinSetFile(try InputFile.bytes(at: path, console), path: path)
    }

    init(_ bytes: [UInt8], path: String) throws(CommandError) {
        self.path = path
        if let format = try? PinSetFormat.recognized(in: bytes), format != .pins {
            let reading = try PinSetSource.read(bytes, from: path, as: format)
            set = reading.set
            namesAnchors = false
            losses = reading.losses.map { "\(InputFile.place(of: path)): \($0.sentence)" }
            return
        }
        losses = []
        namesAnchors = true
        do throws(PinSetError) {
            set = try PinSet(json: bytes)
        } catch {
            let place = error.line == nil ? "\(InputFile.place(of: path)): " : "\(InputFile.place(of: path)):"
            throw CommandError(place + error.description, hint: error.hint ?? Self.hint(on: bytes))
        }
    }

    /// For a file that was never meant as one.
    private static func hint(on bytes: [UInt8]) -> String? {
        let first = bytes.first { !" \t\r\n".utf8.contains($0) }
        guard first != UInt8(ascii: "{") else { return nil }
        return #"a pin set is JSON like { "version": 1, "hosts": { "api.example.com": ["sha256/…"] } },"#
            + " or whatever else pinctl convert reads"
    }

    /// The file, as a sentence calls it.
    var name: String { path == "-" ? "the pin set" : path.quoted }

    /// `pins.json:4:5`, as compilers name a place, so that editors find it.
    func place(of entry: PinSet.Entry) -> String {
        guard let position = entry.position else { return InputFile.place(of: path) }
        return "\(InputFile.place(of: path)):\(position.line):\(position.column)"
    }

    /// Where a path of the set leads: it is relative to the set's own folder.
    func resolved(_ other: String) -> String { Self.resolved(other, beside: path) }

    static func resolved(_ other: String, beside path: String) -> String {
        if other.hasPrefix("/") { return other }
        guard let slash = path.lastIndex(of: "/") else { return other == "-" ? "./-" : other }
        return path[...slash] + other
    }
}
