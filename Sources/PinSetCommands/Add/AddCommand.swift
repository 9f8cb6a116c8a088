internal import Arguments
internal import CommandSupport
internal import Encodings
internal import PinSetMaintenance
internal import Pinning

/// `pinctl add`: adds pins to hosts of a pin set, and changes properties of their entries.
enum AddCommand {
    /// The states that a new pin can have.
    enum State: String, CaseIterable, Sendable {
        case active, backup

        var state: PinSet.State { self == .active ? .active : .backup }
    }

    static let pins = Option.required(
        "pins", short: "p", takes: Value.path("FILE"), help: "the pin set, a pins.json, which is updated")
    static let hosts = Operand.some(HostValue.value, help: "host of the set, or a new host, without a port")
    static let role = Option.optional(
        "role", takes: .choice(PinSet.AllowedRole.self, "ROLE"),
        help:
            "position in the chain where the pin can match (default: from the certificate or the public CA; otherwise leaf, or any for --pin)"
    )
    static let state = Option.optional(
        "state", takes: .choice(State.self, "STATE"),
        help: "state of the pin (default: backup; active for a new host)"
    )
    static let label = Option.optional("label", takes: Value.text("TEXT"), help: "description of the pin for people")

    static let command = Command(
        "add", summary: "add pins and hosts to a pin set", operands: hosts,
        options: [
            OptionGroup("Pin set", [pins]),
            OptionGroup("Pins", PinFlags.declared),
            OptionGroup("Properties", [role, state, label] + EntryFlags.declared),
        ],
        examples: [
            Example(
                "pinctl add --pins pins.json --from-cert next-ca.pem api.example.com",
                "add the CA that the host will use next"
            ),
            Example(
                "pinctl add --pins pins.json --backup-authority \"GTS Root R4\" api.example.com",
                "another CA as a backup"),
            Example("pinctl add --pins pins.json --from-csr spare.csr api.example.com", "a backup key"),
            Example("pinctl add --pins pins.json --expires 2027-06-01 api.example.com", "let the pins expire later"),
        ],
        notes: [
            Note(
                "Pins",
                "If the host already has the pin with this role, pinctl changes only its state and a \"notAfter\" that is"
                    + " earlier than that of the certificate, and removes its \"goneSince\". A retired pin becomes a backup again"
                    + " unless --state is given. pinctl contacts no server, so it cannot check that the host uses a key."
            ),
            Note(
                "Changes to the file",
                "pinctl changes only what is added. Order, indentation, unknown keys and line ends stay."
            ),
            Note(
                "Exit status",
                rows: [
                    "0": "the set contains the pins and properties",
                    "2": "usage error, unreadable input, or a set that would be invalid; pinctl wrote nothing",
                    "3": "another process is changing the file; pinctl wrote nothing",
                ]
            ),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let path = values[pins]
        try StandardInput.checkReadOnce(PinFlags.files(in: values))
        let now = Timestamp.now
        var known: Set<String> = []
        let names = values[hosts].filter { known.insert($0).inserted }
        try EntryFlags.check(values, for: names.map(HostValue.identity), at: now)
        let keys = try PinFlags.keys(in: values, at: now, console)
        guard !keys.isEmpty || values.contains(EntryFlags.expires) || values.contains(EntryFlags.subdomains) else {
            throw CommandError(
                "nothing to add to \(path.quoted)",
                hint: "use --from-cert, --from-csr, --from-key, --backup-authority, --pin, --expires or --subdomains")
        }
        for option in [role, state, label] as [any AnyOption] where keys.isEmpty && values.contains(option) {
            throw CommandError(
                "\"--\(option.declaration.name)\" needs a pin", hint: "use --from-cert, --from-csr, --from-key or --pin"
            )
        }
        guard path == "-" || InputFile.exists(at: path) else {
            throw CommandError(
                "there is no pin set \(path.quoted): add changes an existing one",
                hint: creation(of: path, names, values))
        }
        var addition = PinAddition(keys: keys.map { Self.adapted($0, by: values) })
        addition.state = values[state]?.state
        addition.expires = values[EntryFlags.expires]
        addition.subdomains = values[EntryFlags.subdomains]
        let changes = try PinSetEditor.change(path) { set throws(CommandError) in
            var changes: [PinSetEditor.Change] = []
            for name in names { changes += try addition.changes(in: set, host: name) }
            return changes
        }
        PinSetEditor.report(changes, path, console)
        for key in addition.keys where key.role != .leaf {
            guard let end = key.expiry(before: now)?.date else { continue }
            let name = key.label?.quoted ?? key.pin.base64
            console.writeError(
                Message.warning(
                    "the certificate of \(name) expired on \(end): if the CA has no newer one with this key, it issues no certificates for"
                        + " the host", hint: "use a CA that issues certificates"))
        }
        return .success
    }

    /// The step that creates the set with the hosts, the backups and the properties of the command line.
    private static func creation(of path: String, _ names: [String], _ values: Values) -> String {
        let backups = BackupFlags.words(in: values)
        var words = ["pinctl", "init"] + (backups.isEmpty ? ["--from-csr", "FILE"] : backups)
        if let date = values[EntryFlags.expires] { words += ["--expires", date.date] }
        if let which = values[EntryFlags.subdomains] { words += ["--subdomains", which.rawValue] }
        words += ["--output", ShellCommand.path(path)]
        let hosts = names.map { $0.has(":") ? "[\($0)]" : $0 }
        return "create it: \(ShellCommand.line(words, operands: hosts))"
            + (backups.isEmpty ? " (pinctl keygen creates the request of a backup key)" : "")
    }

    /// The key with the role and the label that the command line gives.
    private static func adapted(_ key: PinSet.PinnedKey, by values: Values) -> PinSet.PinnedKey {
        PinSet.PinnedKey(
            pin: key.pin, role: values[role] ?? key.role, state: key.state, label: values[label] ?? key.label,
            notAfter: key.notAfter, added: key.added)
    }
}
