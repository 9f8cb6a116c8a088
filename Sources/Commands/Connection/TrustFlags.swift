internal import Arguments
internal import Pinning

/// Whom a command trusts.
enum TrustFlags {
    static let anchors = Option.repeated(
        "anchors", takes: Value.path("FILE|DIR"),
        help: "trust only the certificates in a file (PEM or DER) or folder (.der .cer .crt .pem)"
    )
    static let systemAnchors = Option.flag(
        "system-anchors", help: "trust the system's authorities as well as those of --anchors"
    )
    static let time = Option.optional(
        "at",
        takes: Value<Timestamp>("TIME", expected: "a time such as 2027-03-01 or 2027-03-01T12:00:00Z") {
            Timestamp(rfc3339: $0)
        },
        help: "validate as if it were TIME"
    )

    /// - Returns: whom to trust, and warnings about it.
    static func source(in values: Values, _ console: Console) throws(CommandError) -> (TrustSource, warnings: [String])
    {
        guard !values[anchors].isEmpty || !values[systemAnchors] else {
            throw CommandError(
                "\"--system-anchors\" stands alone: the system's authorities are trusted without it",
                hint: "it goes with --anchors, to trust both"
            )
        }
        guard let given = try anchors(in: values, console) else { return SystemTrust.source(console.environment) }
        guard values[systemAnchors] else { return (TrustSource(anchors: given), []) }
        var (source, warnings) = SystemTrust.source(console.environment)
        source.anchors = given
        return (source, warnings)
    }

    /// The certificates of every `--anchors`; nil where there is none.
    static func anchors(in values: Values, _ console: Console) throws(CommandError) -> TrustAnchors? {
        let paths = values[anchors]
        guard !paths.isEmpty else { return nil }
        var certificates: [Certificate] = []
        for path in paths { certificates += try AnchorFiles.certificates(at: path, console) }
        return TrustAnchors(certificates)
    }
}
