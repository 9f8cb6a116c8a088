import Encodings
import Foundation

/// The notations in which people paste the bytes of a file. Those of programs are as `xxd`, `hexdump`, `od` and `openssl` print them.
enum WrittenForm: String, CaseIterable {
    case base64, wrapped, narrow, escapedLineEnds, crlf, spaced, tabbed, url, urlNarrow, jsonEscaped, percent,
        javaStrings,
        jsonLines, escapedGroups
    case hex, upperHex, hexLines, oddGroups, oddLines, colons, upperColons, spacedHex, commaHex, dashes, words,
        longWords
    case prefixed, prefixedLines, escapedBytes, upperPrefix, casts, kotlinBytes, rustBytes, swiftArray, oneDigit
    case decimal, decimalLines, signed, signedCasts, buffer, octalEscapes, octalList, kotlinNumbers,
        pythonBytes
    case cCasts, signedCCasts, fixedWidthCasts, staticCasts, standardBytes, conversions, rustCasts, shellCasts
    case rustSigned, sharpCasts, sharpSigned, swiftSigned, swiftTruncated
    case paddedNumbers, paddedList
    case listedNumbers, commentedNumbers, quotedColons
    case xxd, xxdInclude, xxdPlain, hexdump, hexdumpCanonical, od, odBytes, odOctal, opensslDump

    func text(of bytes: [UInt8]) -> String {
        let base64 = Data(bytes).base64EncodedString()
        let hex = bytes.map { String(format: "%02x", $0) }
        switch self {
        case .base64: return base64
        case .wrapped: return pieces(base64, 64).joined(separator: "\n")
        case .narrow: return pieces(base64, 16).joined(separator: "\n")
        case .escapedLineEnds: return pieces(base64, 64).joined(separator: "\\n")
        case .crlf: return pieces(base64, 20).joined(separator: "\r\n")
        case .spaced: return pieces(base64, 16).joined(separator: " ")
        case .tabbed: return pieces(base64, 30).joined(separator: "\t ")
        case .url: return url(base64)
        case .urlNarrow: return pieces(url(base64), 18).joined(separator: "\n    ")
        case .jsonEscaped:
            return pieces(base64, 64).joined(separator: "\\u000a").replacing("/", with: "\\/")
                .replacing("+", with: "\\u002B")
        case .percent:
            return pieces(base64, 20).joined(separator: "%0D%0A").replacing("/", with: "%2F")
                .replacing("+", with: "%2b")
        case .javaStrings: return "\"" + pieces(base64, 24).joined(separator: "\" +\n    \"") + "\""
        case .jsonLines: return "[\"" + pieces(base64, 64).joined(separator: "\", \"") + "\"]"
        case .escapedGroups:
            return pieces(base64, 13).joined(separator: " ").replacing("/", with: "\\/").replacing("+", with: "%2B")
        case .hex: return hex.joined()
        case .oddGroups: return pieces(hex.joined(), 3).joined(separator: " ")
        case .oddLines: return pieces(hex.joined(), 21).joined(separator: "\n")
        case .upperHex: return hex.joined().uppercased()
        case .hexLines, .xxdPlain: return pieces(hex.joined(), 60).joined(separator: "\n")
        case .colons: return hex.joined(separator: ":")
        case .upperColons: return hex.joined(separator: ":").uppercased()
        case .spacedHex: return hex.joined(separator: " ")
        case .commaHex: return hex.joined(separator: ", ")
        case .dashes: return hex.joined(separator: "-")
        case .words: return pieces(hex.joined(), 4).joined(separator: " ")
        case .longWords: return pieces(hex.joined(), 8).joined(separator: " ")
        case .prefixed: return hex.map { "0x" + $0 }.joined(separator: ", ")
        case .prefixedLines, .xxdInclude:
            return "unsigned char key[] = {\n"
                + lines(hex.map { "0x" + $0 }, 12).map { "  " + $0.joined(separator: ", ") }
                .joined(separator: ",\n") + "\n};\n"
        case .escapedBytes: return "\"" + hex.map { "\\x" + $0 }.joined() + "\""
        case .upperPrefix: return hex.map { "0X" + $0.uppercased() }.joined(separator: ",")
        case .casts: return "new byte[] { " + hex.map { "(byte) 0x" + $0 }.joined(separator: ", ") + " };"
        case .kotlinBytes: return "byteArrayOf(" + hex.map { "0x\($0).toByte()" }.joined(separator: ", ") + ")"
        case .rustBytes: return "&[" + hex.map { "0x\($0)u8" }.joined(separator: ",") + "]"
        case .swiftArray: return "[UInt8]([" + bytes.map { "0x" + String($0, radix: 16) }.joined(separator: ", ") + "])"
        case .oneDigit: return "[" + bytes.map { String($0, radix: 16) }.joined(separator: " ") + "]"
        case .decimal: return bytes.map(String.init).joined(separator: ", ")
        case .decimalLines:
            return lines(bytes.map(String.init), 10).map { $0.joined(separator: ",") }.joined(separator: ",\n    ")
        case .listedNumbers:
            return lines(bytes.map(String.init), 12).enumerated()
                .map { "\($0.offset + 1)| " + $0.element.joined(separator: ", ") }.joined(separator: ",\n")
        case .commentedNumbers:
            return lines(bytes.map { "(byte)\(Int8(bitPattern: $0))" }, 8).map { "// " + $0.joined(separator: ", ") }
                .joined(separator: ",\n")
        case .quotedColons: return lines(hex, 15).map { "> " + $0.joined(separator: ":") }.joined(separator: ":\n")
        case .signed: return bytes.map { String(Int8(bitPattern: $0)) }.joined(separator: ", ")
        case .signedCasts: return bytes.map { "(byte)\(Int8(bitPattern: $0))" }.joined(separator: ",")
        case .cCasts: return "{" + hex.map { "(unsigned char)0x" + $0 }.joined(separator: ", ") + "}"
        case .signedCCasts:
            return bytes.map { "( signed char ) \(Int8(bitPattern: $0))" }.joined(separator: ", ")
        case .fixedWidthCasts: return hex.map { "(std::uint8_t)0x" + $0 }.joined(separator: ",")
        case .staticCasts: return bytes.map { "static_cast<unsigned char>(\($0))" }.joined(separator: ", ")
        case .standardBytes: return hex.map { "std::byte{0x\($0)}" }.joined(separator: ", ")
        case .conversions: return bytes.map { "UInt8(\($0))" }.joined(separator: ", ")
        case .rustCasts: return "[" + hex.map { "0x\($0) as u8" }.joined(separator: ", ") + "]"
        case .shellCasts: return hex.map { "[byte]0x" + $0 }.joined(separator: ", ")
        case .rustSigned: return bytes.map { "\(Int8(bitPattern: $0))i8" }.joined(separator: ", ")
        case .sharpCasts: return hex.map { "unchecked((sbyte)0x\($0))" }.joined(separator: ", ")
        case .sharpSigned:
            return bytes.map { "unchecked((byte)\(Int8(bitPattern: $0)))" }.joined(separator: ", ")
        case .swiftSigned:
            return bytes.map { "UInt8(bitPattern: \(Int8(bitPattern: $0)))" }.joined(separator: ", ")
        case .swiftTruncated: return bytes.map { "UInt8(truncatingIfNeeded: \($0))" }.joined(separator: ", ")
        case .paddedNumbers: return bytes.map { String(format: "%03d", $0) }.joined(separator: " ")
        case .paddedList: return "[" + bytes.map { String(format: "%03d", $0) }.joined(separator: ",") + "]"
        case .buffer: return "{\"type\":\"Buffer\",\"data\":[" + bytes.map(String.init).joined(separator: ",") + "]}"
        case .octalEscapes: return "\"" + bytes.map { "\\" + octal($0) }.joined() + "\""
        case .octalList: return bytes.map(octal).joined(separator: ",")
        case .kotlinNumbers: return "byteArrayOf(" + bytes.map { "\($0).toByte()" }.joined(separator: ", ") + ")"
        case .pythonBytes:
            return "b'"
                + bytes.map { (0x20..<0x7F).contains($0) ? character($0) : String(format: "\\x%02x", $0) }.joined()
                + "'"
        case .xxd:
            return dump(bytes, 16) { offset, line in
                String(format: "%08x: ", offset) + words(line) + "  " + characters(line)
            }
        case .hexdump:
            return dump(bytes, 16) { offset, line in
                String(format: "%07x ", offset) + swapped(line).joined(separator: " ")
            }
        case .hexdumpCanonical:
            return dump(bytes, 16) { offset, line in
                String(format: "%08x  ", offset) + spaced(line.prefix(8)) + "  " + spaced(line.dropFirst(8))
                    + "  |\(characters(line))|"
            }
        case .od: return dump(bytes, 16) { offset, line in String(format: "%07o ", offset) + spaced(line) }
        case .odBytes: return dump(bytes, 16) { _, line in " " + spaced(line) }
        case .odOctal:
            return dump(bytes, 16) { offset, line in
                String(format: "%07o ", offset) + line.map(octal).joined(separator: " ")
            }
        case .opensslDump:
            return dump(bytes, 16) { offset, line in
                String(format: "      %04x - ", offset) + spaced(line.prefix(8)) + "-" + spaced(line.dropFirst(8))
                    + "   "
                    + characters(line)
            }
        }
    }

    private func pieces(_ text: String, _ length: Int) -> [Substring] {
        let bytes = Array(text.utf8)
        return lines(bytes, length).map { Substring(String(decoding: $0, as: UTF8.self)) }
    }

    private func lines<Element>(_ elements: [Element], _ length: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: elements.count, by: length).map { elements[$0..<min($0 + length, elements.count)] }
    }

    private func url(_ base64: String) -> String {
        base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private func dump(_ bytes: [UInt8], _ width: Int, _ line: (Int, ArraySlice<UInt8>) -> String) -> String {
        lines(bytes, width).map { line($0.startIndex, $0) + "\n" }.joined()
    }

    private func octal(_ byte: UInt8) -> String { String(format: "%03o", byte) }
    private func spaced(_ line: ArraySlice<UInt8>) -> String {
        line.map { String(format: "%02x", $0) }.joined(separator: " ")
    }
    private func words(_ line: ArraySlice<UInt8>) -> String {
        lines(Array(line), 2).map { $0.map { String(format: "%02x", $0) }.joined() }.joined(separator: " ")
    }
    private func swapped(_ line: ArraySlice<UInt8>) -> [String] {
        lines(Array(line), 2).map {
            ($0.count == 1 ? "00" : String(format: "%02x", $0.last ?? 0)) + String(format: "%02x", $0.first ?? 0)
        }
    }
    private func character(_ byte: UInt8) -> String { String(decoding: [byte], as: UTF8.self) }
    private func characters(_ line: ArraySlice<UInt8>) -> String {
        line.map { (0x20..<0x7F).contains($0) ? character($0) : "." }.joined()
    }
}
