package import Pinning

/// The next steps for hosts that a format leaves out.
extension ConversionWarning {
    /// Whether the format leaves out the whole host.
    package var leavesOutHost: Bool {
        switch reason {
        case .addressNotSupported, .hostWithUnderscore, .noLeafPin, .noAuthorityPin, .noActivePin: true
        default: false
        }
    }

    /// Whether the reason is that the platform compares none of the pins in use. Otherwise the platform does not pin such a host.
    package var isOfPins: Bool { missingRole != nil }

    /// The role of the pin without which the host is left out.
    package var missingRole: PinSet.AllowedRole? {
        switch reason {
        case .noLeafPin, .noActivePin(.leaf): .leaf
        case .noAuthorityPin, .noActivePin: .ca
        default: nil
        }
    }

    /// The next step, which begins with an imperative; nil if pinctl knows no step.
    package var step: String? {
        switch reason {
        case .noCertificate, .certificateOfAuthority, .noCertificateForFingerprint:
            Self.certificateStep(isLeaf: reason.isAboutAuthority)
        case .addressNotSupported, .hostWithUnderscore: "use another format for this host"
        default:
            switch missingRole {
            case .leaf: "add the pin of the server's own key with the state \"active\""
            case .some: "add the pin of a CA of the host's chain with the state \"active\""
            case nil: nil
            }
        }
    }

    /// The next step if certificates are given, and none of them has a pin of the set.
    static func certificateStep(isLeaf: Bool) -> String {
        isLeaf
            ? "use the server's own certificate, with a key that the set pins"
            : "use a certificate with a key that the set pins"
    }
}

extension ConversionWarning.Reason {
    /// Whether a certificate of a CA was given for a platform that compares only the server's own.
    fileprivate var isAboutAuthority: Bool {
        if case .certificateOfAuthority = self { true } else { false }
    }
}
