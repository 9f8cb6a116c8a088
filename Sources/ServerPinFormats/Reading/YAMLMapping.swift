internal import Encodings
internal import PinSetCodec

/// A mapping with an index of its keys, so that the time of a search does not depend on the number of members.
struct YAMLMapping {
    let members: [YAMLMember]
    private let indices: [ExactText: Int]

    init(_ members: [YAMLMember]) {
        self.members = members
        var indices: [ExactText: Int] = [:]
        for (index, member) in members.enumerated() { indices[ExactText(member.key)] = index }
        self.indices = indices
    }

    subscript(key: String) -> YAMLValue? { indices[ExactText(key)].map { members[$0].value } }
}

extension YAMLValue {
    /// Calls a function with each mapping inside the value, outer ones first, and with the mappings that surround it.
    func visitMappings(
        inside outer: [YAMLMapping] = [],
        _ body: (_ mapping: YAMLMapping, _ outer: [YAMLMapping]) throws(PinSetFormatError) -> Void
    ) throws(PinSetFormatError) {
        switch content {
        case .mapping(let members):
            let mapping = YAMLMapping(members)
            try body(mapping, outer)
            for member in members { try member.value.visitMappings(inside: outer + [mapping], body) }
        case .sequence(let values):
            for value in values { try value.visitMappings(inside: outer, body) }
        case .scalar, .unsupported: break
        }
    }
}
