internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

/// The findings about the platforms that the set is for.
extension RefreshFindings {
    /// The platforms that would reject a chain that matches the set: some need a match in each of several lists, or in one certificate.
    var rejections: [RefreshFinding] {
        guard plan.platforms.areKnown else { return [] }
        let configurations = plan.platforms.configurations(for: kept, in: plan.pins.set)
        var reported: Set<PlatformVerdict> = []
        return zip(refresh.observations, addresses).flatMap { observation, address -> [RefreshFinding] in
            // Only --write adds the keys of a chain that --accept-new accepts.
            let isMatched = observation.verdict == .match || observation.verdict == .accepted && plan.mode == .write
            guard isMatched, let chain = observation.chain else { return [] }
            let connection = PlatformConnection(
                host: plan.identity(of: address.target).text, chain: chain, at: plan.rules.now)
            return configurations.compactMap { configuration in
                let verdict = configuration.verdict(on: connection)
                guard verdict.verdict == .rejects, reported.insert(verdict).inserted else { return nil }
                return finding(
                    .platformRejects, .error,
                    "\(verdict.platform.rawValue) rejects the chain of \(address.name): \(verdict.rule)",
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
