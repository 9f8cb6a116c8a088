internal import Encodings
public import PinSetCodec
internal import Pinning

/// pins.json: pinctl's own format, which can express every setting of a pin set.
enum PinsFormat: PinSetCodec {
    static let traits = FormatTraits(
        name: "pins", summary: "pins.json, which supports every setting", fileName: "pins.json",
        isNative: true,
        generatedFile: .noUnknownKeys,
        capabilities: FormatCapabilities(
            subdomains: Set(PinSet.Subdomains.allCases), expiry: .instant, supportsReportOnly: true,
            roles: Set(PinSet.AllowedRole.allCases), notes: .elsewhere))

    static func recognizes(_ file: FileContents) -> Bool {
        guard let outline = file.json else { return false }
        return outline.hasOuter("hosts") || outline.hasOuter("version")
    }

    static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        do throws(PinSetError) {
            return PinSetReading(set: try PinSet(json: bytes), warnings: [])
        } catch {
            throw PinSetFormatError(error, format: format)
        }
    }

    /// Writes entries, pins and unknown keys in their order. An entry that was an array of pins stays an array.
    static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        var writer = JSONWriter(.pretty)
        writer.object { document in
            document.field("version", 1)
            // A key that is before the hosts, such as "$schema", stays before them.
            let first = set.entries.first?.position
            let before = set.unknown.prefix { member in
                first.map { (member.position.line, member.position.column) < ($0.line, $0.column) } ?? false
            }
            document.members(Array(before))
            document.object("hosts") { hosts in
                for entry in set.entries {
                    hosts.key(entry.host)
                    hosts.entry(entry)
                }
            }
            document.members(Array(set.unknown.dropFirst(before.count)))
        }
        writer.endLine()
        return PinSetWriting(files: [PinSetWriting.File(name: nil, bytes: writer.output)], warnings: [])
    }
}

extension JSONWriter {
    fileprivate mutating func members(_ members: [JSONMember]) {
        for member in members { field(member.key, member.value) }
    }

    fileprivate mutating func entry(_ entry: PinSet.Entry) {
        let isBare = entry.isShorthand && entry.pins.allSatisfy(\.isBare)
        guard !isBare else { return array { pins in for key in entry.pins { pins.value(key.pin.base64) } } }
        object { fields in
            if entry.subdomains != .none { fields.field("subdomains", entry.subdomains.rawValue) }
            if let expires = entry.expires { fields.field("expires", expires.spelled) }
            if !entry.enforce { fields.field("enforce", false) }
            if !entry.anchors.isEmpty { fields.field("anchors", entry.anchors) }
            if !entry.endpoints.isEmpty { fields.field("endpoints", entry.endpoints.map(\.text)) }
            fields.array("pins") { $0.pins(entry.pins) }
            fields.members(entry.unknown)
        }
    }

    private mutating func pins(_ pins: [PinSet.PinnedKey]) {
        for key in pins {
            object { fields in
                fields.field("sha256", key.pin.base64)
                if key.role != .any { fields.field("role", key.role.rawValue) }
                if key.state != .active { fields.field("state", key.state.rawValue) }
                if let label = key.label { fields.field("label", label) }
                if let notAfter = key.notAfter { fields.field("notAfter", notAfter.spelled) }
                if let added = key.added { fields.field("added", added.spelled) }
                if let goneSince = key.goneSince { fields.field("goneSince", goneSince.spelled) }
                fields.members(key.unknown)
            }
        }
    }
}

extension PinSet.PinnedKey {
    /// Whether the pin has no properties, so that it can be written as a string.
    fileprivate var isBare: Bool {
        role == .any && !hasNotes && state == .active && added == nil && goneSince == nil && unknown.isEmpty
    }
}

extension PinSetFormat {
    public static let pins = PinSetFormat(PinsFormat.self)
}
