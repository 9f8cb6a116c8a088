internal import Encodings

extension LiteralReader {
    /// Finds `NAME = "…"`, `NAME: Type = […]` and `#define NAME @"…"`.
    mutating func findConstants() {
        var name: String?
        var isType = false
        var isDefinition = false
        while offset < bytes.count {
            guard let token = try? token() else { continue }
            switch token {
            case .name("define"): isDefinition = true
            case .name(let word) where isDefinition:
                addConstant(word)
                isDefinition = false
            case .name(let word):
                if !isType { name = word }
            case .mark(UInt8(ascii: "=")):
                if byte != UInt8(ascii: "="), let name { addConstant(name) }
                name = nil
                isType = false
            case .mark(UInt8(ascii: ":")): isType = name != nil
            case .mark(UInt8(ascii: ";")), .mark(UInt8(ascii: "{")), .mark(UInt8(ascii: "}")), .mark(UInt8(ascii: ",")),
                .mark(UInt8(ascii: "(")), .mark(UInt8(ascii: ")")), .string:
                (name, isType) = (nil, false)
            case .mark: break
            }
        }
    }

    mutating func addConstant(_ name: String) {
        let next = offset
        _ = try? skipTrivia()
        var start = offset
        while start < bytes.count, bytes[start] == UInt8(ascii: "@") { start += 1 }
        if start < bytes.count, "\"'[{".utf8.contains(bytes[start]) || bytes[start].isDigit {
            constants[name] = constants[name] == nil ? .some(start) : .some(nil)
        }
        offset = next
    }
}
