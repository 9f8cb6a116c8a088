/// The kinds of findings, each with a word that is part of the interface.
public enum LintCode: String, Hashable, Sendable, CaseIterable {
    // The file.
    case syntax, malformed
    case wrongType = "wrong-type"
    case missingKey = "missing-key"
    case unknownKey = "unknown-key"
    case duplicateKey = "duplicate-key"
    case unknownVersion = "unknown-version"
    case unknownWord = "unknown-word"
    case invalidDate = "invalid-date"

    // Hosts.
    case invalidHost = "invalid-host"
    case duplicateHost = "duplicate-host"
    case unreachablePattern = "unreachable-pattern"
    case overlappingPattern = "overlapping-pattern"
    case addressSubdomains = "address-subdomains"
    case emptyAnchor = "empty-anchor"
    case unreadableAnchor = "unreadable-anchor"
    case reportOnly = "report-only"

    // Single pins.
    case emptyPins = "empty-pins"
    case invalidPin = "invalid-pin"
    case wrongDigest = "wrong-digest"
    case emptyHash = "empty-hash"
    case placeholder
    case nearMiss = "near-miss"
    case certificateHash = "certificate-hash"
    case bitStringHash = "bit-string-hash"
    case textHash = "text-hash"
    case mislabelled
    case duplicatePin = "duplicate-pin"

    // What the pins of a host come to.
    case noBackup = "no-backup"
    case leafOnly = "leaf-only"
    case intermediateOnly = "intermediate-only"
    case rootOnly = "root-only"
    case retiredOnly = "retired-only"
    case impossibleRole = "impossible-role"

    // Time.
    case expired
    case expiresSoon = "expires-soon"
    case pinExpired = "pin-expired"
    case pinExpiresSoon = "pin-expires-soon"
    case authorityExpired = "authority-expired"
    case authorityExpiresSoon = "authority-expires-soon"

    // Against the chain of today.
    case liveMismatch = "live-mismatch"
    case liveOnly = "live-only"
    case backupInUse = "backup-in-use"
    case retiredInUse = "retired-in-use"
    case wrongRole = "wrong-role"
    case untrustedChain = "untrusted-chain"
    case unreachable

    // What platforms do with their files.
    case silentExpiry = "silent-expiry"
    case overridePins = "override-pins"
    case tooFewPins = "too-few-pins"
    case neverMatches = "never-matches"
    case oneLabelOnly = "one-label-only"
    case bothLists = "both-lists"
    case caseSensitiveHost = "case-sensitive-host"
    case certificatePins = "certificate-pins"

    /// How bad it is, unless the finding knows better.
    public var severity: LintFinding.Severity {
        switch self {
        case .syntax, .malformed, .wrongType, .missingKey, .duplicateKey, .unknownVersion, .unknownWord, .invalidDate,
            .invalidHost, .duplicateHost, .unreachablePattern, .addressSubdomains, .emptyAnchor,
            .unreadableAnchor, .emptyPins, .invalidPin,
            .wrongDigest, .emptyHash, .placeholder, .nearMiss, .certificateHash, .bitStringHash, .textHash,
            .retiredOnly,
            .impossibleRole, .expired, .liveMismatch, .tooFewPins, .neverMatches:
            .error
        case .overlappingPattern, .oneLabelOnly, .silentExpiry: .note
        default: .warning
        }
    }

    /// What it means, in one sentence in lower case without its full stop.
    public var summary: String {
        switch self {
        case .syntax: "the file is not JSON"
        case .malformed: "the file cannot be read by the rules of its format, and the platform may refuse it whole"
        case .wrongType: "a value has another JSON type than its key demands"
        case .missingKey: "a key is missing without which the set cannot be read"
        case .unknownKey: "a key means nothing here, and may be a known one misspelt"
        case .duplicateKey: "a key stands twice, and readers differ in which of the two they take"
        case .unknownVersion: "the version of the set is not known"
        case .unknownWord: "a key has a word that it does not take"
        case .invalidDate: "a date cannot be read"
        case .invalidHost: "a host is no host name and no address: it has a port, a scheme, or worse"
        case .duplicateHost: "a host stands twice, in whatever spelling"
        case .unreachablePattern: "no host will ever match this pattern"
        case .overlappingPattern: "an entry above this host covers it too, and does not count for it"
        case .addressSubdomains: "an IP address has no subdomains"
        case .emptyAnchor: "the path of an anchor is empty"
        case .unreadableAnchor: "a file of anchors is not there, or holds no certificates"
        case .reportOnly: "a mismatch is only reported: nobody is protected"
        case .emptyPins: "the list of pins is empty: no certificate could match"
        case .invalidPin: "what stands in a pin's place is not 32 bytes of base64 or hexadecimal digits"
        case .wrongDigest: "a pin was made by another digest than SHA-256"
        case .emptyHash: "a pin is the SHA-256 of zero bytes: the command that should print the key printed nothing"
        case .placeholder: "a pin is filler, and the hash of no key"
        case .nearMiss: "a pin is that of a known key but for a few characters: it was mistyped"
        case .certificateHash: "a pin is the hash of a certificate, and not of its key"
        case .bitStringHash: "a pin is the hash of a key's bits, without the SubjectPublicKeyInfo around them"
        case .textHash: "a pin is the hash of a key's text in PEM, and not of its bytes"
        case .mislabelled: "the label names another authority than the one whose pin it is"
        case .duplicatePin: "a pin stands twice in one entry"
        case .noBackup: "there is one pin only: the day its key is lost, every app stops working"
        case .leafOnly: "every pin is on a server's own key: the next key change breaks every app"
        case .intermediateOnly: "every pin is on an intermediate, which its authority changes without asking"
        case .rootOnly: "a root is all that is pinned: whatever that authority issues, to whomever, is accepted"
        case .retiredOnly: "every pin is retired, so that no certificate matches"
        case .impossibleRole: "a pin is bound to a place of the chain where its key never stands"
        case .expired: "the pins hold no more by the set's own date: apps accept any trusted chain"
        case .expiresSoon: "the pins soon hold no more by the set's own date"
        case .pinExpired: "the certificate of a pin has ended, as the set says"
        case .pinExpiresSoon: "the certificate of a pin soon ends, as the set says"
        case .authorityExpired: "the certificates of a pinned authority have ended"
        case .authorityExpiresSoon: "the certificates of a pinned authority soon end"
        case .liveMismatch: "no pin of the entry is in the chain that the host presents"
        case .liveOnly: "every pin is in the chain of today: none would survive if that were lost as a whole"
        case .backupInUse: "a pin that is called a backup is in use"
        case .retiredInUse: "a pin that is called retired is in use"
        case .wrongRole: "a pin is in the chain in a place where its role does not let it match"
        case .untrustedChain: "the chain does not validate, so no pin was compared with it"
        case .unreachable: "the host gave no chain, so nothing was compared"
        case .silentExpiry: "after its date the platform compares no pin, and says nothing"
        case .overridePins: "chains under some anchors skip the pins"
        case .tooFewPins: "the platform demands more pins, and stops the app at its start"
        case .neverMatches: "the platform compares the server's own key alone, and this is an authority's pin"
        case .oneLabelOnly: "the platform covers names one label below the host, and no deeper ones"
        case .bothLists: "the platform demands a match in both lists, of the authorities and of the leaf"
        case .caseSensitiveHost: "the platform demands hosts in lower case, and may not find this one"
        case .certificatePins:
            "whole certificates are pinned: each renewal breaks every app, and leaf lifetimes shrink to 45 days"
        }
    }
}
