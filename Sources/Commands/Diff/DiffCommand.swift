internal import Arguments
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import Pinning

/// `pinctl diff`: compares two pin sets, two chains, or a set with a chain.
enum DiffCommand {
    enum Format: String, CaseIterable, Sendable {
        case text, json
    }

    static let inputs = Operand.some(
        Value.path("A|B"),
        help: "two operands: a pin set in any format, a file with certificates, or a host, if there is no such file")

    static let format = Option.single(
        "format", short: "f", takes: .choice(Format.self, "FORMAT"), default: .text, help: "print lines or JSON")

    static let command = Command(
        "diff", summary: "compare two pin sets, hosts or saved chains", operands: inputs,
        options: [
            OptionGroup("Output", [format, ColorChoice.option]),
            OptionGroup("Trust", [TrustFlags.anchors, TrustFlags.systemAnchors, TrustFlags.time]),
            ConnectionFlags.group, ProxyFlags.group, OptionGroup("Several hosts", LoadFlags.declared),
        ],
        mostUsed: [format, TrustFlags.anchors],
        examples: [
            Example("pinctl diff pins.json app/CertificatePins.kt", "two pin sets in different formats"),
            Example("pinctl diff a.example.com b.example.com", "the chains of two hosts"),
            Example("pinctl diff saved.pem api.example.com", "a saved chain and the chain that the host serves now"),
            Example("pinctl diff pins.json api.example.com", "the pins of a set and the chain of a host"),
            Example("pinctl diff a.example.com b.example.com --key-type all", "the chains for all types of keys"),
        ],
        notes: [
            Note(
                "Meaning of a line",
                "Each line except = is one difference. Equal sets, and equal chains, print nothing.",
                rows: [
                    "-": "only A has it", "+": "only B has it", "~": "both have it, with different values: A, then B",
                    "=": "a pin of the set matches the chain",
                ]
            ),
            Note(
                "What is compared",
                "Two sets: their hosts, the pins with roles and states, and the settings of each host; labels and dates of pins are"
                    + " ignored. If pins of a set could not be read, it is unknown whether the two are equal (status 3). Two chains:"
                    + " certificates and keys by position, and whether the chains are trusted. A set and a chain: the"
                    + " pins for the host of the chain; they differ if the chain is not trusted or no pin matches, as in verify. The chain"
                    + " of a file is validated for the host in the set that its first certificate names. Two files of certificates are"
                    + " compared without validation. If the set has an endpoint for a host without a scheme and a port, pinctl"
                    + " connects to it. With --key-type all, each chain of a host is compared with that of the other side for"
                    + " the same type of key, each of them needs a pin that matches, and the lines name the type. pinctl"
                    + " connects to one address of a host, the first one that answers; verify compares all of them."
            ),
            ExitStatus.note(
                success: "the two are equal, or a pin of the set matches the chain",
                failure: "the two differ, or a chain is not trusted"),
        ]
    )

    static func run(_ values: Values, _ console: Console) throws(CommandError) -> ExitStatus {
        let plan = try DiffPlan(values, console)
        for warning in plan.warnings { console.writeError(Message.warning(warning)) }
        let differences: [Difference]
        do throws(CommandError) {
            differences = try plan.differences { console.writeError($0) }
        } catch {
            throw error.status == .usageError && plan.hasHosts ? error.with(.undecided) : error
        }
        let names = AuthorityNames([plan.trust])
        switch values[format] {
        case .text:
            let style = Style(values[ColorChoice.option], on: console)
            for difference in differences { console.write(difference.text(style, names, width: console.width)) }
        case .json: console.write(plan.document(differences, names))
        }
        guard !differences.contains(where: \.isFailure) else { return .failure }
        // A pin that matches is enough, but sets are not equal if one can have further pins.
        guard let name = plan.setWithUnreadPins else { return .success }
        console.writeError(
            Message.error(
                "it is unknown whether the sets differ: pins of \(name) were left out, as the warnings say",
                hint: "correct these parts of the file, or write them as literals"))
        return .undecided
    }
}
