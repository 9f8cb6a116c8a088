import TestSupport

/// Random command lines for ``SampleTool``.
package enum RandomCommandLine {
    private static let pool = [
        "make", "keep", "pour", "clean", "help", "mkae", "--", "-", "", "=", "--=", "-=", "---", "--time", "--time=5",
        "--time=", "-t", "-t5", "-t=5", "5", "-5", "0", "12", "--cold", "--cold=", "-4", "-6", "-46", "-4l", "-4lx",
        "--boiling", "--label", "--label=--", "-l", "-l-", "--shelf", "--shelf=top", "top", "tpo", "--with-addition",
        "-a", "-ax", "-4a", "milk", "--strength", "--strength=mild", "mild", "--cups=3", "-c", "-c9", "--tin",
        "--tin=x",
        "--verbose", "--size", "--nosuch", "--help", "-h", "-4h", "--version", "-V", "\u{1B}[2J", "-\u{301}",
        "--\u{301}", "--label=\u{301}", "日本", "-日", "a\nb", "\u{202E}", "-l\u{0}",
        String(repeating: "-4", count: 50), "-" + String(repeating: "4", count: 50),
    ]

    package static func lines(_ count: Int, seed: UInt64) -> [[String]] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let command = pool.prefix(4).randomElement(using: &random).map { [$0] } ?? []
            let words = (0..<Int.random(in: 0...7, using: &random)).compactMap { _ in
                pool.randomElement(using: &random)
            }
            return Bool.random(using: &random) ? command + words : words
        }
    }
}
