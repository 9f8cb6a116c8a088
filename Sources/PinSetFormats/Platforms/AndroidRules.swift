public import PinSetCodec
internal import Pinning
internal import XMLDocuments

/// Android: a `network_security_config.xml`.
enum AndroidRules: PlatformRules {
    static func model(of set: PinSet) -> any PlatformModel {
        if let ruling = set.retiredEntry() { return UnwritableModel(ruling) }
        guard let writing = try? AndroidFormat.write(set), let document = try? XMLDocument(writing.main) else {
            return UnwritableModel(PlatformRuling(.notPinned, "no host of the set can be written for Android"))
        }
        return AndroidModel(document)
    }

    static func model(ofFile file: PlatformFile) throws(PinSetFormatError) -> (any PlatformModel)? {
        guard file.format == .android else { return nil }
        return AndroidModel(try document(file.bytes))
    }

    /// Parses a `network_security_config.xml`.
    static func document(_ bytes: [UInt8]) throws(PinSetFormatError) -> XMLDocument {
        do throws(XMLError) {
            return try XMLDocument(bytes)
        } catch {
            throw AndroidFormat.error(.xml(error), at: error.position)
        }
    }
}

extension Platform {
    /// Android with a `network_security_config.xml`.
    public static let android = Platform("android", AndroidRules.self)
}
