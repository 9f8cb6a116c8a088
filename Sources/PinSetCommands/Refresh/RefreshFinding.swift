internal import CheckReports
internal import CommandSupport
internal import PinSetMaintenance
internal import Pinning

/// A problem or difference that a refresh found in an entry.
struct RefreshFinding {
    /// Codes of findings; part of the interface.
    enum Code: String, CaseIterable {
        case mismatch, untrusted, unreachable
        case expired = "pins-expired"
        case expiresSoon = "pins-expire-soon"
        case newPin = "new-pin"
        case gonePin = "gone-pin"
        case retiredPin = "retired-pin"
        case returnedPin = "returned-pin"
        case promotedBackup = "promoted-backup"
        case newBackup = "new-backup"
        case retiredInUse = "retired-in-use"
        case backupInUse = "backup-in-use"
        case noBackup = "no-backup"
        case wrongRole = "wrong-role"
        case unservedPin = "unserved-pin"
        case backupRefused = "backup-refused"
        case backupUnknown = "backup-unknown"
        case backupNotOnPlatform = "backup-not-on-platform"
        case platformRejects = "platform-rejects"
        case platformRefusesConfig = "platform-refuses-config"

        var summary: String {
            switch self {
            case .mismatch: "the chain is valid, but it contains no pin of the set; nothing was learned from it"
            case .untrusted: "the chain is not trusted; nothing was learned from it"
            case .unreachable: "an address gave no chain, so its pins could not be checked"
            case .expired: "the pins of the entry have expired: apps would accept any trusted chain"
            case .expiresSoon: "the pins of the entry expire soon"
            case .newPin: "the chain has a key that is missing from the set"
            case .gonePin: "another key has replaced a pin"
            case .retiredPin: "a pin has not been served for longer than the retention period"
            case .returnedPin: "a pin that was marked gone or retired is served again"
            case .promotedBackup: "a backup key is in use, and there is another backup"
            case .newBackup: "a backup key that is not in the set yet"
            case .retiredInUse: "a retired pin is in the chain"
            case .backupInUse: "a backup is in the chain, and there is no other backup"
            case .noBackup: "the host has no pin whose key is not in use"
            case .wrongRole: "the key of an active pin is in the chain, but not in the role of the pin"
            case .unservedPin: "an active pin is not in the chain, and no known key replaces it"
            case .backupRefused: "a key that cannot be a backup"
            case .backupUnknown: "pinctl cannot tell whether a backup key is in use"
            case .backupNotOnPlatform: "a backup does not match on a platform that the set is for"
            case .platformRejects: "a platform that the set is for rejects a chain that the set accepts"
            case .platformRefusesConfig: "a platform that the set is for would refuse the pin set"
            }
        }

        /// Whether the text report shows the finding in the row of the pin.
        var isShownInRow: Bool {
            switch self {
            case .newPin, .gonePin, .retiredPin, .returnedPin, .promotedBackup, .newBackup, .unservedPin: true
            case .mismatch, .untrusted, .unreachable, .expired, .expiresSoon, .retiredInUse, .backupInUse, .noBackup,
                .wrongRole, .backupRefused, .backupUnknown, .backupNotOnPlatform, .platformRejects,
                .platformRefusesConfig:
                false
            }
        }
    }

    static let rules = Code.allCases.map { CheckRule(code: $0.rawValue, summary: $0.summary) }

    let code: Code
    let severity: LintFinding.Severity
    let host: String
    let pin: Pin?
    /// One sentence in lower case, without a full stop.
    let message: String
    /// A short form for CI documents, if the message has lists or names only one side of a change.
    var title: String?
    /// Next step, if there is one.
    let hint: String?
    /// Path of the pin set, as given.
    let file: String
    /// Line in the file, from 1.
    let line: Int?
    /// Whether pinctl could not make the check, so that the result is unknown.
    var isInconclusive = false

    /// The finding for CI documents.
    var checkFinding: CheckFinding {
        var finding = CheckFinding(
            code: code.rawValue, severity: severity, host: host, pin: pin, message: message, hint: hint, file: file,
            line: line, isInconclusive: isInconclusive
        )
        finding.title = title
        return finding
    }
}
