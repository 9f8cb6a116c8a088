package import Encodings
public import Pinning

/// The configuration of one platform, as the platform itself reads it.
///
/// A platform's own file can contain what a pin set cannot express: the spelling of hosts and pins, hosts without pins, and
/// mistakes that stop the app.
public struct PlatformConfiguration: Sendable {
    public let platform: Platform
    let model: any PlatformModel
    /// Whether the configuration is a file of the platform, and not what `convert` writes for a set.
    package let isFile: Bool

    package init(platform: Platform, model: any PlatformModel, isFile: Bool = false) {
        (self.platform, self.model, self.isFile) = (platform, model, isFile)
    }

    /// Predicts how the platform treats a connection.
    public func verdict(on connection: PlatformConnection) -> PlatformVerdict {
        let ruling = ruling(on: connection)
        return PlatformVerdict(platform: platform, verdict: ruling.verdict, rule: ruling.rule)
    }

    /// Predicts how the platform treats every valid chain of a host; nil if that depends on the chain.
    public func verdict(onEveryChainOf host: String, at now: Timestamp) -> PlatformVerdict? {
        let connection = PlatformConnection(host: host, chain: [], isTrusted: true, at: now)
        let ruling = model.refusal(of: connection) ?? model.ruling(on: connection)
        guard ruling.verdict == .notPinned || ruling.verdict == .refusesConfig else { return nil }
        return PlatformVerdict(platform: platform, verdict: ruling.verdict, rule: ruling.rule)
    }

    /// The parts of the configuration that the platform treats differently than a reader expects.
    package var traps: [PlatformTrap] { model.traps }

    private func ruling(on connection: PlatformConnection) -> PlatformRuling {
        if let refusal = model.refusal(of: connection) { return refusal }
        guard connection.isTrusted else { return model.rulingOnInvalidChain(connection) }
        if connection.hasDetour, platform.triesOnePath, model.rulingOnInvalidChain(connection).verdict == .rejects {
            return PlatformRuling(
                .rejects,
                "\(platform.rawValue) with OpenSSL tries only one path before it compares a pin, and rejects this chain"
            )
        }
        return model.ruling(on: connection)
    }
}

/// A file with a platform's configuration.
package struct PlatformFile: Sendable {
    package let bytes: [UInt8]
    package let format: PinSetFormat
    package let inputs: ConversionInputs

    package init(bytes: [UInt8], format: PinSetFormat, inputs: ConversionInputs = ConversionInputs()) {
        (self.bytes, self.format, self.inputs) = (bytes, format, inputs)
    }
}

/// The rules of one platform: how it reads a configuration.
package protocol PlatformRules: SendableMetatype {
    /// The configuration that `convert` writes for a set.
    static func model(of set: PinSet) -> any PlatformModel

    /// The configuration in a file; nil if the platform does not read files of its format.
    static func model(ofFile file: PlatformFile) throws(PinSetFormatError) -> (any PlatformModel)?
}

extension PlatformRules {
    package static func model(ofFile _: PlatformFile) throws(PinSetFormatError) -> (any PlatformModel)? { nil }
}

/// A configuration as a platform reads it.
package protocol PlatformModel: Sendable {
    /// The result if the platform rejects the configuration or the host for every chain; nil if it accepts them.
    func refusal(of connection: PlatformConnection) -> PlatformRuling?

    /// The result for a valid chain.
    func ruling(on connection: PlatformConnection) -> PlatformRuling

    /// The result for a chain that does not validate.
    func rulingOnInvalidChain(_ connection: PlatformConnection) -> PlatformRuling

    /// The parts of the configuration that the platform treats differently than a reader expects.
    var traps: [PlatformTrap] { get }
}

extension PlatformModel {
    package func refusal(of _: PlatformConnection) -> PlatformRuling? { nil }

    package func rulingOnInvalidChain(_: PlatformConnection) -> PlatformRuling {
        PlatformRuling(.rejects, "the chain is validated before any pin is compared, and this one does not validate")
    }

    package var traps: [PlatformTrap] { [] }
}

/// A set that cannot be written in the platform's format.
package struct UnwritableModel: PlatformModel {
    private let ruling: PlatformRuling

    package init(_ ruling: PlatformRuling) { self.ruling = ruling }

    package func refusal(of _: PlatformConnection) -> PlatformRuling? {
        ruling.verdict == .refusesConfig ? ruling : nil
    }

    package func ruling(on _: PlatformConnection) -> PlatformRuling { ruling }
}

/// A part of a configuration that the platform treats differently than a reader expects.
package struct PlatformTrap: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The platform never uses the key, or the pin never matches.
        case neverMatches
        /// The platform looks up host names in lower case, so it never finds this key.
        case caseSensitive
        /// A host is not pinned although another entry seems to pin it.
        case unpinned
        /// The platform rejects the configuration, and the app stops.
        case stopsApp
        /// The platform reads another value than the text suggests.
        case misread
    }

    package let kind: Kind
    /// The host as written; nil if the trap concerns the whole file.
    package let host: String?
    /// A sentence in lower case without its full stop.
    package let message: String
    package let hint: String?
    package let position: SourcePosition?

    package init(
        _ kind: Kind, host: String? = nil, _ message: String, hint: String? = nil, at position: SourcePosition? = nil
    ) {
        (self.kind, self.host, self.message, self.hint, self.position) = (kind, host, message, hint, position)
    }
}
