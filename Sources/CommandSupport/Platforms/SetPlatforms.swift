package import PinSetCodec
internal import PinSetFormats
internal import PinSetMaintenance
package import Pinning

/// The platforms that a pin set is for, as far as the command line and the files tell.
package struct SetPlatforms {
    private enum Source {
        /// A file in the format of these platforms.
        case file([PlatformConfiguration])
        /// The copies of a manifest.
        case manifest(ManifestPlatforms)
        /// Unknown: any platform that teams use often.
        case unknown
    }

    private let source: Source

    /// - Parameter warn: Receives a sentence about a manifest that cannot be read.
    package init(of pins: PinSetFile, warn: (String) -> Void) throws(CommandError) {
        guard pins.format.traits.isNative else {
            var configurations: [PlatformConfiguration] = []
            for platform in pins.format.platforms { configurations.append(try pins.configuration(of: platform)) }
            source = .file(configurations)
            return
        }
        source = ManifestPlatforms(of: pins.path, warn: warn).map { .manifest($0) } ?? .unknown
    }

    /// Whether the platforms are those that the set is for, and not all that it may be for.
    package var areKnown: Bool { if case .unknown = source { false } else { true } }

    /// The configurations that decide for one entry, if the set has it in this version.
    package func configurations(for entry: PinSet.Entry, in set: PinSet) -> [PlatformConfiguration] {
        let platforms: [Platform]
        switch source {
        case .file(let configurations): return configurations
        case .manifest(let manifest):
            platforms = manifest.members.filter { $0.covers(entry) }.map(\.platform)
        case .unknown: platforms = Platform.allCases.filter { !$0.isOnlyByName }
        }
        // The entries of the host and its parents decide on every platform, and few entries are judged quickly.
        let name = entry.name.split(separator: ".", omittingEmptySubsequences: false)
        let parents = name.indices.dropFirst().compactMap { index in
            set.indices[name[index...].joined(separator: ".")].map { set.entries[$0] }
        }
        guard let part = try? PinSet(entries: [entry] + parents) else { return [] }
        return platforms.map { $0.configuration(of: part) }
    }
}
