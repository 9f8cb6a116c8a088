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
        return model(ofSource: writing.main)
    }

    static func model(ofFile file: PlatformFile) throws(PinSetFormatError) -> (any PlatformModel)? {
        guard file.format == .okhttp else { return nil }
        // A failure message contains only patterns and pins that OkHttp has accepted, so the rules need no model of the file.
        guard !OkHttpFormat.isFailureMessage(file.bytes) else { return nil }
        return model(ofSource: file.bytes)
    }

    private static func model(ofSource bytes: [UInt8]) -> OkHttpModel {
        var model = OkHttpModel()
        for pinning in OkHttpSource(bytes).pinnings {
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
