internal import Encodings
internal import PinSetFormats
internal import PinSetMaintenance
internal import Pinning

/// Backup pins of a CA that no server of the host uses yet.
///
/// A backup of another CA works on every platform. A backup of a server's key does not work on Apple's systems if the set pins CAs,
/// because their CA list and their leaf list must both match.
enum BackupAuthority {
    /// - Parameters:
    ///   - text: the path of a CA certificate, or the name of a public CA in pinctl's table.
    ///   - acceptsExpired: false to reject a CA whose certificates have expired, because it issues none.
    static func key(
        _ text: String, at now: Timestamp, acceptsExpired: Bool, _ console: Console
    ) throws(CommandError) -> PinSet.PinnedKey {
        let key = try key(text, at: now, console)
        guard let end = key.expiry(before: now), !acceptsExpired else { return key }
        throw CommandError(
            "\(text.quoted) is no backup: the certificate of this CA expired on \(end.date)",
            hint: "use a CA that issues certificates, as in \"ISRG Root X2\"")
    }

    private static func key(
        _ text: String, at now: Timestamp, _ console: Console
    ) throws(CommandError) -> PinSet.PinnedKey {
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
                hint: similar(to: text, at: now)
                    ?? "use the name as in \"ISRG Root X2\", or the file of the CA certificate")
        }
        return PinFlags.key(ofAuthority: pin, at: now)
            ?? PinSet.PinnedKey(
                pin: pin, role: .ca, state: .backup, label: match.name, added: now.startOfDay)
    }

    /// Maximum number of suggested names. There is no other list of them.
    private static let maximumSuggestions = 20

    private static func similar(to text: String, at now: Timestamp) -> String? {
        let words = text.lowercased().split(separator: " ")
        guard !words.isEmpty else { return nil }
        let valid = KnownAuthorities.all.compactMap { authority -> String? in
            let pin = try? Pin(spelling: authority.pin)
            guard let end = pin.flatMap(KnownAuthorities.details)?.notAfter, end < now else { return authority.name }
            return nil
        }
        let matching = valid.filter { name in words.allSatisfy { name.lowercased().has(String($0)) } }
        let names = Set(matching.isEmpty ? Suggestion.nearest(to: text, among: valid) : matching).sorted()
        guard !names.isEmpty else { return nil }
        return "use \(names.count == 1 ? "this name" : "one of these names"): "
            + names.prefix(maximumSuggestions).map(\.quoted).joined(separator: ", ")
            + (names.count > maximumSuggestions
                ? ", and \(names.count - maximumSuggestions) more with these words" : "")
    }
}
