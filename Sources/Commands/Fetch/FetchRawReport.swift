internal import CommandSupport
internal import Encodings
internal import Fetching
internal import PinSetCodec
internal import Pinning

/// Bare pins or certificates (DER, PEM, base64) of trusted chains; with `--insecure`, of all chains.
final class FetchRawReport: HostReport {
    private let plan: FetchPlan
    /// The folder of `--output`.
    private lazy var folder: OutputFolder? =
        if case .folder(let path) = plan.destination { OutputFolder(path, since: plan.snapshot) } else { nil }
    /// The targets of the files in the folder, by the names of the files, with hashes of the certificates.
    private var written: [String: (target: Target, hash: Int)] = [:]
    /// Number of files written to a folder.
    private(set) var fileCount = 0
    /// The trust anchors that are not in the list of public CAs and for which a warning was written.
    private var reported: Set<Certificate> = []

    init(_ plan: FetchPlan) { self.plan = plan }

    func fragment(for result: FetchResult) throws(CommandError) -> ReportFragment {
        var fragment = ReportFragment()
        fragment.status = result.status(acceptsUntrusted: plan.acceptsUntrusted)
        switch result.outcome {
        case .failure(let error):
            fragment.messages = result.message(error.message, hint: error.hint)
        case .success(let presentation):
            let chain = presentation.chain
            for fetch in presentation.issuerFetches {
                fragment.messages += Message.warning("\(result.target): \(fetch.finding)")
            }
            guard chain.isTrusted || plan.acceptsUntrusted else {
                fragment.messages += result.message(
                    "the chain is not trusted: \(chain.reason)",
                    hint: (UntrustedChainStep(plan.trust).text(for: chain).map { "\($0); " } ?? "")
                        + "use --insecure to print untrusted pins"
                )
                break
            }
            let entries = chain.entries.filter(plan.selects)
            guard !entries.isEmpty else {
                fragment.noteMissingSelection(entries, of: result, chain)
                break
            }
            if !plan.acceptsUntrusted, let doubt = result.unfinishedDoubt, entries.contains(where: { $0.role != .leaf })
            {
                fragment.messages += result.message(
                    doubt, hint: "\(UnfinishedHandshake.step), or --insecure to print them without it")
                fragment.status = .undecided
                break
            }
            if entries.contains(where: { $0.role != .leaf }), chain.entries.contains(where: { $0.source == .fetched }) {
                fragment.messages += Message.warning(
                    "\(result.target): \(IssuerFetch.doubt)",
                    hint: "compare the CAs with those that another network shows")
            }
            if let detour = chain.detour {
                fragment.messages += Message.warning("\(result.target): \(detour.reason)", hint: detour.step)
            }
            if let authority = UnlistedAuthority(of: chain, plan.trust), reported.insert(authority.anchor).inserted {
                fragment.messages += Message.warning(
                    "\(result.target): \(authority.message)", hint: UnlistedAuthority.step)
            }
            if case .folder = plan.destination {
                for error in try write(entries, of: result) {
                    fragment.messages += result.message(error.message, hint: error.hint)
                    fragment.status = fragment.status.combined(with: error.status)
                }
            } else if plan.format == .der, entries.count > 1 {
                fragment.messages += result.message(
                    "a DER file holds one certificate: \(entries.count) were selected"
                )
                fragment.status = .failure
            } else {
                let suffix = suffix(of: result)
                for entry in entries { fragment.output += contents(of: entry, lineEnd: suffix) }
            }
        }
        return fragment
    }

    /// The end of a line: the name of the host if there may be several hosts, otherwise empty.
    private func suffix(of result: FetchResult) -> String {
        if let part = result.part { return "  \(result.target)  \(part.endpoint)\n" }
        return plan.namesHosts ? "  \(result.target)\n" : "\n"
    }

    private func contents(of entry: CertificateChain.Entry, lineEnd: String) -> [UInt8] {
        let certificate = entry.certificate
        if let spelling = plan.format.spelling {
            return Array((spelling.text(of: certificate.pin, isAuthority: entry.role != .leaf) + lineEnd).utf8)
        }
        switch plan.format {
        case .base64: return Array((Base64.encode(certificate.der) + lineEnd).utf8)
        case .pem: return Array(PEM.certificate(certificate.der).utf8)
        default: return certificate.der
        }
    }

    /// Writes one file per certificate: `HOST-PORT.ROLE.der`. The names of intermediates contain the position. If a file cannot be written,
    /// for example because a folder has its name, none is.
    ///
    /// - Returns: The error if a file cannot be written. Also an error for each file that another process has changed, or that has another
    ///   certificate of another target, without which the other files are still written: names of hosts and addresses can differ only in
    ///   characters that are reserved in file names, and one port can have two protocols before TLS.
    /// - Throws: ``CommandError`` if the files of no other host can be written either, for example because the disk is full.
    private func write(
        _ entries: [CertificateChain.Entry], of result: FetchResult
    ) throws(CommandError) -> [CommandError] {
        var errors: [CommandError] = []
        var files: [(name: String, bytes: [UInt8])] = []
        var hashes: [String: Int] = [:]
        for entry in entries {
            let number = entry.role == .intermediate ? String(entry.position) : ""
            let address = result.part.map { "-" + $0.endpoint.host.fileName } ?? ""
            // If the server has several chains, the file name contains the type of the leaf's key: each chain has a different one.
            let hasOthers = result.chainPart.map { $0.count > 1 } ?? false
            let keyType = hasOthers ? "-" + (result.leafKeyType ?? "") : ""
            let name =
                "\(result.target.fileName)\(address)\(keyType).\(entry.role.rawValue)\(number).\(plan.format.rawValue)"
            let hash = entry.certificate.hashValue
            if let other = written[name], other.target != result.target, other.hash != hash {
                errors.append(
                    CommandError(
                        "\(result.target): \(name) already contains a certificate of \(other.target)",
                        hint: "write the certificates of one of them into another folder", status: .failure))
                continue
            }
            hashes[name] = hash
            files.append((name, contents(of: entry, lineEnd: "\n")))
        }
        // The status of a usage error promises that pinctl contacted no host.
        let names = try folder?.write(files, reportingTo: { errors.append($0.with(.undecided)) }) ?? []
        for name in names { written[name] = hashes[name].map { (result.target, $0) } }
        fileCount += names.count
        return errors
    }
}

extension FetchResult {
    /// The type of the server's key, in lower case.
    fileprivate var leafKeyType: String? {
        (try? outcome.get())?.chain.entries.first?.certificate.key.type.lowercased()
    }
}

extension Target {
    /// The target as part of a file name. Before a server name stands a character that no host contains, so that two targets of a list
    /// have different names.
    fileprivate var fileName: String {
        "\(hostText.fileName)-\(port)" + (serverName.map { "=" + $0.text.fileName } ?? "")
    }
}

extension String {
    /// The string as part of a file name, without the characters that some systems reserve.
    fileprivate var fileName: String {
        unicodeScalars.map { ":/\\%".unicodeScalars.contains($0) ? "_" : String($0) }.joined()
    }
}
