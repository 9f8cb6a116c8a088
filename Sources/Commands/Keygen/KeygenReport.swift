internal import CommandSupport
internal import Encodings
internal import KeyFiles
internal import Pinning

/// The pin for standard output, and notes on the files for standard error.
struct KeygenReport {
    private let plan: KeygenPlan
    private let pin: Pin
    private let key: KeyDescription

    init(_ plan: KeygenPlan, _ key: borrowing BackupKey) {
        (self.plan, pin, self.key) = (plan, key.pin, key.description)
    }

    func write(to console: Console) {
        switch plan.format {
        case .pin:
            console.write(pin.base64 + "\n")
            for note in notes { console.writeError(note) }
        case .text:
            console.write(text)
            for hint in hints { console.writeError(hint) }
        case .json:
            console.write(json)
        }
    }

    private var text: String {
        let names = plan.hosts.map(\.text)
        return """
            \(plan.keyFile.escaped)  \(plan.isEncrypted ? "encrypted private key" : "private key")
              \(key.description)
              pin  \(pin.base64)
            \(plan.requestFile.escaped)  certificate request
              \(names.isEmpty ? "without a host name" : "for " + names.joined(separator: ", "))

            """
    }

    private var json: [UInt8] {
        var writer = JSONWriter(.pretty)
        writer.object { object in
            object.field("schema", "pinctl/keygen/1")
            object.field("pin", pin.base64)
            object.field("key", key)
            object.field("keyFile", plan.keyFile)
            object.field("encrypted", plan.isEncrypted)
            object.field("requestFile", plan.requestFile)
            object.field("hosts", plan.hosts.map(\.text))
        }
        writer.endLine()
        return writer.output
    }

    private var notes: [String] {
        let request = plan.hosts.map { $0.text.quoted }.joined(separator: ", ")
        return [
            Message.note(
                "\(plan.keyFile.quoted) is the private key (\(key.description), \(plan.isEncrypted ? "encrypted" : "not encrypted"))"
                    + " with mode 0600"),
            Message.note(
                "\(plan.requestFile.quoted) is the certificate request\(plan.hosts.isEmpty ? " without a host name" : " for \(request)")"
            ),
        ] + hints
    }

    private var hints: [String] {
        var hints: [String] = []
        if !plan.isEncrypted {
            hints.append(
                Message.warning("\(plan.keyFile.quoted) is not encrypted"))
        }
        hints.append(
            Message.hint(
                "to add the pin to a set, use "
                    + ShellCommand.line(["pinctl", "add", "--pins", "FILE", "--from-csr", plan.requestFile, "HOST"])))
        hints.append(
            Message.hint("store the key separately from the server's key, and keep the request for the CA"))
        // CA/Browser Forum, Baseline Requirements, section 6.1.5.
        if plan.kind == .ed25519 {
            hints.append(
                Message.hint("use this key with a private CA: public CAs issue no certificates for Ed25519 keys"))
        }
        return hints
    }
}
