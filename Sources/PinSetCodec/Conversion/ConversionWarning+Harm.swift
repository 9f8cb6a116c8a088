internal import Encodings
internal import Pinning

extension ConversionWarning {
    /// The effect of a loss on the connections of an app. The cases are in the order of harm, the worst first.
    public enum Harm: Int, Hashable, Sendable, CaseIterable, Comparable {
        /// The platform rejects the configuration, stops the app, or blocks connections that the set allows.
        case blocks
        /// A host, a subdomain, a backup or another pin is not compared, or pins of another host are accepted.
        case unpins
        /// A setting or a part of the file is lost, and the effect depends on it.
        case differs
        /// The loss changes no pin and no host: fields for people, retired pins, and roles that match more positions of the chain.
        case none

        public static func < (one: Harm, other: Harm) -> Bool { one.rawValue < other.rawValue }
    }

    public var harm: Harm {
        switch reason {
        case .tooFewPins, .noPublicSuffix, .twoPinsForTrustKit, .bothListsMustMatch, .reportOnlyNotSupported,
            .reportOnlyIsForTrustKit, .patternLeftOut, .hostRejected, .pinWithoutPrefix, .hostBlocked,
            .subdomainsOfAddress,
            .fileRejected:
            .blocks
        case .pinSpelling(_, _, _, _, let effect?), .pinLeftOut(_, _, let effect), .dayNotRead(_, _, _, let effect):
            effect == .rejectsFile ? .blocks : .unpins
        case .addressNotSupported, .pinOfAuthority, .noLeafPin, .pinOfLeaf, .noAuthorityPin, .noActivePin,
            .backupListLeftOut(_, others: false),
            .subdomainsHidden, .hostWithUnderscore, .trustKitReportsOnly, .noCertificate, .certificateOfAuthority,
            .noCertificateForFingerprint, .neverMatches, .onlyOneFingerprint, .notSigned, .hostNeverMatches,
            .otherHost(.removed), .notRead, .valueNotLiteral, .unknownPattern, .unknownPin, .otherFormatInFile,
            .hostWithoutPins,
            .hostExcluded, .duplicateHeader, .headerIgnored, .headerInComment, .unknownRecord, .recordWithoutPin,
            .entriesWithoutPins, .forbiddenPin, .sha1Pin, .patternWithoutPins, .laterEntry, .nothingPinned,
            .nothingRead,
            .noCommonName, .validChainsNotCompared,
            .recordsNotRead, .hostNotFound, .hostSpelling, .partNeverMatches,
            .clientCertificates, .notTrueOrFalse, .misspelledKey, .pinsOverridden,
            .uncheckedConnections, .headerNotConforming, .includeNotRead, .pinsOfOtherType, .pinsPooled,
            .hostListsUnited:
            .unpins
        case .roleNotSupported(_, .leafOnly), .roleNotSupported(_, .authoritiesOnly): .unpins
        case .subdomainsNotSupported(let given, let written):
            // All subdomains in place of one label block names that the set does not pin.
            given == .all || written == .none ? .unpins : .differs
        case .roleNotSupported(_, .anyCertificate), .roleNotSupported(_, .anyAuthority), .retiredPin,
            .labelsNotSupported, .labelIsName, .labelRewritten, .notAfterNotSupported, .labelsInBinaryFile,
            .otherHost(.kept),
            .backupListLeftOut(_, others: true),
            .pinSpelling(_, _, _, _, nil):
            .none
        default: .differs
        }
    }
}

extension ConversionWarning {
    /// Whether a value was left out because only a compiler, a build or the program knows it.
    package var isUnread: Bool {
        switch reason {
        case .valueNotLiteral, .unknownPattern, .unknownPin: true
        default: false
        }
    }

    /// Whether a pin that can match was left out. Others have no effect on the platform, so a set without them is equal.
    package var leavesOutMatchingPins: Bool {
        switch reason {
        case .notRead, .noCertificateForFingerprint, .recordWithoutPin, .sha1Pin: true
        default: isUnread
        }
    }

    /// Whether a pin, or a host with its pins, was left out because it could not be read.
    package var leavesOutUnreadPins: Bool {
        switch reason {
        case .pinLeftOut, .valueNotLiteral, .unknownPattern, .unknownPin, .patternLeftOut, .hostRejected,
            .patternWithoutPins,
            .pinsOfOtherType, .hostNeverMatches, .hostNotFound, .hostBlocked, .neverMatches, .partNeverMatches,
            .sha1Pin,
            .unknownRecord, .recordWithoutPin,
            .headerIgnored,
            .notRead, .noCertificateForFingerprint:
            true
        default: false
        }
    }
}

/// Warnings with the same effect, as one message.
public struct ConversionWarningGroup: Hashable, Sendable {
    public let warnings: [ConversionWarning]

    public var harm: ConversionWarning.Harm { warnings.map(\.harm).min() ?? .none }

    /// The hosts as written, each once.
    public var hosts: [String] {
        var known: Set<String> = []
        return warnings.compactMap(\.host).filter { known.insert($0).inserted }
    }

    /// Groups warnings, the most harmful first. Warnings of equal harm keep their order.
    public static func groups(of warnings: [ConversionWarning]) -> [ConversionWarningGroup] {
        var indices: [Key: Int] = [:]
        var groups: [[ConversionWarning]] = []
        for warning in warnings {
            let key = Key(warning)
            if let index = indices[key] {
                groups[index].append(warning)
            } else {
                indices[key] = groups.count
                groups.append([warning])
            }
        }
        let found = groups.map(ConversionWarningGroup.init)
        return ConversionWarning.Harm.allCases.flatMap { harm in found.filter { $0.harm == harm } }
    }

    private struct Key: Hashable {
        let harm: ConversionWarning.Harm
        let text: String
        let isOfHost: Bool

        init(_ warning: ConversionWarning) {
            (harm, isOfHost) = (warning.harm, warning.host != nil)
            text = warning.reason.message(ofPins: 2) ?? warning.message
        }
    }
}

extension ConversionWarningGroup: CustomStringConvertible {
    /// The hosts and the message, without a full stop.
    public var description: String {
        guard let first = warnings.first else { return "" }
        guard warnings.count > 1 else { return first.description }
        let pins = Set(warnings.compactMap(\.reason.pin)).count
        let message = pins > 1 ? first.reason.message(ofPins: pins) ?? first.message : first.message
        let hosts = hosts
        guard !hosts.isEmpty else { return message }
        let names = hosts.prefix(Self.maximumHosts).map(\.quotedExcerpt).joined(separator: ", ")
        let more = hosts.count - Self.maximumHosts
        return names + (more > 0 ? " and \(more) more \(more == 1 ? "host" : "hosts")" : "") + ": " + message
    }

    /// Maximum number of hosts that the description names.
    private static let maximumHosts = 3

    package var sentence: String { description }
}
