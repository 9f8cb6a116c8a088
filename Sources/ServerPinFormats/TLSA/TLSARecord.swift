internal import Encodings
internal import PinSetCodec

/// One TLSA record (RFC 6698, section 2).
struct TLSARecord {
    /// The complete name of the owner without the final dot; nil for data without a name.
    let owner: String?
    let line: Int
    let usage: UInt8
    let selector: UInt8
    let matching: UInt8
    let data: [UInt8]
    let comment: String?

    /// Returns the TLSA records of a zone. `$ORIGIN` completes relative names. Data without a name is supported too (`3 1 1 …`, as
    /// `dig +short` prints it).
    ///
    /// `$INCLUDE` (RFC 1035, section 5.1) names a file that is not read. `$GENERATE`, of BIND 9, produces records that are not read.
    static func all(
        in zone: ZoneFile, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [TLSARecord] {
        var records: [TLSARecord] = []
        var origin: String?
        var owner: String?
        for entry in zone.entries {
            var words = entry.words[...]
            guard let first = words.first else { continue }
            if first.first == UInt8(ascii: "$") {
                // The name can be relative to the origin before it (RFC 1035, section 5.1).
                let isOrigin = first.count == 7 && first.starts(withIgnoringCase: "$origin")
                if isOrigin, let name = words.dropFirst().first {
                    origin = try completed(try zone.name(name, of: entry), origin, entry)
                }
                if ["$INCLUDE", "$GENERATE"].contains(text(first).uppercased()) {
                    warnings.add(.recordsNotRead(directive: text(first), line: entry.line))
                }
                continue
            }
            let isData = words.count >= 4 && words.prefix(3).allSatisfy { UInt8(text($0)) != nil }
            if isData {
                records.append(try record(words, owner: nil, entry))
                continue
            }
            let isTyped = first.starts(withIgnoringCase: "tlsa") && first.count == 4
            if !entry.hasNoOwner, !isTyped {
                words.removeFirst()
                owner = try completed(try zone.name(first, of: entry), origin, entry)
            }
            guard let type = typeIndex(in: words) else { continue }
            let isGeneric = words[type].count > 4
            words = words[(type + 1)...]
            records.append(
                isGeneric
                    ? try generic(words, owner: owner, entry) : try record(words, owner: isTyped ? nil : owner, entry))
        }
        return records
    }

    /// The index of the type TLSA, which follows a time to live and a class in either order; nil for another type.
    private static func typeIndex(in words: ArraySlice<ArraySlice<UInt8>>) -> Int? {
        for (index, word) in zip(words.indices, words).prefix(3) {
            let name = text(word).uppercased()
            if name == "TLSA" || name == "TYPE52" { return index }
            guard name == "IN" || name == "CH" || name == "HS" || word.first?.isDigit == true else { return nil }
        }
        return nil
    }

    private static func record(
        _ words: ArraySlice<ArraySlice<UInt8>>, owner: String?, _ entry: ZoneFile.Entry
    ) throws(PinSetFormatError) -> TLSARecord {
        let numbers = words.prefix(3).compactMap { UInt8(text($0)) }
        guard numbers.count == 3, words.count > 3 else {
            throw error(entry, .malformed)
        }
        return try record(numbers, try hex(words.dropFirst(3), entry), owner, entry)
    }

    /// The data of a type that is written as a number: `\# LENGTH HEX` (RFC 3597, section 5).
    private static func generic(
        _ words: ArraySlice<ArraySlice<UInt8>>, owner: String?, _ entry: ZoneFile.Entry
    ) throws(PinSetFormatError) -> TLSARecord {
        guard let first = words.first, first.elementsEqual("\\#".utf8),
            let length = words.dropFirst().first.flatMap({ Int(text($0)) })
        else {
            return try record(words, owner: owner, entry)
        }
        let bytes = try hex(words.dropFirst(2), entry)
        guard bytes.count == length, length > 3 else {
            throw error(entry, .length(declared: length, found: bytes.count))
        }
        return try record(Array(bytes.prefix(3)), Array(bytes.dropFirst(3)), owner, entry)
    }

    private static func record(
        _ numbers: [UInt8], _ data: [UInt8], _ owner: String?, _ entry: ZoneFile.Entry
    ) throws(PinSetFormatError) -> TLSARecord {
        guard numbers.count == 3 else { throw error(entry, .tooShort) }
        return TLSARecord(
            owner: owner, line: entry.line, usage: numbers[0], selector: numbers[1], matching: numbers[2], data: data,
            comment: entry.comment.map { text($0) })
    }

    private static func hex(
        _ words: ArraySlice<ArraySlice<UInt8>>, _ entry: ZoneFile.Entry
    ) throws(PinSetFormatError) -> [UInt8] {
        do throws(HexError) {
            return try Hex.decode(Array(words.joined()))
        } catch {
            throw Self.error(entry, .notHex)
        }
    }

    /// Maximum length of a name in text: 255 bytes (RFC 1035, section 2.3.4), each of which can be written as `\DDD`.
    private static let maximumLength = 4 * 255

    /// The name, completed with the origin if it has no final dot.
    ///
    /// - Throws: for a name that is too long. Otherwise each relative `$ORIGIN` would make the next one longer.
    private static func completed(
        _ name: String, _ origin: String?, _ entry: ZoneFile.Entry
    ) throws(PinSetFormatError) -> String {
        let origin = origin.map { String($0.without(suffix: ".") ?? $0[...]) } ?? ""
        if name == "@" { return origin }
        if let whole = name.without(suffix: ".") { return try bounded(String(whole), entry) }
        return try bounded(origin.isEmpty ? name : "\(name).\(origin)", entry)
    }

    private static func bounded(_ name: String, _ entry: ZoneFile.Entry) throws(PinSetFormatError) -> String {
        guard name.utf8.count <= maximumLength else { throw error(entry, .longName(maximum: maximumLength)) }
        return name
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func error(_ entry: ZoneFile.Entry, _ problem: PinSetFormatError.TLSA) -> PinSetFormatError {
        TLSAFormat.error(.tlsa(problem), line: entry.line)
    }
}
