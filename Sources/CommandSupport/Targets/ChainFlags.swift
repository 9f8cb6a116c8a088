package import Arguments
package import Pinning

/// Options that select the certificates of a chain, and which chains a command prints.
package enum ChainFlags {
    package static let select = Option.repeated(
        "select", short: "s",
        takes: Value<ChainSelection>(
            "WHICH", expected: "leaf, intermediate, root, all, or a position from 0",
            choices: ["leaf", "intermediate", "root", "all"]
        ) { ChainSelection($0) },
        defaultText: "all",
        help: "certificates to print: leaf, intermediate, root, all, or a position (the leaf is 0)"
    )
    package static let fetchIssuers = Option.flag(
        "fetch-issuers",
        help: "fetch CA certificates that a server did not send, from the http URLs in its certificates")
    package static let certificateOnly = Option.flag(
        "certificate-only",
        conflicts: [ConnectionFlags.certificate, ConnectionFlags.key, ConnectionFlags.keyPasswordFile],
        help:
            "end each handshake at the certificate message, for inventories: the server does not prove that it has the key"
    )
    package static let insecure = Option.flag(
        "insecure", short: "k",
        help: "print pins and certificates of untrusted chains too, and allow obsolete TLS"
    )

    /// The values of ``select``, or the default.
    package static func selections(in values: Values) -> [ChainSelection] {
        values[select].isEmpty ? [.all] : values[select]
    }
}
