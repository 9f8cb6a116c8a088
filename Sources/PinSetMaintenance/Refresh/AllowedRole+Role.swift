package import Pinning

extension PinSet.AllowedRole {
    /// The allowed role that contains exactly this role.
    package init(_ role: Role) {
        self =
            switch role {
            case .leaf: .leaf
            case .intermediate: .intermediate
            case .root: .root
            }
    }
}
