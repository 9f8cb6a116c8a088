internal import Encodings
internal import PinSetCodec

/// A mapping with an index of its keys, so that the time of a search does not depend on the number of members.
struct YAMLMapping {
    let members: [YAMLMember]
    /// The keys around the mapping, each with a dot after it; nil if they are too long for any setting.
    let path: String?
    private let indices: [ExactText: Int]

    private static let maximumPath = 512

    init(_ members: [YAMLMember], path: String?) {
        (self.members, self.path) = (members, path)
        var indices: [ExactText: Int] = [:]
        for (index, member) in members.enumerated() { indices[ExactText(member.key)] = index }
        self.indices = indices
    }

    subscript(key: String) -> YAMLValue? { indices[ExactText(key)].map { members[$0].value } }

    /// The path of a mapping that is the value of a key.
    func path(under key: String) -> String? {
        guard let path, path.utf8.count + key.utf8.count < Self.maximumPath else { return nil }
        return path + key + "."
    }
}

extension YAMLValue {
    /// Calls a function with each mapping inside the value, outer ones first, and with the mappings that surround it.
    func visitMappings(
        inside outer: [YAMLMapping] = [], path: String? = "",
        _ body: (_ mapping: YAMLMapping, _ outer: [YAMLMapping]) throws(PinSetFormatError) -> Void
    ) throws(PinSetFormatError) {
        switch content {
        case .mapping(let members):
            let mapping = YAMLMapping(members, path: path)
            try body(mapping, outer)
            for member in members {
                try member.value.visitMappings(inside: outer + [mapping], path: mapping.path(under: member.key), body)
            }
        case .sequence(let values):
            for (index, value) in values.enumerated() {
                try value.visitMappings(inside: outer, path: path.map { "\($0)\(index)." }, body)
            }
        case .scalar, .unsupported: break
        }
    }
}
