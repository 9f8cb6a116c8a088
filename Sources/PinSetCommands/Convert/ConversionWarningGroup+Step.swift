internal import CommandSupport
internal import Encodings
internal import PinSetCodec
internal import Pinning

/// The next steps after a loss, with the commands that change the set.
extension ConversionWarningGroup {
    /// The step that gives the hosts the missing pin on the platform; nil if pinctl knows none.
    ///
    /// - Parameter path: path of the pin set; nil if pinctl add does not change it.
    func step(in path: String?) -> String? {
        guard let warning = warnings.first else { return nil }
        let host = hosts.count == 1 ? hosts[0] : "HOST"
        // The backup is a server key, and the set pins CAs.
        if case .backupListLeftOut(let key, others: false) = warning.reason, key.role == .leaf {
            return "add a backup that works on this platform: the pin of another CA, with "
                + Self.command(["--backup-authority", "CA"], in: path, host)
        }
        guard let role = warning.missingRole else { return nil }
        let (what, file) = role == .leaf ? ("the server's own key", "LEAF.pem") : ("the CA in use", "CA.pem")
        return "add \(what) as an active pin: "
            + Self.command(["--from-cert", file, "--state", "active"], in: path, host)
    }

    private static func command(_ options: [String], in path: String?, _ host: String) -> String {
        let file = path.flatMap { $0 == "-" ? nil : $0 } ?? "FILE"
        return ShellCommand.line(["pinctl", "add", "--pins", ShellCommand.path(file)] + options + [host])
    }
}

extension ConversionWarning {
    /// The next step for one host; nil if pinctl knows none.
    ///
    /// - Parameter path: path of the pin set; nil if pinctl add does not change it.
    func step(in path: String?) -> String? {
        ConversionWarningGroup.groups(of: [self]).first?.step(in: path) ?? step
    }
}
