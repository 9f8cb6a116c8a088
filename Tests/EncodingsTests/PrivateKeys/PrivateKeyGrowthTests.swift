import TestSupport
import Testing

@testable import Encodings

/// The search for private keys reads each part of a text a limited number of times, also if many starts of keys are in it.
@Suite(.notWithSanitizer) struct PrivateKeyGrowthTests {
    /// The starts of keys in base64 and in numbers, and the marks, each with a separator before it.
    private static let starts = [
        "+MII", "/MIG", "+MC4C", "/MHcC", "+b3Bl", "/b3BlbnNzaC1rZXktdjEA", "+LS0t", "/UHVU", "+UFJJVkFURSBLRV", "MII",
        "-3082", "/302e0201",
        ":30:82:", ",48,130,", "\\060\\202", "priv:", "\nprime1:AbC0", "private-lines:", "PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----",
        "sha256/", "\nsha256/", "\"d\":\"", "<D>", "seed:00:", "AGE-SECRET-KEY-1", "d=0 ",
        "0:d=0 hl=4 l=9 cons: SEQUENCE", "\n", "\\n", ".\n",
        "%2B", "\\u002b", "=",
    ]

    @Test(arguments: starts) func isLinear(start: String) {
        // Digits without the start of a key, of a length that is not that of a pin.
        let digits = "aZ4kWq8yTn0vXc2Rf7sHj5d"
        func text(_ count: Int) -> String { String(repeating: start + digits, count: count) }
        let (small, large) = (text(60), text(480))
        func search(_ text: String) {
            _ = text.withoutPrivateKeys
            _ = PrivateKeyRanges(Array(text.utf8))
        }
        let growth = Work.growth(small: { search(small) }, large: { search(large) })
        #expect(growth < 30)
    }
}
