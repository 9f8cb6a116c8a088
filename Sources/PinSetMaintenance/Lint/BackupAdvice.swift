internal import Encodings
package import PinSetCodec
package import Pinning

/// What a person adds to a file so that an entry survives the loss of the keys in use. It is something that the file's format can
/// contain, and that the platform matches.
package struct BackupAdvice {
    private let format: PinSetFormat
    private let hasLeafPins: Bool
    private let hasAuthorityPins: Bool
    private let hasOtherPins: Bool

    /// - Parameter roles: the roles of the entry's pins that can match.
    package init(for format: PinSetFormat, roles: [PinSet.AllowedRole]) {
        self.format = format
        hasLeafPins = roles.contains(.leaf)
        hasAuthorityPins = roles.contains { [.intermediate, .root, .ca].contains($0) }
        hasOtherPins = roles.contains(.any)
    }

    /// Another key or CA.
    package var step: String {
        guard !format.traits.isNative else {
            return
                "create a backup key with \"pinctl keygen\", store it off the server, and add its pin with \"pinctl add --from-csr\""
        }
        let lists = format.pinLists
        if let (leaves, authorities) = lists, hasLeafPins, hasAuthorityPins {
            return "add the pin of a backup key to \(leaves.quotedExcerpt), and the pin of another CA to"
                + " \(authorities.quotedExcerpt)" + Self.place
        }
        if hasAuthorityPins, !hasLeafPins, !hasOtherPins {
            return "add the pin of another CA" + (lists.map { " to \($0.authorities.quotedExcerpt)" } ?? "")
                + Self.place
        }
        return "create a backup key, store it off the server, and add its pin"
            + (lists.map { " to \($0.leaves.quotedExcerpt)" } ?? "") + Self.place
    }

    /// The end of a step for a file that pinctl sync may write.
    private static let place = ", here or in the set that this file is a copy of"
}

extension PinSetFormat {
    /// The keys of the two lists of which a chain must match each; nil if the format has one list.
    var pinLists: (leaves: String, authorities: String)? {
        traits.lintRules.lazy.compactMap { rule in
            if case .twoLists(let leaves, let authorities) = rule { (leaves, authorities) } else { nil }
        }.first
    }

    /// The hint to give a pin another role: in a format with two lists, the list determines the role.
    func step(toRole role: Role) -> String {
        guard let lists = pinLists else { return "use the role \(role.rawValue.quotedExcerpt)" }
        return "move it to \((role == .leaf ? lists.leaves : lists.authorities).quotedExcerpt)"
    }
}
