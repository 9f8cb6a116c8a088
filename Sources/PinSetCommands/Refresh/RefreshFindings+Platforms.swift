internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

/// The findings about the platforms that the set is for.
extension RefreshFindings {
    /// The platforms that would reject a chain that the set accepts: some need a match in each of several lists, or in one certificate. Also
    /// those that would refuse the set.
    var rejections: [RefreshFinding] {
        guard plan.platforms.areKnown else { return [] }
        let configurations = plan.platforms.configurations(for: kept, in: plan.pins.set)
        var reported: Set<PlatformVerdict> = []
        return zip(refresh.observations, addresses).flatMap { observation, address -> [RefreshFinding] in
            let isCompared =
                switch observation.verdict {
                case .match: true
                // Only --write adds the keys of a chain that --accept-new accepts.
                case .accepted: plan.mode == .write
                // The set only reports it, which not every platform can.
                case .mismatch: !entry.enforce
                case .untrusted, .unreachable: false
                }
            guard isCompared, let chain = observation.chain else { return [] }
            let connection = PlatformConnection(
                host: plan.identity(of: address.target).text, chain: chain, at: plan.rules.now)
            return configurations.compactMap { configuration in
                let verdict = configuration.verdict(on: connection)
                let code: RefreshFinding.Code
                let sentence: String
                switch verdict.verdict {
                case .rejects: (code, sentence) = (.platformRejects, "rejects the chain of \(address.name)")
                case .refusesConfig: (code, sentence) = (.platformRefusesConfig, "refuses the pin set")
                case .accepts, .notPinned: return nil
                }
                guard reported.insert(verdict).inserted else { return nil }
                return finding(
                    code, .error, "\(verdict.platform.rawValue) \(sentence): \(verdict.rule)",
                    hint: refresh.isDifferent && plan.mode != .write ? plan.writeStep : nil)
            }
        }
    }

    /// The backups that do not work on a platform of the set.
    var lostBackups: [RefreshFinding] {
        kept.pins.compactMap { key in
            let names = platforms.filter { $0.lostBackups.contains { $0.pin == key.pin } }.map(\.platform.rawValue)
            guard !names.isEmpty else { return nil }
            return finding(
                .backupNotOnPlatform, .warning, PlatformForecast.message(on: key, lostOn: names), key,
                hint: "add a backup that works there: the pin of another CA, with "
                    + ShellCommand.line([
                        "pinctl", "add", "--pins", ShellCommand.path(plan.path), "--backup-authority", "CA", host,
                    ]))
        }
    }
}
