internal import Arguments
internal import CommandSupport
internal import PinSetCodec
internal import PinSetMaintenance
internal import Pinning

/// The validated input of `lint`.
struct LintPlan {
    let files: [String]
    let format: CheckFormat
    /// The file of the report for people; nil without `--html`.
    let html: HTMLFile?
    let isStrict: Bool
    let linter: Linter
    private let fromFormat: PinSetFormat?
    private let inputs: ConversionInputs
    private let chains: LintChainSource

    init(_ values: Values, _ console: Console) throws(CommandError) {
        files = values[LintCommand.files]
        format = values[CheckFormat.option]
        isStrict = values[LintCommand.strict]
        fromFormat = values[LintCommand.fromFormat]
        self.inputs = ConversionInputs(host: values[LintCommand.host])
        linter = Linter(at: values[TrustFlags.time] ?? .now, expiringWithin: values[LintCommand.within])
        let inputs: [(option: String?, paths: [String?])] =
            [(nil, files), ("--chain", values[LintCommand.chain]), ("--anchors", values[TrustFlags.anchors])]
            + ConnectionFlags.files(in: values)
        try StandardInput.checkReadOnce(inputs)
        html = try HTMLFile.file(in: values)
        chains = try LintChainSource(values, console)
    }

    /// Checks the contents of a file.
    ///
    /// - Throws: ``CommandError`` if the file is not a pin set.
    func lint(_ bytes: [UInt8], from path: String, _ console: Console) throws(CommandError) -> LintResult {
        let input = try input(bytes, from: path)
        let found = try chains.chains(for: input, path, console)
        let findings =
            linter.findings(in: input, allChains: found.chains, untrustedStep: found.trust.step(after:of:))
            + platformFindings(in: bytes, input, path, found.chains, console) + found.findings
        return LintResult(
            path: path, findings: findings, contentsSummary: input.contentsSummary, hasChain: !found.chains.isEmpty)
    }

    /// The backups of a set that do not work on a platform of its manifest.
    private func platformFindings(
        in bytes: [UInt8], _ input: LintInput, _ path: String, _ chains: [String: [CertificateChain]],
        _ console: Console
    ) -> [LintFinding] {
        guard input.format.traits.isNative, let pins = try? PinSetFile(bytes, path: path),
            let platforms = try? SetPlatforms(of: pins, warn: { console.writeError(Message.warning($0)) }),
            platforms.areKnown
        else { return [] }
        return linter.findings(in: pins.set, allChains: chains) { platforms.configurations(for: $0, in: pins.set) }
    }

    /// An error if the saved chains match no host of any file; otherwise nil.
    func unusedChain(_ results: [LintResult]) -> CommandError? {
        guard chains.areSaved, results.allSatisfy({ $0.error == nil && !$0.hasChain }) else { return nil }
        let names = files.map(InputFile.name(of:)).joined(separator: ", ")
        return CommandError("the chain of \"--chain\" matches no host of \(names)")
    }

    private func input(_ bytes: [UInt8], from path: String) throws(CommandError) -> LintInput {
        var inputs = inputs
        do throws(PinSetFormatError) {
            return try LintInput(bytes, as: fromFormat, with: inputs)
        } catch {
            guard error.need == .names, let names = try PinSetSource.namesFile(of: error.format, beside: path) else {
                throw CommandError(error, in: path)
            }
            inputs.names = names
        }
        do throws(PinSetFormatError) {
            return try LintInput(bytes, as: fromFormat, with: inputs)
        } catch {
            throw CommandError(error, in: path)
        }
    }
}

/// The findings for one file.
struct LintResult {
    /// The path as given.
    let path: String
    let findings: [LintFinding]
    /// What was read, in a few words; nil if the file could not be read as a pin set.
    var contentsSummary: String?
    /// Whether lint had a chain for at least one host.
    var hasChain = false
    /// Why the file could not be read as a pin set.
    var error: CommandError?
    /// Whether ``error`` is that the file does not exist or cannot be read.
    var isUnreadable = false

    /// Why the file was not checked, in a few words; nil if it was checked.
    var failure: String? { error.map { _ in isUnreadable ? "cannot be read" : "not a pin set" } }

    func status(isStrict: Bool) -> ExitStatus {
        var status = ExitStatus.success
        for finding in findings {
            switch finding.severity {
            case .error: status = status.combined(with: .failure)
            case .warning where isStrict: status = status.combined(with: .failure)
            case .warning where finding.code == .unreachable: status = status.combined(with: .undecided)
            case .warning, .note: break
            }
        }
        return status
    }

    var name: String { InputFile.plainName(of: path) }
}
