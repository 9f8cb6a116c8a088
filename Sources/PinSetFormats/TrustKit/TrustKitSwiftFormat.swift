public import PinSetCodec
internal import Pinning
internal import PropertyLists
internal import XMLDocuments

/// TrustKit's configuration as a Swift dictionary with TrustKit's constants as keys, for
/// `TrustKit.initSharedInstance(withConfiguration:)`. This codec only writes it; ``TrustKitFormat`` reads it.
enum TrustKitSwiftFormat: PinSetCodec {
    static let traits = FormatTraits(
        name: "trustkit-swift", summary: "TrustKit's configuration as a Swift dictionary; write-only",
        fileName: "TrustKitConfiguration.swift", isReadable: false, readBy: TrustKitFormat.self, language: .swift,
        capabilities: TrustKitFormat.traits.capabilities)

    static func recognizes(_: FileContents) -> Bool { false }

    static func read(_: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        throw error(.writeOnly(readAs: .trustkit))
    }

    static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        return PinSetWriting(source(of: try TrustKitFormat.domains(of: set, as: format, &warnings)), warnings)
    }

    /// - Parameter domains: nested dictionaries that contain arrays of strings, strings and truth values.
    private static func source(of domains: PropertyListValue) -> [UInt8] {
        // The output is a computed property, because Swift 6 rejects a global constant of type Any: sharing it is not safe.
        var output = """
            import TrustKit

            var trustKitConfiguration: [String: Any] {
                [
                    kTSKPinnedDomains: [

            """
        for host in domains.members ?? [] {
            output += "            \(literal(host.key)): [\n"
            for member in host.value.members ?? [] { append(member, to: &output) }
            output += "            ] as [String: Any],\n"
        }
        output += """
                    ]
                ]
            }

            """
        return Array(output.utf8)
    }

    private static func append(_ member: PropertyListMember, to output: inout String) {
        let indentation = String(repeating: " ", count: 16)
        output += "\(indentation)k\(member.key): "
        if let values = member.value.array {
            output += "[\n"
            for value in values {
                output += "\(indentation)    \(literal(value.string ?? "")),"
                if let label = value.comment.flatMap(XMLText.label(ofComment:)) { output += "  // \(label)" }
                output += "\n"
            }
            output += "\(indentation)],\n"
        } else if let bool = member.value.bool {
            output += "\(bool),\n"
        } else {
            output += "\(literal(member.value.string ?? "")),\n"
        }
    }

    private static func literal(_ text: String) -> String {
        var output = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": output += "\\\(scalar)"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output + "\""
    }
}

extension PinSetFormat {
    public static let trustkitSwift = PinSetFormat(TrustKitSwiftFormat.self)
}
