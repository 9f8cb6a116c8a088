internal import Encodings
public import PinSetCodec
internal import Pinning

/// `aiohttp.Fingerprint` in Python: the SHA-256 of the server's certificate.
///
/// The reader supports byte literals, `bytes.fromhex(…)` and `binascii.unhexlify(…)`. The host is the key in a dictionary, or the
/// host of the URL in the surrounding call (aiohttp 3.14, 495e777, aiohttp/client_reqrep.py `Fingerprint`).
enum AIOHTTPFormat: FingerprintWritingCodec {
    static let traits = FormatTraits(
        name: "aiohttp", summary: "aiohttp.Fingerprint in Python; needs the certificates",
        fileName: "pinned_servers.py", readingInputs: [.host, .certificates],
        writingInputs: [.host, .certificates], generatedFile: .fingerprints, hashes: .certificate,
        comparesLeafOnly: true, platforms: [.aiohttp], lintRules: [.certificatePins],
        capabilities: FormatCapabilities(roles: Set(PinSet.AllowedRole.allCases)))

    static let position = ComparedPosition.leaf
    /// False, because a request accepts one fingerprint.
    static let hasFingerprintLists = false

    private static let name = "Fingerprint"

    static func recognizes(_ file: FileContents) -> Bool {
        file.json == nil && file.bytes.contains(ignoringCase: "aiohttp")
            && file.bytes.contains(ignoringCase: "fingerprint(")
    }

    static func entries(
        in bytes: [UInt8], host: String?, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [FingerprintEntry] {
        var reader = SourceReader(bytes, language: .python)
        if let ambiguity = reader.source.ambiguity {
            throw error(.ambiguousSource(ambiguity.problem), line: ambiguity.line)
        }
        var list = FingerprintList()
        for index in reader.source.indices(of: name) where reader.source.isSign(index + 1, "(") {
            let line = reader.source.tokens[index].line
            let arguments = reader.members(in: index + 1)
            try reader.checkLimits(as: self)
            guard let argument = arguments.first?.value else { continue }
            guard let digest = digest(argument) else {
                warnings.add(.unknownPin(reader.source.source(of: argument.range), line: line))
                continue
            }
            guard digest.count == 32 else {
                warnings.add(.notRead("aiohttp rejects a fingerprint of \(digest.count) bytes", line: line))
                continue
            }
            let first = reader.source.isSign(index - 1, ".") ? index - 2 : index
            let position = SourcePosition(line: line, column: 1)
            let found = self.host(before: first, &reader)
            try reader.checkLimits(as: self)
            guard let host = found ?? host else { throw missingHost(at: position) }
            if found == nil, let expression = hostExpression(before: first, &reader) {
                let text = reader.source.source(of: expression.range)
                warnings.add(.patternAsHost(text, line: expression.line), of: host)
            }
            list.add(
                FingerprintEntry(
                    host: host, at: position, fingerprints: [CertificateDigest(digest: digest, line: line)]))
        }
        for index in reader.source.indices(of: name) where !reader.source.isSign(index + 1, "(") {
            let first = reader.source.isSign(index - 1, ".") ? index - 2 : index
            guard reader.source.isWord(index + 1, "as") || reader.source.isSign(first - 1, "=") else { continue }
            let line = reader.source.tokens[index].line
            warnings.add(
                .notRead("\(name.quotedExcerpt) gets another name, and calls of this name are not read", line: line))
        }
        guard !list.entries.isEmpty else {
            throw noPins(warnings, example: "write fingerprints like this: aiohttp.\(name)(bytes.fromhex(\"…\"))")
        }
        return list.entries
    }

    /// The bytes of a literal; nil for any other expression.
    private static func digest(_ argument: SourceLiteral) -> [UInt8]? {
        switch argument.content {
        case .text(let bytes): return bytes
        case .call(let name, let arguments):
            guard let text = arguments.first?.value.text else { return nil }
            return switch name {
            case "bytes.fromhex", "bytearray.fromhex": decoded(fromHex: text)
            case "binascii.unhexlify", "unhexlify": try? Hex.decode(text.utf8)
            default: nil
            }
        default: return nil
        }
    }

    /// The value of `bytes.fromhex(…)`, which skips white space between two bytes (CPython, Objects/bytesobject.c `_PyBytes_FromHex`).
    /// `binascii.unhexlify(…)` skips nothing (Modules/binascii.c `binascii_a2b_hex_impl`).
    ///
    /// - Returns: nil for a text with which Python stops.
    private static func decoded(fromHex text: String) -> [UInt8]? {
        var output: [UInt8] = []
        for digits in text.utf8.split(whereSeparator: \.isWhiteSpace) {
            guard let bytes = try? Hex.decode(digits) else { return nil }
            output += bytes
        }
        return output
    }

    /// The key of the dictionary member, or the host of the URL in the surrounding call.
    private static func host(before index: Int, _ reader: inout SourceReader) -> String? {
        if let key = reader.key(before: index)?.text {
            // `{"example.com": {"fingerprint": …}}`
            if !key.has("."), let open = reader.source.openBracket(around: index),
                let outer = reader.key(before: open)?.text, outer.has(".")
            {
                return HostText.host(in: outer)
            }
            return HostText.host(in: key)
        }
        guard let open = reader.source.openBracket(around: index), reader.source.isSign(open, "(") else { return nil }
        return urls(in: open, &reader).compactMap(\.text).first { $0.has("://") }.flatMap(HostText.host)
    }

    /// The arguments of a call that can be the URL. Others are proxies and data.
    private static func urls(in open: Int, _ reader: inout SourceReader) -> [SourceLiteral] {
        reader.members(in: open).filter { member in
            guard let key = member.key else { return true }
            guard case .name(let name) = key.content else { return false }
            return ["url", "str_or_url", "base_url"].contains(name)
        }.map(\.value)
    }

    /// The key of the dictionary member, or the URL in the surrounding call, if it is no literal.
    private static func hostExpression(before index: Int, _ reader: inout SourceReader) -> SourceLiteral? {
        if let key = reader.key(before: index) { return key }
        guard let open = reader.source.openBracket(around: index), reader.source.isSign(open, "(") else { return nil }
        return urls(in: open, &reader).first { $0.text == nil }
    }

    static func file(of entries: [FingerprintEntry]) -> String {
        var text = """
            import aiohttp

            # The SHA-256 of the pinned certificate of each host: session.get(url, ssl=PINNED_SERVERS[host])
            PINNED_SERVERS = {

            """
        for entry in entries {
            for fingerprint in entry.fingerprints.prefix(1) {
                text += "    \"\(entry.host)\": aiohttp.\(name)(bytes.fromhex(\"\(fingerprint.hex)\")),\n"
            }
        }
        return text + "}\n"
    }
}

extension PinSetFormat {
    public static let aiohttp = PinSetFormat(AIOHTTPFormat.self)
}
