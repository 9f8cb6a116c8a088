internal import Encodings
internal import PinSetFormats
internal import PinSetMaintenance
internal import Pinning

/// Backup pins of a CA that no server of the host uses yet.
///
/// A backup of another CA works on every platform. A backup of a server's key does not work on Apple's systems if the set pins CAs,
/// because their CA list and their leaf list must both match.
enum BackupAuthority {
    /// - Parameter text: the path of a CA certificate, or the name of a public CA in pinctl's table.
    static func key(_ text: String, at now: Timestamp, _ console: Console) throws(CommandError) -> PinSet.PinnedKey {
        guard !InputFile.exists(at: text), text != "-" else {
            let certificate = try PinFlags.certificate(at: text, option: "backup-authority", console)
            guard certificate.isCA else {
                throw CommandError(
                    "\(InputFile.name(of: text)) is not a CA certificate", hint: "use the certificate of a CA")
            }
            return PinFlags.key(of: certificate, at: now)
        }
        let matches = KnownAuthorities.all.filter { $0.name.lowercased() == text.lowercased() }
        guard let match = matches.first, matches.count == 1, let pin = try? Pin(spelling: match.pin) else {
            throw CommandError(
                "\(text.quoted) is neither a certificate file nor the name of a public CA that pinctl knows",
                hint: similar(to: text) ?? "use the name as in \"ISRG Root X2\", or the file of the CA certificate")
        }
        return PinFlags.key(ofAuthority: pin, at: now)
            ?? PinSet.PinnedKey(
                pin: pin, role: .ca, state: .backup, label: match.name, added: now.startOfDay)
    }

    /// Maximum number of suggested names.
    private static let maximumSuggestions = 5

    private static func similar(to text: String) -> String? {
        let words = text.lowercased().split(separator: " ")
        let names = KnownAuthorities.all.map(\.name).filter { name in
            let name = name.lowercased()
            return words.allSatisfy { name.has(String($0)) }
        }
        guard !names.isEmpty, !words.isEmpty else { return nil }
        return "use one of these names: "
            + names.sorted().prefix(maximumSuggestions).map(\.quoted).joined(separator: ", ")
            + (names.count > maximumSuggestions ? ", and \(names.count - maximumSuggestions) more" : "")
    }
}
