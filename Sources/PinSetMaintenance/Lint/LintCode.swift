/// The kinds of findings. The raw values are part of the interface.
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

    case nothingPinned = "nothing-pinned"
    case nothingRead = "nothing-read"
    case unreadValue = "unread-value"

    // Hosts.
    case invalidHost = "invalid-host"
    case duplicateHost = "duplicate-host"
    case unreachablePattern = "unreachable-pattern"
    case overlappingPattern = "overlapping-pattern"
    case addressSubdomains = "address-subdomains"
    case emptyAnchor = "empty-anchor"
    case invalidEndpoint = "invalid-endpoint"
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

    // The pins of a host together.
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

    // Against a chain.
    case liveMismatch = "live-mismatch"
    case backupInUse = "backup-in-use"
    case retiredInUse = "retired-in-use"
    case wrongRole = "wrong-role"
    case untrustedChain = "untrusted-chain"
    case unreachable

    // Platforms.
    case silentExpiry = "silent-expiry"
    case overridePins = "override-pins"
    case tooFewPins = "too-few-pins"
    case neverMatches = "never-matches"
    case oneLabelOnly = "one-label-only"
    case bothLists = "both-lists"
    case caseSensitiveHost = "case-sensitive-host"
    case certificatePins = "certificate-pins"
    case keyNeverMatches = "key-never-matches"
    case unpinnedHost = "unpinned-host"
    case misreadValue = "misread-value"
    case stopsApp = "stops-app"
    case backupNotOnPlatform = "backup-not-on-platform"

    /// The severity, unless the finding sets another one.
    public var severity: LintFinding.Severity {
        switch self {
        case .syntax, .malformed, .wrongType, .missingKey, .duplicateKey, .unknownVersion, .unknownWord, .invalidDate,
            .nothingRead, .invalidHost, .duplicateHost, .unreachablePattern, .addressSubdomains, .emptyAnchor,
            .invalidEndpoint,
            .unreadableAnchor, .emptyPins, .invalidPin,
            .wrongDigest, .emptyHash, .placeholder, .nearMiss, .certificateHash, .bitStringHash, .textHash,
            .retiredOnly,
            .impossibleRole, .expired, .liveMismatch, .untrustedChain, .tooFewPins, .neverMatches,
            .caseSensitiveHost, .keyNeverMatches, .stopsApp:
            .error
        case .overlappingPattern, .oneLabelOnly, .silentExpiry, .nothingPinned: .note
        default: .warning
        }
    }

    /// The meaning: one sentence in lower case without a full stop.
    public var summary: String {
        switch self {
        case .syntax: "the file is not JSON"
        case .malformed: "the file breaks the rules of its format; the platform may reject the whole file"
        case .wrongType: "a value has the wrong JSON type for its key"
        case .missingKey: "a required key is missing"
        case .unknownKey: "a key is not known in this place; it may be misspelt"
        case .duplicateKey: "an object has a key twice, and readers differ in which value they use"
        case .unknownVersion: "the version of the set is unknown"
        case .unknownWord: "a value is not one of the words that its key accepts"
        case .invalidDate: "a date is not in RFC 3339 format"
        case .nothingPinned: "the file is valid but pins no host"
        case .nothingRead: "the file has pins or hosts, and none of them can be read"
        case .unreadValue: "a part of the file was not checked, such as a value in source code that is not a literal"
        case .invalidHost: "a host is not a host name or an IP address; it may have a port or a scheme"
        case .duplicateHost: "two entries have equal hosts, possibly in different spellings"
        case .unreachablePattern: "no host can match this pattern"
        case .overlappingPattern:
            "the entry of a parent domain also covers this host; one of the entries may have no effect"
        case .addressSubdomains: "an IP address has no subdomains"
        case .emptyAnchor: "the path of an anchor is empty or contains NUL, or the list of anchors is empty"
        case .invalidEndpoint:
            "an endpoint is not a host with an optional scheme and port, or the entry does not cover its host"
        case .unreadableAnchor: "an anchor file does not exist or has no certificates"
        case .reportOnly: "apps only report a mismatch: the pins protect no connection"
        case .emptyPins: "the list of pins is empty: no certificate matches"
        case .invalidPin: "a pin is not 32 bytes in base64 or hexadecimal digits"
        case .wrongDigest: "a pin was made with a digest other than SHA-256"
        case .emptyHash: "a pin is the SHA-256 of empty input: the command that should print the key printed nothing"
        case .placeholder: "a pin is a placeholder, not the hash of a key"
        case .nearMiss: "a pin differs from the pin of a known key in a few characters: it is mistyped"
        case .certificateHash: "a pin is the hash of a certificate, not of its key"
        case .bitStringHash: "a pin is the hash of a key's BIT STRING, not of the whole SubjectPublicKeyInfo"
        case .textHash: "a pin is the hash of a key's PEM text, not of its DER bytes"
        case .mislabelled: "the label names a CA other than the owner of the pin"
        case .duplicatePin: "an entry has a pin twice"
        case .noBackup: "the host has no pin whose key is not in use: if the keys in use are lost, no app can connect"
        case .leafOnly: "every pin is for a server key: the next key change breaks every app"
        case .intermediateOnly: "every pin is for an intermediate, which the CA can change at any time"
        case .rootOnly: "the only pin is a root: apps accept every certificate that this CA issues for the host"
        case .retiredOnly: "every pin is retired: no certificate matches"
        case .impossibleRole: "the role of a pin is impossible for its key"
        case .expired: "the pins have expired: apps accept any trusted chain"
        case .expiresSoon: "the pins expire soon"
        case .pinExpired: "according to \"notAfter\", the certificate of a pin has expired"
        case .pinExpiresSoon: "according to \"notAfter\", the certificate of a pin expires soon"
        case .authorityExpired: "the certificates of a pinned CA have expired"
        case .authorityExpiresSoon: "the certificates of a pinned CA expire soon"
        case .liveMismatch: "no pin of the entry matches the chain of the host"
        case .backupInUse: "a backup pin is in use"
        case .retiredInUse: "a retired pin is in use"
        case .wrongRole: "a pin is in the chain, but not in its role"
        case .untrustedChain: "the chain is not trusted, so no pin was compared with it"
        case .unreachable: "no chain was fetched from the host, so no pin was compared"
        case .silentExpiry: "after the expiry date the platform compares no pins and reports nothing"
        case .overridePins: "the platform compares no pins with chains under some anchors"
        case .tooFewPins: "the platform requires more pins; it stops the app at its start or ignores the pins"
        case .neverMatches: "the platform compares only the server's own key, but this is the pin of a CA"
        case .oneLabelOnly: "the platform covers names with one more label than the host, but no longer names"
        case .bothLists: "the platform requires a match in both lists, the list of CAs and the list of leaves"
        case .caseSensitiveHost: "the platform looks up hosts in lower case, so it never finds this one"
        case .certificatePins:
            "whole certificates are pinned: each renewal breaks every app, and leaf lifetimes decrease to 45 days"
        case .keyNeverMatches: "the platform never uses this key, or this pin never matches"
        case .unpinnedHost:
            "the platform does not pin a host that the file seems to pin, or does not check all connections to it"
        case .misreadValue: "the platform reads another value than the text suggests"
        case .stopsApp: "the platform rejects the file and stops the app"
        case .backupNotOnPlatform: "a backup of the set does not match on a platform that the set is for"
        }
    }
}
