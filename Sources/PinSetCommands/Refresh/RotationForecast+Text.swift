internal import CommandSupport
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

extension RotationForecast {
    /// The events of a forecast, and the path of the outcome of each.
    static var events: [(name: String, path: KeyPath<RotationForecast, Outcome>)] {
        [
            ("leaf renewed with the same key", \.leafWithSameKey), ("leaf renewed with a new key", \.leafWithNewKey),
            ("another intermediate", \.intermediate), ("another root", \.root),
        ]
    }
}

extension RefreshOutcome {
    /// The platforms with a worse outcome than the set itself, grouped by their outcome.
    func exceptions(
        _ path: KeyPath<RotationForecast, RotationForecast.Outcome>
    ) -> [(RotationForecast.Outcome, [String])] {
        guard let own = forecast?[keyPath: path] else { return [] }
        var groups: [(RotationForecast.Outcome, [String])] = []
        for platform in platforms {
            let other = platform.forecast[keyPath: path]
            guard other.isWorse(than: own) else { continue }
            if let index = groups.firstIndex(where: { $0.0 == other }) {
                groups[index].1.append(platform.platform.rawValue)
            } else {
                groups.append((other, [platform.platform.rawValue]))
            }
        }
        return groups
    }
}

extension RotationForecast.Outcome {
    /// The answer to the question whether a pin still matches.
    var words: (String, Style.Emphasis) {
        switch self {
        case .survives: ("yes", .good)
        case .ifKeyIsKept: ("only if the server keeps its key", .careful)
        case .ifBackupTakesOver(let keys):
            ("only if the server uses \(Self.selection(of: keys)) \(Self.kinds(of: keys))", .careful)
        case .fails: ("no", .bad)
        case .notPinned: ("yes, no pin is compared", .careful)
        }
    }

    /// "the backup", or "the other pinned" if a key is not marked as a backup.
    private static func selection(of keys: [PinSet.PinnedKey]) -> String {
        guard keys.allSatisfy({ $0.state == .backup }) else {
            return keys.count == 1 ? "the other pinned" : "another pinned"
        }
        return keys.count == 1 ? "the backup" : "a backup"
    }

    /// "key" for keys of the server, "CA" for pins of CAs.
    private static func kinds(of keys: [PinSet.PinnedKey]) -> String {
        let ofServer = keys.contains { $0.role == .leaf || $0.role == .any }
        let ofAuthority = keys.contains { $0.role != .leaf && $0.role != .any }
        return ofServer ? (ofAuthority ? "key or CA" : "key") : "CA"
    }
}
