internal import Encodings
public import PinSetCodec
internal import Pinning

/// A browser that implements `Public-Key-Pins` (RFC 7469).
enum HPKPRules: PlatformRules {
    static func model(of set: PinSet) -> any PlatformModel {
        let names = set.filtered { !$0.isAddress }
        let writable = names.filtered { !$0.matchingPins.isEmpty }
        // Each header is for one host. So an entry that cannot be written does not affect the other entries.
        var model = HPKPModel(
            writable.entries.compactMap { entry in
                guard let writing = try? HPKPFormat.write(writable, with: ConversionInputs(host: entry.name)) else {
                    return nil
                }
                return HPKPHeader.all(in: writing.main).first.map { HPKPModel.Header($0, host: entry.name) }
            })
        for entry in names.entries { model.retired[entry.name] = entry.retiredRuling }
        return model
    }

    static func model(ofFile file: PlatformFile) throws(PinSetFormatError) -> (any PlatformModel)? {
        guard file.format == .hpkp else { return nil }
        var headers: [HPKPModel.Header] = []
        for header in HPKPHeader.all(in: file.bytes) {
            guard let host = header.host ?? file.inputs.host else { continue }
            headers.append(.init(header, host: (try? HostName.normalized(host)) ?? host))
        }
        return HPKPModel(headers)
    }
}

extension Platform {
    /// A browser that implements RFC 7469.
    public static let hpkp = Platform("hpkp", HPKPRules.self)
}
