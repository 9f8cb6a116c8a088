internal import Arguments
internal import CommandSupport
internal import Encodings
internal import PinSetMaintenance
internal import Pinning

/// `pinctl retire`: marks pins of a pin set as no longer valid.
enum RetireCommand {
    static let pins = Option.required(
        "pins", short: "p", takes: Value.path("FILE"), help: "the pin set, a pins.json, which is updated")
    static let hosts = Operand.any(
        HostValue.value, help: "host of the set, without a port (default: all hosts with the pin)")

    static let command = Command(
        "retire", summary: "retire pins of a pin set", operands: hosts,
        options: [OptionGroup("Pin set", [pins]), OptionGroup("Pins", PinFlags.declaredForRetiring)],
        examples: [
            Example("pinctl retire --pins pins.json --from-cert old-ca.pem", "a CA that must not match any more"),
            Example(
                "pinctl retire --pins pins.json --pin sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M= api.example.com",
                "one pin of one host"),
        ],
        notes: [
            Note(
                "Pins",
                "A retired pin stays in the file with \"state\": \"retired\" and never matches, so that verify can say that a server"
                    + " still uses it. pinctl retires no pin if its host would have no other active pin."
            ),
            Note(
                "Exit status",
                rows: [
                    "0": "the pins are retired",
                    "2": "usage error, unreadable input, or a pin that cannot be retired; pinctl wrote nothing",
                    "3": "another process is changing the file; pinctl wrote nothing",
                ]
            ),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let path = values[pins]
        try StandardInput.checkReadOnce(PinFlags.files(in: values))
        let keys = try PinFlags.keys(in: values, at: .now, acceptsExpired: true, console)
        guard !keys.isEmpty else {
            throw CommandError(
                "no pin to retire", hint: "use --from-cert, --from-csr, --from-key, --backup-authority or --pin")
        }
        let names = values[hosts]
        let changes = try PinSetEditor.change(path) { set throws(CommandError) in
            for name in names where set.indices[name] == nil {
                let covering = set.entry(for: name).map { "use the host of its entry: \($0.host)" }
                throw CommandError(
                    "\(path.quoted) has no host \(name.quoted)",
                    hint: covering ?? UncoveredHostHints(set).hint(for: name))
            }
            let retirement = PinRetirement(pins: keys.map(\.pin), hosts: Set(names))
            return try retirement.changes(in: set)
        }
        PinSetEditor.report(changes, path, console)
        return .success
    }
}
