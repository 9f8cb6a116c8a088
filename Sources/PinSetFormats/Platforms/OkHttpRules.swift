internal import Encodings
public import PinSetCodec
internal import Pinning

/// OkHttp's `CertificatePinner`, in Kotlin or Java source.
enum OkHttpRules: PlatformRules {
    static func model(of set: PinSet) -> any PlatformModel {
        if let ruling = set.retiredEntry() { return UnwritableModel(ruling) }
        guard let writing = try? OkHttpFormat.write(set) else {
            return UnwritableModel(PlatformRuling(.notPinned, "no host of the set can be written for OkHttp"))
        }
        return model(of: OkHttpSource(writing.main))
    }

    static func model(ofFile file: PlatformFile) throws(PinSetFormatError) -> (any PlatformModel)? {
        guard file.format == .okhttp else { return nil }
        // A failure message contains only patterns and pins that OkHttp has accepted, so the rules need no model of the file.
        guard !OkHttpFormat.isFailureMessage(file.bytes) else { return nil }
        // A map of pins, string resources, and pins without a call do not say how the app uses them.
        guard JSONOutline(file.bytes) == nil, !OkHttpResources.isLikely(file.bytes) else { return nil }
        let source = OkHttpSource(file.bytes)
        try source.checkLimits()
        return source.pinnings.isEmpty && !source.literalPins.isEmpty ? nil : model(of: source)
    }

    private static func model(of source: OkHttpSource) -> OkHttpModel {
        var model = OkHttpModel()
        for pinning in source.pinnings {
            let pins = pinning.pins.compactMap(\.text)
            model.unknownValues += pinning.pins.count - pins.count
            guard let pattern = pinning.pattern.text else {
                model.unknownValues += 1
                continue
            }
            model.add(pattern, pins, at: SourcePosition(line: pinning.pattern.line, column: 1))
        }
        return model
    }
}

extension Platform {
    /// `CertificatePinner` of OkHttp.
    public static let okhttp = Platform("okhttp", OkHttpRules.self)
}
