import Encodings
import Foundation
import TestSupport
import Testing

@testable import PropertyLists

@Suite struct PropertyListTests {
    static let folder = Vectors.folder.appending(path: "formats").appending(path: "plist")

    static let names: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []).filter { !$0.hasSuffix(".json") }
        .sorted()

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    /// The description of a file by Tests/Vectors/make-plists.py.
    static func described(_ name: String) throws -> PropertyListValue {
        let base = name.split(separator: ".").first.map(String.init) ?? name
        let json = try JSONDocument(try bytes("\(base).json")).root
        return try value(json)
    }

    static func value(_ json: JSONValue) throws -> PropertyListValue {
        guard case .object(let members) = json.content, let member = members.first else { throw Unexpected() }
        switch (member.key, member.value.content) {
        case ("string", .string(let text)): return .string(text)
        case ("integer", .string(let text)): return PropertyListValue(.integer(try #require(Int128(text))))
        case ("real", .string(let bits)):
            return PropertyListValue(.real(Double(bitPattern: try #require(UInt64(bits, radix: 16)))))
        case ("bool", .bool(let bool)): return .bool(bool)
        case ("date", .number(let text)): return PropertyListValue(.date(try #require(Double(text))))
        case ("data", .string(let hex)): return PropertyListValue(.data(try Hex.decode(Array(hex.utf8))))
        case ("uid", .string(let text)): return PropertyListValue(.uid(try #require(UInt64(text))))
        case ("array", .array(let values)): return .array(try values.map(value))
        case ("dictionary", .array(let pairs)):
            return .dictionary(
                try pairs.map { pair in
                    guard case .array(let pair) = pair.content, pair.count == 2, case .string(let key) = pair[0].content
                    else { throw Unexpected() }
                    return (key, try value(pair[1]))
                })
        default: throw Unexpected()
        }
    }

    struct Unexpected: Error {}

    @Test(arguments: names) func readsFilesOfPlistlib(name: String) throws {
        #expect(try PropertyList(try Self.bytes(name)).root == Self.described(name))
        #expect(Self.names.count > 20)
    }

    /// The bytes are equal, except for numbers, which plistlib writes in the notation of Python.
    @Test(arguments: names.filter { $0.hasSuffix(".xml") }) func writesXMLThatReadsTheSame(name: String) throws {
        let value = try Self.described(name)
        let written = try XMLPropertyListWriter.document(value)
        #expect(try PropertyList(written).root == value)
        let reals = /<real>[^<]*<\/real>/
        let theirs = String(decoding: try Self.bytes(name), as: UTF8.self)
        #expect(
            String(decoding: written, as: UTF8.self).replacing(reals, with: "<real/>")
                == theirs.replacing(reals, with: "<real/>"))
    }

    @Test(arguments: names.filter { $0.hasSuffix(".binary") }) func writesBinaryThatReadsTheSame(name: String) throws {
        let value = try Self.described(name)
        let written = BinaryPropertyListWriter.bytes(of: value)
        #expect(written.starts(with: "bplist00".utf8))
        #expect(try PropertyList(written).root == value)
        // Each repeated value is in the file once.
        #expect(written.count <= (try Self.bytes(name)).count)
    }

    /// CFBinaryPList.c of Core Foundation: the marker of a real number has the logarithm of its size, and 0.1 is 3dcccccd (IEEE 754).
    @Test func keepsRealNumbersOf32Bits() throws {
        let bytes = try Hex.decode(
            Array(
                "62706c69737430302 23dcccccd 08 000000000000 01 01 0000000000000001 0000000000000000 000000000000000d"
                    .utf8.filter { $0 != UInt8(ascii: " ") }))
        let value = try PropertyList(bytes).root
        #expect(value == PropertyListValue(.single(0.1)) && value != PropertyListValue(.real(0.1)))
        #expect(BinaryPropertyListWriter.bytes(of: value) == bytes)
        #expect(String(decoding: try XMLPropertyListWriter.document(value), as: UTF8.self).contains("<real>0.1"))
    }

    /// Random values. Python's plistlib and Foundation must read them as equal.
    @Test(.enabled(if: ExternalCommand.path(of: "python3") != nil)) func isReadByPlistlib() throws {
        let python = try #require(ExternalCommand.path(of: "python3"))
        var generator = SeededGenerator(seed: 77)
        let values = (0..<60).map { _ in Self.random(depth: 1, using: &generator) }
        try ExternalCommand.withFolder { folder in
            for (index, value) in values.enumerated() {
                try Data(XMLPropertyListWriter.document(value)).write(to: folder.appending(path: "\(index).xml"))
                try Data(BinaryPropertyListWriter.bytes(of: value)).write(to: folder.appending(path: "\(index).bin"))
            }
            let program = """
                import pathlib, plistlib, sys
                for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
                    binary = path.suffix == ".bin"
                    value = plistlib.loads(path.read_bytes())
                    other = plistlib.loads(path.with_suffix(".xml" if binary else ".bin").read_bytes())
                    if repr(value) != repr(other):
                        print(path.name, "differs", repr(value)[:300], repr(other)[:300])
                    form = plistlib.FMT_XML if binary else plistlib.FMT_BINARY
                    path.with_suffix(path.suffix + ".again").write_bytes(plistlib.dumps(value, fmt=form, sort_keys=False))
                print("done")
                """
            let run = try ExternalCommand(python, ["-c", program, folder.path()])
            #expect(run.output == "done\n")
            for (index, value) in values.enumerated() {
                for form in ["xml", "bin"] {
                    let again = try Data(contentsOf: folder.appending(path: "\(index).\(form).again"))
                    #expect(try PropertyList([UInt8](again)).root == value)
                    let ours = try Data(contentsOf: folder.appending(path: "\(index).\(form)"))
                    let theirs = unsafe try PropertyListSerialization.propertyList(from: ours, format: nil)
                    let binary = try PropertyListSerialization.data(
                        fromPropertyList: theirs, format: .binary, options: 0)
                    let reread = try PropertyList([UInt8](binary)).root
                    #expect(Self.sorted(reread) == Self.sorted(value))
                }
            }
        }
    }

    static let plutil = ["/opt/swift/usr/bin/plutil", "/usr/bin/plutil"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test(.enabled(if: plutil != nil)) func passesPlutil() throws {
        let plutil = try #require(Self.plutil)
        var generator = SeededGenerator(seed: 78)
        try ExternalCommand.withFolder { folder in
            for index in 0..<5 {
                let value = Self.random(depth: 1, using: &generator)
                let xml = folder.appending(path: "\(index).xml")
                let binary = folder.appending(path: "\(index).bin")
                try Data(XMLPropertyListWriter.document(value)).write(to: xml)
                try Data(BinaryPropertyListWriter.bytes(of: value)).write(to: binary)
                let run = try ExternalCommand(plutil, ["-lint", xml.path(), binary.path()])
                #expect(run.status == 0, "\(run.output)")
            }
        }
    }

    /// A dictionary with everything that both XML and plistlib can express.
    static func random(depth: Int, using generator: inout SeededGenerator) -> PropertyListValue {
        let kind = depth == 1 ? 8 : Int.random(in: 0..<(depth < 5 ? 10 : 7), using: &generator)
        switch kind {
        case 0, 1: return .string(text(using: &generator))
        case 2:
            let bits = UInt64.random(in: 0...UInt64.max, using: &generator)
            let shift = UInt64.random(in: 0..<64, using: &generator)
            return PropertyListValue(
                .integer(Bool.random(using: &generator) ? Int128(bits >> shift) : -Int128((bits >> shift) >> 1)))
        case 3: return PropertyListValue(.real(Double.random(in: -1e12...1e12, using: &generator)))
        case 4: return .bool(Bool.random(using: &generator))
        case 5:
            let count = Int.random(in: 0..<100, using: &generator)
            return PropertyListValue(.data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }))
        case 6:
            return PropertyListValue(
                .date(Double(Int.random(in: -30_000_000_000...200_000_000_000, using: &generator))))
        case 7:
            return .array(
                (0..<Int.random(in: 0..<20, using: &generator)).map { _ in random(depth: depth + 1, using: &generator) }
            )
        default:
            return .dictionary(
                (0..<Int.random(in: 0..<20, using: &generator)).map { index in
                    ("\(index)" + text(using: &generator), random(depth: depth + 1, using: &generator))
                })
        }
    }

    static func text(using generator: inout SeededGenerator) -> String {
        let alphabet = ["a", "Z", " ", "<", "&", ">", "\"", "\n", "\t", "é", "日", "🙂", "]", "-", "."]
        return (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
            alphabet.randomElement(using: &generator) ?? ""
        }.joined()
    }

    /// The value without the order of keys, which Foundation does not keep.
    static func sorted(_ value: PropertyListValue) -> PropertyListValue {
        switch value.content {
        case .array(let values): return .array(values.map(sorted))
        case .dictionary(let members):
            let members = members.map { PropertyListMember(key: $0.key, value: sorted($0.value)) }
            return PropertyListValue(
                .dictionary(members.sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }))
        default: return value
        }
    }

    @Test func reportsErrorsWithPositions() throws {
        func check(_ text: String, _ line: Int?, _ column: Int?, _ message: String) {
            do throws(PropertyListError) {
                _ = try PropertyList(Array(text.utf8))
                Issue.record("accepted: \(text)")
            } catch {
                #expect(error.message == message)
                #expect(error.position?.line == line)
                #expect(error.position?.column == column)
            }
        }
        check("<plist></plist>", 1, 1, #""<plist>" has no value, expected 1"#)
        check("<plist><true/><true/></plist>", 1, 1, #""<plist>" has 2 values, expected 1"#)
        check("<dict>\n<true/></dict>", 2, 1, #"expected a key in the dictionary, found "<true>""#)
        check("<dict><key>a</key></dict>", 1, 7, #"the key "a" has no value"#)
        check("<dict><key>a</key><key>b</key></dict>", 1, 7, #"the key "a" has no value"#)
        check(
            "<dict><key>a</key><true/><key>a</key><true/></dict>", 1, 26, #"duplicate key "a" in a dictionary"#
        )
        check("<array>x</array>", 1, 1, #""<array>" contains text, expected only elements"#)
        check("<array><set/></array>", 1, 8, #"unknown property-list element "<set>""#)
        check("<integer>1.5</integer>", 1, 1, #"expected integer, found "1.5""#)
        check("<integer>18446744073709551616</integer>", 1, 1, #"expected integer, found "18446744073709551616""#)
        check("<date>2027-06-01</date>", 1, 1, #"expected date, found "2027-06-01""#)
        check("<data>AAA</data>", 1, 1, #"expected base64, found "AAA""#)
        check("<string>a<true/></string>", 1, 10, #"unknown property-list element "<true>""#)
        check(
            "{ a = b; }", nil, nil,
            "the file is a property list in the old text form, expected XML or binary")
        check("{\"a\":1}", nil, nil, "the file is not a property list in XML or binary form")
        check(
            "bplist00", nil, nil, "the binary property list is malformed at byte 0: the trailer does not match the file"
        )
    }

    @Test func readsNumbersAsAppleDoes() throws {
        func root(_ text: String) throws -> PropertyListValue { try PropertyList(Array(text.utf8)).root }
        #expect(try root("<integer> -0x1F </integer>") == PropertyListValue(.integer(-31)))
        #expect(try root("<integer>+7</integer>") == PropertyListValue(.integer(7)))
        #expect(try root("<real>-infinity</real>") == PropertyListValue(.real(-.infinity)))
        #expect(try root("<real>nan</real>") == PropertyListValue(.real(.nan)))
        #expect(try root("<date> 2001-01-01T00:00:01Z </date>") == PropertyListValue(.date(1)))
    }

    /// Nested arrays, each of which contains the next one twice: 2^40 values in a few hundred bytes.
    @Test func rejectsBinaryListsThatGrow() {
        func file(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
            var bytes = Array("bplist00".utf8)
            var table: [UInt8] = []
            for object in objects {
                table += [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)]
                bytes += object
            }
            let start = bytes.count
            bytes += table + [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
            return bytes + [0, 0, 0, 0, 0, 0, 0, top] + [0, 0, 0, 0, 0, 0, UInt8(start >> 8), UInt8(start & 255)]
        }
        func fault(_ bytes: [UInt8]) -> BinaryPropertyListFault? {
            do throws(PropertyListError) {
                _ = try PropertyList(bytes)
                return nil
            } catch {
                guard case .binary(let fault, _) = error.reason else { return nil }
                return fault
            }
        }
        #expect(fault(file((1...40).map { [0xa2, $0, $0] } + [[0x09]])) == .expansion(1 << 20))
        #expect(fault(file([[0xa1, 0x00]])) == .cycle)
        #expect(fault(file([[0xd1, 1, 2], [0x51, 0x61], [0xa1, 0x00]])) == .cycle)
        #expect(fault(file((1...120).map { [0xa1, $0] } + [[0x09]])) == .tooDeep(100))
        #expect(fault(file([[0xa1, 0x07]])) == .reference(7))
        #expect(fault(file([[0xd1, 1, 1], [0x09]])) == .keyKind)
        #expect(fault(file([[0xd2, 1, 1, 2, 2], [0x51, 0x61], [0x09]])) == .duplicateKey("a"))
        #expect(fault(file([[0x51, 0xff]])) == .text)
        #expect(fault(file([[0x61, 0xd8, 0x00]])) == .text)
        #expect(fault(file([[0x70]])) == .kind(0x70))
        #expect(fault(file([[0x14, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]])) == .integer)
        #expect(fault(file([[0x5f, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]])) == .truncated)
        #expect(fault(file([[0x08]])) == nil)
        // Many values refer to one large text.
        let text = [0x5f, 0x11, 0x40, 0x00] + [UInt8](repeating: 0x61, count: 0x4000)
        let sharing = [0xaf, 0x11, 0x40, 0x00] + [UInt8](repeating: 1, count: 0x4000)
        #expect(fault(file([sharing, text])) == .expansion(1 << 20))
    }

    @Test(.limit(minutes: 2)) func damagedListsDoNotTrap() throws {
        var generator = SeededGenerator(seed: 5)
        let words = ["<dict>", "</dict>", "<key>", "<array/>", "<!--", "&lt;", "<data>", "\u{0}", "bplist00"]
        let seeds = try Self.names.map(Self.bytes).filter { $0.count < 3000 }
        var accepted = 0
        for round in 0..<TestEnvironment.rounds(6000) {
            let bytes = generator.damaged(seeds[round % seeds.count], words: words)
            guard let list = try? PropertyList(bytes) else { continue }
            accepted += 1
            #expect(try PropertyList(BinaryPropertyListWriter.bytes(of: list.root)).root == list.root)
        }
        #expect(accepted > TestEnvironment.rounds(100))
    }
}
