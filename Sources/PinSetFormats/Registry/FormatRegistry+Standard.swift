internal import Encodings
public import PinSetCodec
internal import ServerPinFormats

extension FormatRegistry {
    /// The formats of this library.
    public static let standard = FormatRegistry([
        .pins,
        .apple,
        .android,
        .okhttp,
        .trustkit,
        .trustkitSwift,
        .alamofire,
        .urlsession,
        .cronet,
        .hpkp,
        .curl,
        .tlsa,
        .wultra,
        .chromium,
        .reactNative,
        .reactNativeSSLManager,
        .certificates,
        .certificatesPEM,
        .flutter,
        .expo,
        .kubeadm,
        .openconnect,
        .envoy,
        .stubby,
        .elastic,
        .nats,
        .aiohttp,
        .openfortivpn,
    ])

    /// The formats that the current task uses: ``standard``, unless a caller replaces it for a task.
    @TaskLocal public static var current = standard
}

extension PinSetFormat: RawRepresentable, CaseIterable {
    /// The format with a name, in the current registry.
    public init?(rawValue: String) {
        guard let format = FormatRegistry.current.format(named: rawValue) else { return nil }
        self = format
    }

    /// The formats of the current registry.
    public static var allCases: [PinSetFormat] { FormatRegistry.current.formats }

    /// Detects the format of a file from its contents, among those of the current registry.
    ///
    /// - Throws: if no format matches, or several do.
    package static func recognized(in bytes: [UInt8]) throws(PinSetFormatError) -> PinSetFormat {
        try FormatRegistry.current.recognized(in: bytes)
    }
}

extension Platform: RawRepresentable, CaseIterable {
    /// The platform with a name, among those of the current registry of formats.
    public init?(rawValue: String) {
        guard let platform = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = platform
    }

    /// The platforms of the current registry of formats.
    public static var allCases: [Platform] { FormatRegistry.current.platforms }
}

extension FormatTraits {
    /// The names of the formats that can be written into existing files: "apple, android and trustkit".
    package static func mergingNames(conjunction: String) -> String {
        FormatRegistry.current.formats.filter(\.traits.mergesIntoFiles).map(\.rawValue)
            .joined(conjunction: conjunction)
    }
}
