internal import Encodings
package import PinSetCodec
internal import PinSetFormats
internal import Pinning

/// A word of `--as`: the name of a platform, "all" or "none".
package struct PlatformChoice: RawRepresentable, Hashable, Sendable, CaseIterable {
    package let rawValue: String
    package let platforms: [Platform]

    package init?(rawValue: String) {
        guard let choice = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = choice
    }

    private init(_ rawValue: String, _ platforms: [Platform]) {
        (self.rawValue, self.platforms) = (rawValue, platforms)
    }

    /// A choice for each platform of the current registry, "all", which omits the platforms that must be chosen by name, and "none".
    package static var allCases: [PlatformChoice] {
        let platforms = Platform.allCases
        return platforms.map { PlatformChoice($0.rawValue, [$0]) } + [
            PlatformChoice("all", platforms.filter { !$0.isOnlyByName }), PlatformChoice("none", []),
        ]
    }

    /// The chosen platforms without duplicates, in the order given.
    package static func platforms(of choices: [PlatformChoice]) -> [Platform] {
        var platforms: [Platform] = []
        for platform in choices.flatMap(\.platforms) where !platforms.contains(platform) { platforms.append(platform) }
        return platforms
    }
}
