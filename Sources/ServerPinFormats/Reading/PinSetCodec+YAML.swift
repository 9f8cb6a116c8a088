internal import Encodings
internal import PinSetCodec
internal import Pinning

extension PinSetCodec {
    /// The documents of a YAML or JSON text.
    static func documents(_ bytes: [UInt8]) throws(PinSetFormatError) -> [YAMLValue] {
        do throws(YAMLError) {
            return try YAMLReader.documents(bytes)
        } catch {
            throw Self.error(.file(.yaml(error)), at: error.position)
        }
    }

    /// The texts of a sequence or of one scalar. Other values cause a warning.
    static func texts(
        of value: YAMLValue, _ warnings: inout ConversionWarnings
    ) -> [(text: String, position: SourcePosition)] {
        switch value.content {
        case .scalar(let text, _): return text.isEmpty ? [] : [(text, value.position)]
        case .sequence(let values): return values.flatMap { texts(of: $0, &warnings) }
        case .mapping, .unsupported:
            warnings.add(.notRead("expected a text, found \(value.kind)", line: value.position.line))
            return []
        }
    }

    /// The texts of a value that may be absent.
    static func texts(
        ofOptional value: YAMLValue?, _ warnings: inout ConversionWarnings
    ) -> [(text: String, position: SourcePosition)] {
        guard let value else { return [] }
        return texts(of: value, &warnings)
    }

    /// Returns a quoted YAML scalar. The text must contain no quotes and backslashes.
    static func quoted(_ text: String) -> String { "\"\(text)\"" }
}

extension YAMLValue {
    /// Calls a function with each mapping inside the value, outer ones first, and with the mappings that surround it.
    func visitMappings(
        inside outer: [YAMLValue] = [],
        _ body: (_ mapping: YAMLValue, _ outer: [YAMLValue]) throws(PinSetFormatError) -> Void
    ) throws(PinSetFormatError) {
        switch content {
        case .mapping(let members):
            try body(self, outer)
            for member in members { try member.value.visitMappings(inside: outer + [self], body) }
        case .sequence(let values):
            for value in values { try value.visitMappings(inside: outer, body) }
        case .scalar, .unsupported: break
        }
    }
}
