internal import Arguments
internal import Pinning

/// What a first pin set pins: `ca+backup`.
struct InitPolicy: Hashable, Sendable {
    enum Part: String, CaseIterable, Sendable {
        case leaf, intermediate, root
        /// The intermediate that issued the leaf, and the root.
        case ca
        /// A key that no server uses.
        case backup
    }

    let text: String
    /// Places in the chain.
    let roles: [Role]

    /// Nil for what is no list of parts joined by `+`, or names no place in the chain.
    init?(_ text: String) {
        var roles: Set<Role> = []
        var parts: Set<Part> = []
        for name in text.split(separator: "+", omittingEmptySubsequences: false) {
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
        wantsBackup = parts.contains(.backup)
        isAnyAuthority = parts.contains(.ca)
    }

    private init(roles: [Role], wantsBackup: Bool, isAnyAuthority: Bool, text: String) {
        (self.text, self.roles, self.wantsBackup, self.isAnyAuthority) = (text, roles, wantsBackup, isAnyAuthority)
    }

    /// Where none is given: `ca`, which is content with a backup and without one.
    static let usual = InitPolicy(
        roles: [.intermediate, .root], wantsBackup: false, isAnyAuthority: true, text: Part.ca.rawValue)

    let wantsBackup: Bool
    /// Whether one authority is as good as another, so that a chain may lack an intermediate.
    private let isAnyAuthority: Bool

    /// The certificates of a chain that are to be pinned, the leaf's side first; nil, and the role, where there is none.
    func entries(of chain: Chain) -> Result<[Chain.Entry], Missing> {
        var entries: [Chain.Entry] = []
        for role in roles {
            // Of several intermediates the one that issued the leaf: the others come and go with cross-signatures.
            if let entry = chain.entries.first(where: { $0.role == role }) {
                entries.append(entry)
            } else if !isAnyAuthority || role == .leaf {
                return .failure(Missing(role: role))
            }
        }
        return entries.isEmpty ? .failure(Missing(role: .root)) : .success(entries)
    }

    /// A place that the chain does not have.
    struct Missing: Error {
        let role: Role
    }

    static let value = Value<InitPolicy>(
        "POLICY", expected: "leaf, intermediate, root, ca and backup, joined by +",
        choices: ["ca+backup", "leaf+backup", "root+backup", "leaf+ca+backup"]
    ) { InitPolicy($0) }
}
