internal import Arguments
internal import Encodings

/// An option of another tool (openssl, curl, wget, gnutls-cli, or programs like jq) or of another command, and pinctl's equivalent.
///
/// A person who types such an option wants its effect, so the hint names pinctl's option for it. `Suggestion` finds only similar
/// spellings.
package struct ForeignOption: Sendable {
    /// The words as they are typed, without a value.
    package let words: [String]
    /// The commands that have the equivalent.
    package let commands: Set<String>
    /// The hint: an imperative with options of pinctl.
    package let hint: String

    private init(_ words: String..., in commands: Set<String>, hint: String) {
        self.words = words
        self.commands = commands
        self.hint = hint
    }

    private static let connecting: Set = ["fetch", "verify", "init", "refresh", "lint"]
    private static let colored: Set = ["fetch", "hash", "verify", "refresh", "lint", "sync"]

    package static let all = [
        ForeignOption(
            "--cacert", "--capath", "-CAfile", "-CApath", "--ca-certificate", "--ca-directory", "--x509cafile", "--ca",
            in: connecting, hint: "use --anchors FILE|DIR to trust other CAs"
        ),
        ForeignOption("--json", in: ["keygen", "hash"], hint: "use --format json"),
        ForeignOption(
            "--json", in: ["fetch", "verify", "refresh", "lint", "sync"],
            hint: "use --format json, or --format ndjson for one line per result"
        ),
        ForeignOption(
            "--format", "-f", "--output-format", in: ["convert"],
            hint: "use --to FORMAT for the output, or --from-format FORMAT for the input"),
        ForeignOption("--csv", in: ["fetch"], hint: "use --format csv"),
        ForeignOption(
            "--csv", in: ["verify", "refresh", "lint", "sync"],
            hint: "use --format ndjson; this command writes no CSV, so convert the lines with jq and @csv"
        ),
        ForeignOption(
            "--no-color", "--no-colour", "--nocolor", "--colour", in: colored,
            hint: "use --color never, or set the environment variable NO_COLOR"
        ),
        ForeignOption(
            "-starttls", "--starttls-proto", in: connecting,
            hint: "use --starttls PROTOCOL, or the protocol's URL as the host, such as smtp://mail.example.com"),
        ForeignOption(
            "-k", "--insecure", "--no-check-certificate", in: ["verify", "init", "refresh", "lint"],
            hint: "if you trust this CA, use --anchors FILE; only fetch shows pins of untrusted chains (--insecure)"
        ),
        ForeignOption(
            "--no-check-certificate", in: ["fetch"], hint: "use --insecure to print pins of untrusted chains"),
        ForeignOption(
            "-cert", "--certificate", "--x509certfile", "--client-cert", in: connecting,
            hint: "use --cert FILE for a client certificate in PEM, DER or PKCS#12"),
        ForeignOption(
            "--private-key", "--x509keyfile", "--client-key", in: connecting,
            hint: "use --key FILE for the private key of --cert"),
        ForeignOption(
            "--sigalgs", in: connecting, hint: "use --key-type to choose the types of server keys"),
        ForeignOption("-servername", "--sni", "--sni-hostname", in: connecting, hint: "use --servername NAME"),
        ForeignOption(
            "-connect", "--host", "--port", in: ["fetch", "verify", "init", "refresh"],
            hint: "write HOST:PORT as an operand"),
        ForeignOption("--resolve", in: connecting, hint: "use --connect-to ADDRESS[:PORT] to choose the address"),
        ForeignOption(
            "-x", "-proxy", in: connecting.subtracting(["verify", "refresh"]),
            hint: "use --proxy URL to connect through a proxy"),
        // In these commands, "-proxy" is the short option of --pins with the value "roxy".
        ForeignOption("-x", in: ["verify", "refresh"], hint: "use --proxy URL to connect through a proxy"),
        ForeignOption("--socks4", in: connecting, hint: "use --proxy socks4://HOST:PORT"),
        ForeignOption("--socks4a", in: connecting, hint: "use --proxy socks4a://HOST:PORT"),
        ForeignOption("--socks5", in: connecting, hint: "use --proxy socks5://HOST:PORT"),
        ForeignOption("--socks5-hostname", in: connecting, hint: "use --proxy socks5h://HOST:PORT"),
        ForeignOption("--noproxy", in: connecting, hint: "use --no-proxy LIST"),
        ForeignOption("-U", in: connecting, hint: "use --proxy-user NAME with --proxy-password-file FILE"),
        ForeignOption(
            "--proxy-cacert", "--proxy-capath", in: connecting, hint: "use --proxy-anchors FILE|DIR for an https proxy"),
        ForeignOption("--proxy-pinnedpubkey", in: connecting, hint: "use --proxy-pins FILE for an https proxy"),
        ForeignOption(
            "--fetch-issuers", in: connecting.subtracting(["fetch"]),
            hint:
                "use pinctl fetch --fetch-issuers to find the certificate that the server must send; only fetch shows fetched"
                + " issuers, because many clients do not fetch them"),
        ForeignOption(
            "--certificate-only",
            in: connecting.subtracting(["fetch"]).union(["add", "inspect", "diff", "explain", "challenge"]),
            hint:
                "use pinctl fetch --certificate-only for an inventory; only fetch shows chains of servers that do not prove that they have"
                + " the key"),
        ForeignOption(
            "--paths", in: connecting.subtracting(["fetch"]),
            hint: "use pinctl fetch --paths to list every valid path; only fetch shows them"),
        ForeignOption("-showcerts", in: ["fetch"], hint: "use --select all --format pem to print every certificate"),
        ForeignOption(
            "--outform", in: ["fetch"], hint: "use --format der, --format pem or --format base64"),
        ForeignOption(
            "--connect-timeout", "--max-time", "-m", in: connecting, hint: "use --timeout SECONDS"
        ),
        ForeignOption(
            "--tlsv1.0", "--tlsv1.1", "--tlsv1.2", "--tlsv1.3", in: connecting, hint: "use --tls-min VERSION"),
        ForeignOption(
            "-tls1", "-tls1_1", "-tls1_2", "-tls1_3", in: connecting,
            hint: "use --tls-min VERSION and --tls-max VERSION"
        ),
        ForeignOption(
            "--pinnedpubkey", in: ["verify", "refresh"],
            hint: "write the pins to a file, for example sha256//BASE64;sha256//BASE64, and use --pins FILE"
        ),
        ForeignOption(
            "--pinnedpubkey", in: ["fetch", "lint"],
            hint: "run pinctl verify with a pin set to compare pins with a host"),
        ForeignOption("--pinnedpubkey", in: ["add"], hint: "use --pin PIN to add a pin to a set"),
        ForeignOption(
            "--no-color", "--no-colour", "--nocolor", in: ["init", "add", "retire", "convert", "keygen"],
            hint: "set the environment variable NO_COLOR"),
        ForeignOption("--json", in: ["convert"], hint: "use --to pins to write a pin set in JSON"),
        ForeignOption(
            "-o", "--output", "--out", "-out", in: ["keygen"], hint: "write the name of the key's file as an operand"),
        ForeignOption(
            "--parallel", "--concurrency", "--workers", in: connecting,
            hint: "use --jobs N to connect to N hosts at once"
        ),
        ForeignOption(
            "--dry-run", "-n", in: ["refresh"],
            hint: "omit --write to see the changes, or use --check to fail if there are any"
        ),
        ForeignOption("--dry-run", "-n", in: ["sync"], hint: "use --check to see the differences without a change"),
        ForeignOption("--in-place", "-i", "-w", in: ["refresh", "sync"], hint: "use --write to update the files"),
    ]

    /// The hint for a typed word; nil if the command has no hint for it.
    ///
    /// - Parameters:
    ///   - word: the word, with or without `=VALUE`.
    ///   - command: the name of the command; nil if it is unknown. Then only long words with one dash are found, because they
    ///     cannot be options of pinctl.
    package static func hint(for word: String, in command: String?) -> String? {
        let name = String(word.before(anyOf: "= "))
        guard command != nil || (name.utf8.count > 2 && !name.utf8.starts(with: "--".utf8)) else { return nil }
        return all.first { entry in
            entry.words.contains(name) && command.map { entry.commands.contains($0) } ?? true
        }?.hint
    }
}
