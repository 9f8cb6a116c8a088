internal import Encodings
public import PinSetCodec
internal import Pinning

/// `--pinnedpubkey` of curl and wget.
enum CurlRules: PlatformRules {
    static func model(of set: PinSet) -> any PlatformModel { CurlSetModel(set: set) }

    static func model(ofFile file: PlatformFile) throws(PinSetFormatError) -> (any PlatformModel)? {
        guard file.format == .curl else { return nil }
        return CurlModel(
            strings: CurlFormat.strings(in: file.bytes).map { string in
                let host = string.host ?? file.inputs.host
                return .init(
                    host: host.map { (try? HostName.normalized($0)) ?? $0 }, text: string.text,
                    position: SourcePosition(line: string.line, column: 1))
            })
    }
}

extension Platform {
    /// `--pinnedpubkey` of curl and wget.
    public static let curl = Platform("curl", triesOnePath: true, CurlRules.self)
}
