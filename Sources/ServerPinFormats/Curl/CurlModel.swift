internal import Encodings
internal import PinSetCodec
internal import Pinning

/// The strings of `--pinnedpubkey` as curl and wget compare them (curl 7.88.1 and 8.18.0, lib/vtls/vtls.c, Curl_pin_peer_pubkey;
/// wget 1.21.3, src/utils.c, wg_pin_peer_pubkey).
///
/// Both programs compare only the server's own key. The verdict is that of curl up to version 8.17. If a later curl or wget decides
/// differently, the rule says so.
struct CurlModel: PlatformModel {
    struct PinString {
        /// The normalized host; nil if the string applies to every host.
        let host: String?
        let text: [UInt8]
        let position: SourcePosition?
        /// The texts of the pins that curl up to 8.17 compares, those of later versions, and the bytes that wget compares.
        fileprivate let (old, new, wget): (Set<[UInt8]>, Set<[UInt8]>, Set<[UInt8]>)

        init(host: String?, text: [UInt8], position: SourcePosition?) {
            (self.host, self.text, self.position) = (host, text, position)
            let pieces = CurlModel.pieces(of: text)
            old = Set(pieces.map { Array($0) })
            new = Set(CurlModel.newPieces(of: text).map { Array($0) })
            wget = Set(pieces.compactMap { PlatformBase64.wget($0) })
        }
    }

    let strings: [PinString]

    func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard let string = strings.first(where: { $0.host == nil || $0.host == connection.host }) else {
            return PlatformRuling(.notPinned, "there is no string for this host, so --pinnedpubkey is not used")
        }
        let subject = "--pinnedpubkey compares only the leaf, and"
        guard string.text.starts(with: Self.prefix) else {
            return PlatformRuling(
                .rejects,
                "curl and wget use a string that does not begin with \"sha256//\" as the name of a public key file: without"
                    + " this file, curl exits with status 90 and wget with 5")
        }
        let pin = connection.leaf?.certificate.pin
        let name = string.host ?? connection.host
        let text = pin.map { Array($0.base64.utf8) }
        let (isOld, isNew) = (text.map(string.old.contains) ?? false, text.map(string.new.contains) ?? false)
        let isWget = pin.map { string.wget.contains($0.bytes) } ?? false
        if isOld {
            return PlatformRuling(
                .accepts,
                "\(subject) a pin of \(name) is the leaf's" + (isWget ? "" : "; wget does not accept the string"))
        }
        var rule = "\(subject) no pin of \(name) is the leaf's: curl exits with status 90"
        rule += isWget ? "; wget, which skips white space and decodes the base64, connects" : ", wget with 5"
        if isNew { rule += "; curl 8.18 and later, which splits the string at every semicolon, connects" }
        return PlatformRuling(.rejects, rule)
    }

    static let prefix = Array("sha256//".utf8)
    private static let separator = Array(";sha256//".utf8)

    /// The pieces that curl up to 8.17 and wget compare, each without `sha256//`.
    static func pieces(of text: [UInt8]) -> [ArraySlice<UInt8>] {
        guard text.starts(with: prefix) else { return [] }
        var pieces: [ArraySlice<UInt8>] = []
        var start = prefix.count
        var offset = start
        while offset < text.count {
            if text[offset...].starts(with: separator) {
                pieces.append(text[start..<offset])
                offset += separator.count
                start = offset
            } else {
                offset += 1
            }
        }
        return pieces + [text[start...]]
    }

    /// The pieces that curl from 8.18.0 on compares, each without `sha256//`: it splits the string at each semicolon, as long as the next
    /// piece begins with `sha256//`.
    private static func newPieces(of text: [UInt8]) -> [ArraySlice<UInt8>] {
        text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).prefix { $0.starts(with: prefix) }
            .map { $0.dropFirst(prefix.count) }
    }
}

extension CurlModel {
    var traps: [PlatformTrap] {
        strings.flatMap { string -> [PlatformTrap] in
            guard string.text.starts(with: Self.prefix) else {
                return [
                    PlatformTrap(
                        .neverMatches, host: string.host,
                        "curl and wget use the string as the name of a file, because it does not begin with \"sha256//\"",
                        hint: "write sha256// before each pin, without white space", at: string.position)
                ]
            }
            return Self.pieces(of: string.text).compactMap { piece in
                guard !piece.isEmpty, (try? Base64.decode(piece))?.count != 32 else { return nil }
                let part = String(decoding: piece, as: UTF8.self)
                return PlatformTrap(
                    .neverMatches, host: string.host,
                    "curl compares \(part.quotedExcerpt) as one text with the 44 characters of a pin, so it never matches",
                    hint: "write each pin as 44 characters of base64, separated by \";sha256//\" without white space",
                    at: string.position)
            }
        }
    }
}

/// The string that `convert` writes for a host of a set.
struct CurlSetModel: PlatformModel {
    let set: PinSet

    func refusal(of connection: PlatformConnection) -> PlatformRuling? {
        self.set.entry(for: connection.host)?.retiredRuling
    }

    func ruling(on connection: PlatformConnection) -> PlatformRuling {
        guard let entry = self.set.entry(for: connection.host) else {
            return PlatformRuling(.notPinned, "the set has no pins for this host, so --pinnedpubkey is not used")
        }
        let inputs = ConversionInputs(host: connection.host)
        guard let writing = try? CurlFormat.write(self.set, with: inputs),
            let string = CurlFormat.strings(in: writing.main).first
        else {
            return PlatformRuling(
                .notPinned, "--pinnedpubkey compares only the leaf, and \(entry.reasonForNoPins(of: .leaf))")
        }
        return CurlModel(strings: [.init(host: connection.host, text: string.text, position: nil)])
            .ruling(on: connection)
    }
}
