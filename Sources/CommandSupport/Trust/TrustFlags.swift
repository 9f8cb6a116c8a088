package import Arguments
package import Pinning

/// Options for trust anchors and validation time.
package enum TrustFlags {
    package static let anchors = Option.repeated(
        "anchors", takes: Value.path("FILE|DIR"),
        help: "trust only the certificates in a file (PEM or DER) or folder (.der .cer .crt .pem)"
    )
    package static let systemAnchors = Option.flag(
        "system-anchors", help: "trust the system's CAs in addition to --anchors"
    )
    package static let time = Option.optional(
        "at",
        takes: Value<Timestamp>("TIME", expected: "a time such as 2027-03-01 or 2027-03-01T12:00:00Z") {
            Timestamp(rfc3339: $0)
        },
        help: "validate certificates at TIME instead of now"
    )

    /// The options for anchors as words of a command line. A word in capitals stands for standard input, which can be read only once.
    package static func words(in values: Values) -> [String] {
        values[anchors].flatMap { ["--anchors", $0 == "-" ? "CA" : $0] }
            + (values[systemAnchors] ? ["--system-anchors"] : [])
    }

    /// - Returns: The trust source, and warnings about it.
    package static func source(in values: Values, _ console: Console) throws(CommandError) -> (
        TrustSource, warnings: [String]
    ) {
        guard !values[anchors].isEmpty || !values[systemAnchors] else {
            throw CommandError(
                "\"--system-anchors\" needs \"--anchors\": the system's CAs are trusted by default",
                hint: "use --anchors FILE --system-anchors to trust both"
            )
        }
        guard let given = try anchors(in: values, console) else {
            return try SystemTrust.checkedSource(console.environment)
        }
        guard values[systemAnchors] else { return (TrustSource(anchors: given), []) }
        var (source, warnings) = try SystemTrust.checkedSource(console.environment)
        source.anchors = given
        return (source, warnings)
    }

    /// The certificates of all `--anchors`; nil if the option is not given.
    package static func anchors(in values: Values, _ console: Console) throws(CommandError) -> TrustAnchors? {
        let paths = values[anchors]
        guard !paths.isEmpty else { return nil }
        var found: [TrustAnchor] = []
        for path in paths { found += try AnchorFiles.anchors(at: path, console) }
        return TrustAnchors(anchors: found)
    }
}
