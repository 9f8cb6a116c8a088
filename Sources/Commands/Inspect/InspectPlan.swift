internal import Arguments
internal import CommandSupport
internal import Encodings
internal import Fetching
internal import KeyFiles
internal import Pinning

/// The validated input of `inspect`. Its initializer reads the files and reports usage errors before the first connection.
struct InspectPlan {
    let targets: [Target]
    /// The files before the host with the same index; the last element has the files after the last host.
    let files: [[InspectedFile]]
    let selections: [ChainSelection]
    let format: InspectCommand.Format
    let acceptsUntrusted: Bool
    let connection: ConnectionOptions
    let trust: TrustSource
    let time: Timestamp?
    let load: LoadLimits
    let warnings: [String]

    init(_ values: Values, _ console: Console) throws(CommandError) {
        format = values[InspectCommand.format]
        time = values[TrustFlags.time]
        acceptsUntrusted = values[ChainFlags.insecure]
        selections = ChainFlags.selections(in: values)
        let inputs = values[InspectCommand.inputs]
        try StandardInput.checkReadOnce(
            [
                (nil, inputs), ("--anchors", values[TrustFlags.anchors]),
                ("--password-file", [values[InspectCommand.passwordFile]]),
            ] + ConnectionFlags.files(in: values))
        let password = try values[InspectCommand.passwordFile].map { path throws(CommandError) in
            try PasswordFile.read(path, console)
        }
        var targets: [Target] = []
        var files: [[InspectedFile]] = [[]]
        for input in inputs {
            if Self.isFile(input) {
                files[files.count - 1].append(InspectedFile(input, password, console))
            } else {
                let added = try TargetFlags.targets(of: [try Self.range(input)], in: values)
                targets += added
                files += added.map { _ in [] }
            }
        }
        if targets.isEmpty { try Self.checkThatHostOptionsAreAbsent(values) }
        (self.targets, self.files) = (targets, files)
        var connection = try ConnectionFlags.options(in: values, console)
        connection.allowsWeak = acceptsUntrusted
        connection.fetchesIssuers = values[ChainFlags.fetchIssuers]
        connection.requestsStatus = format.isReport
        self.connection = connection
        (trust, warnings) = try TrustFlags.source(in: values, console)
        load = try LoadFlags.load(in: values, hosts: targets.count)
    }

    /// Whether a part of a file cannot be shown. Then inspect connects to no host.
    var hasUnreadableFiles: Bool { files.joined().contains { !$0.problems.isEmpty } }

    /// Whether a selection includes this certificate.
    func selects(_ entry: CertificateChain.Entry) -> Bool { selections.contains { $0.includes(entry) } }

    private static let suffixes = [".pem", ".crt", ".cer", ".der", ".p7b", ".p7c", ".p12", ".pfx"]

    /// Whether an operand is a file: an existing one, or a text that is probably meant as a file.
    private static func isFile(_ text: String) -> Bool {
        if text == "-" || InputFile.exists(at: text) { return true }
        guard !text.has("://") else { return false }
        // A name of a file can contain an `@`, which a host cannot.
        if suffixes.contains(where: { text.lowercased().ends(with: $0) }) { return true }
        return text.has("/") && (try? TargetRange(parsing: text)) == nil
    }

    private static func range(_ text: String) throws(CommandError) -> TargetRange {
        do throws(TargetError) {
            return try TargetRange(parsing: text)
        } catch {
            throw CommandError(
                "\(text.targetWithoutUserInfo.quoted) is neither a file nor a host: \(error.reason(about: text))",
                hint: error.hint)
        }
    }

    /// Options that only hosts use have no effect without a host.
    private static func checkThatHostOptionsAreAbsent(_ values: Values) throws(CommandError) {
        let options: [any AnyOption] =
            [
                ChainFlags.select, TrustFlags.anchors, TrustFlags.systemAnchors, ChainFlags.fetchIssuers,
                ChainFlags.insecure, TargetFlags.allAddresses,
            ] + ConnectionFlags.declared
        guard let location = options.compactMap({ values.location(of: $0) }).first else { return }
        throw CommandError("\(location.shown.quoted) has no effect without a host", hint: "remove the option")
    }
}

/// One file of the command line with its certificates.
struct InspectedFile {
    let path: String
    let result: Result<[Result<KeyFileObject, KeyFileError>], CommandError>
    /// The certificates that could be read, with their numbers in the file.
    let certificates: [(number: Int, certificate: Certificate)]

    init(_ path: String, _ password: Password?, _ console: Console) {
        self.path = path
        result = Result { () throws(CommandError) in try KeyFileInput.objects(in: path, password: password, console) }
        let objects = (try? result.get()) ?? []
        certificates = objects.compactMap { try? $0.get() }.compactMap { object in
            object.certificate.map { (object.number, $0) }
        }
    }

    private var objects: [Result<KeyFileObject, KeyFileError>] { (try? result.get()) ?? [] }

    /// Why a part of the file is not shown.
    struct Problem {
        let message: String
        let hint: String?
    }

    var problems: [Problem] {
        let name = InputFile.name(of: path)
        if case .failure(let error) = result { return [Problem(message: error.message, hint: error.hint)] }
        return objects.compactMap { object in
            switch object {
            case .failure(let error):
                return Problem(
                    message: "\(name): \(error.message)",
                    hint: error.problem == .needsPassword ? "use --password-file FILE" : error.hint)
            case .success(let object):
                guard object.certificate == nil, objects.count == 1 || certificates.isEmpty else { return nil }
                return Problem(
                    message: "\(name): inspect shows certificates, and this is a \(object.kind.rawValue)",
                    hint: "use pinctl hash to print its pin")
            }
        }
    }
}
