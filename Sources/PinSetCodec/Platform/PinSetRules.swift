internal import Encodings
package import Pinning

/// The rules of a platform whose files contain nothing that a pin set cannot express. So the pin set is sufficient to apply them.
package protocol PinSetRules: PlatformRules {
    /// The result if the platform rejects the configuration or the host for every chain; nil if it accepts them.
    static func refusal(of connection: PinSetConnection) -> PlatformRuling?

    /// The result for a valid chain.
    static func ruling(on connection: PinSetConnection) -> PlatformRuling

    /// The result for a chain that does not validate.
    static func rulingOnInvalidChain(_ connection: PinSetConnection) -> PlatformRuling
}

extension PinSetRules {
    package static func model(of set: PinSet) -> any PlatformModel { PinSetModel<Self>(set: set) }

    package static func refusal(of _: PinSetConnection) -> PlatformRuling? { nil }

    package static func rulingOnInvalidChain(_: PinSetConnection) -> PlatformRuling {
        PlatformRuling(.rejects, "the chain is validated before any pin is compared, and this one does not validate")
    }
}

/// A pin set as the configuration of a platform.
package struct PinSetModel<Rules: PinSetRules>: PlatformModel {
    let set: PinSet

    package func refusal(of connection: PlatformConnection) -> PlatformRuling? {
        Rules.refusal(of: PinSetConnection(connection, set))
    }

    package func ruling(on connection: PlatformConnection) -> PlatformRuling {
        Rules.ruling(on: PinSetConnection(connection, set))
    }

    package func rulingOnInvalidChain(_ connection: PlatformConnection) -> PlatformRuling {
        Rules.rulingOnInvalidChain(PinSetConnection(connection, set))
    }
}

/// A connection to predict, with the pin set that decides.
package struct PinSetConnection: Sendable {
    package let set: PinSet
    private let connection: PlatformConnection

    init(_ connection: PlatformConnection, _ set: PinSet) {
        (self.connection, self.set) = (connection, set)
    }

    /// The normalized host name or IP address.
    package var host: String { connection.host }

    /// The validated chain, leaf first, with its anchor; for an invalid chain, the certificates that were sent.
    package var chain: [PlatformConnection.Link] { connection.chain }

    /// The known reasons why the chain is not valid.
    package var failures: [TrustFailure] { connection.failures }

    /// The entry of the host itself.
    package var ownEntry: PinSet.Entry? { self.set.indices[host].map { self.set.entries[$0] } }

    /// The lowest certificate that has one of the pins.
    package func hit(
        _ keys: [PinSet.PinnedKey], where isAllowed: (PlatformConnection.Link) -> Bool = { _ in true }
    ) -> PlatformConnection.Link? {
        connection.hit(Set(keys.map(\.pin)), where: isAllowed)
    }

    /// The ruling if all pins of an entry are retired; otherwise nil.
    package func retiredEntry(among entries: [PinSet.Entry]) -> PlatformRuling? {
        entries.lazy.compactMap(\.retiredRuling).first
    }
}
