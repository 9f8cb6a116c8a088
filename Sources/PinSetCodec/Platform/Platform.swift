public import Pinning

/// An app framework or tool that checks pins by its own rules. The names are those of `verify --as`.
public struct Platform: Hashable, Sendable {
    public let rawValue: String
    /// Whether `--as all` leaves the platform out: a program or a kind of app that few teams use.
    package let isOnlyByName: Bool
    /// Whether the program uses OpenSSL, which tries only one path.
    let triesOnePath: Bool
    private let rules: any PlatformRules.Type

    package init(
        _ name: String, isOnlyByName: Bool = false, triesOnePath: Bool = false, _ rules: any PlatformRules.Type
    ) {
        rawValue = name
        (self.isOnlyByName, self.triesOnePath) = (isOnlyByName, triesOnePath)
        self.rules = rules
    }

    public static func == (one: Platform, other: Platform) -> Bool { one.rawValue == other.rawValue }

    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension Platform {
    /// The configuration that `convert` writes for a set, without further inputs.
    public func configuration(of set: PinSet) -> PlatformConfiguration {
        PlatformConfiguration(platform: self, model: rules.model(of: set))
    }

    /// The configuration in a file of the platform; nil if the platform does not read files of this format.
    ///
    /// - Parameters:
    ///   - file: contents of the file.
    ///   - format: the format of the file.
    ///   - inputs: further inputs that the format needs, such as Chromium's file of names.
    /// - Throws: if the file does not have the format.
    public func configuration(
        ofFile file: [UInt8], format: PinSetFormat, with inputs: ConversionInputs = ConversionInputs()
    ) throws(PinSetFormatError) -> PlatformConfiguration? {
        guard let model = try rules.model(ofFile: PlatformFile(bytes: file, format: format, inputs: inputs)) else {
            return nil
        }
        return PlatformConfiguration(platform: self, model: model, isFile: true)
    }
}
