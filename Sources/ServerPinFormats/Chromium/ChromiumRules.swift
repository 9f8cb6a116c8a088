internal import Encodings
public import PinSetCodec
internal import Pinning

/// Chromium's list of static pins.
enum ChromiumRules: PlatformRules {
    static func model(of set: PinSet) -> any PlatformModel {
        if let ruling = set.retiredEntry(takesAddresses: false) { return UnwritableModel(ruling) }
        guard let writing = try? ChromiumFormat.write(set),
            let names = writing.files.first(where: { $0.name != nil })?.bytes,
            let entries = try? ChromiumFormat.entries(writing.main, names)
        else { return UnwritableModel(PlatformRuling(.notPinned, "the list has no IP addresses")) }
        return ChromiumModel(entries)
    }

    static func model(ofFile file: PlatformFile) throws(PinSetFormatError) -> (any PlatformModel)? {
        guard file.format == .chromium, let names = file.inputs.names else { return nil }
        return ChromiumModel(try ChromiumFormat.entries(file.bytes, names))
    }
}

extension Platform {
    /// Chromium's list of static pins.
    public static let chromium = Platform("chromium", ChromiumRules.self)
}
