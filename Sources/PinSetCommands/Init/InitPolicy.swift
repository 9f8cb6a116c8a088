internal import Arguments
internal import CommandSupport
internal import Encodings
internal import Pinning

/// The certificates that a first pin set pins: `ca+backup`.
struct InitPolicy: Hashable, Sendable {
    enum Part: String, CaseIterable, Sendable {
        case leaf, intermediate, root
        /// The intermediate that issued the leaf, and the root.
        case ca
        /// A key that no server uses.
        case backup
    }

    let text: String
    /// Roles in the chain, leaf first.
    let roles: [Role]

    /// Parses parts joined by `+`; nil if one is unknown or given twice, or none of them is a role in the chain.
    init?(_ text: String) {
        var roles: Set<Role> = []
        var parts: Set<Part> = []
        for name in text.parts(separatedBy: "+") {
            guard let part = Part(rawValue: String(name)), parts.insert(part).inserted else { return nil }
            switch part {
            case .leaf: roles.insert(.leaf)
            case .intermediate: roles.insert(.intermediate)
            case .root: roles.insert(.root)
            case .ca: roles.formUnion([.intermediate, .root])
            case .backup: break
            }
        }
        guard !roles.isEmpty else { return nil }
        self.text = text
        self.roles = Role.allCases.filter(roles.contains)
        requiresBackup = parts.contains(.backup)
        acceptsAnyAuthority = parts.contains(.ca)
    }

    private init(roles: [Role], requiresBackup: Bool, acceptsAnyAuthority: Bool, text: String) {
        (self.text, self.roles, self.requiresBackup, self.acceptsAnyAuthority) = (
            text, roles, requiresBackup, acceptsAnyAuthority
        )
    }

    /// The policy without `--policy`: `ca`, with or without a backup.
    static let `default` = InitPolicy(
        roles: [.intermediate, .root], requiresBackup: false, acceptsAnyAuthority: true, text: Part.ca.rawValue)

    let requiresBackup: Bool
    /// Whether the chain need not contain an intermediate.
    private let acceptsAnyAuthority: Bool

    /// The certificates of a chain to pin, leaf first; a failure if a role is missing.
    func entries(of chain: CertificateChain) -> Result<[CertificateChain.Entry], MissingRole> {
        var entries: [CertificateChain.Entry] = []
        for role in roles {
            // The first intermediate is the one that issued the leaf. The others change with cross-signatures.
            if let entry = chain.entries.first(where: { $0.role == role }) {
                entries.append(entry)
            } else if !acceptsAnyAuthority || role == .leaf {
                return .failure(MissingRole(role: role))
            }
        }
        return entries.isEmpty ? .failure(MissingRole(role: .root)) : .success(entries)
    }

    /// A policy for a chain without a role of this one, with the leaf and the backup of this one; nil if no other policy fits.
    func alternative(for chain: CertificateChain) -> String? {
        let names = roles.contains(.leaf) ? ["leaf+ca", "leaf"] : ["ca", "leaf"]
        return names.map { $0 + (requiresBackup ? "+\(Part.backup.rawValue)" : "") }.first { name in
            guard let policy = InitPolicy(name), case .success = policy.entries(of: chain) else { return false }
            return true
        }
    }

    var textWithoutBackup: String {
        text.parts(separatedBy: "+").filter { $0 != Part.backup.rawValue }.joined(separator: "+")
    }

    /// A role that no certificate of the chain has.
    struct MissingRole: Error {
        let role: Role
    }

    static let value = Value<InitPolicy>(
        "POLICY", expected: "leaf, intermediate, root, ca and backup, joined by +",
        choices: ["ca+backup", "leaf+backup", "root+backup", "leaf+ca+backup"]
    ) { InitPolicy($0) }
}
