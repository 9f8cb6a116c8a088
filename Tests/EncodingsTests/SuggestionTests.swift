import Testing

@testable import Encodings

struct SuggestionTests {
    private let words = ["fetch", "hash", "verify", "refresh", "convert", "lint", "init", "challenge", "help"]

    @Test(arguments: [
        ("fecth", ["fetch"]), ("ftech", ["fetch"]), ("fetc", ["fetch"]), ("fetchh", ["fetch"]), ("etch", ["fetch"]),
        ("hsah", ["hash"]), ("HASH", ["hash"]), ("verfy", ["verify"]), ("vrfy", ["verify"]), ("reffesh", ["refresh"]),
        ("v", ["verify"]), ("he", ["help"]), ("h", ["hash", "help"]), ("lnt", ["lint"]), ("linit", ["lint", "init"]),
        ("chalenge", ["challenge"]), ("challenges", ["challenge"]),
        ("", []), ("x", []), ("xyz", []), ("f00", []), ("example.com", []), ("-", []), ("日本", []),
    ])
    func suggestsSimilarWords(typed: String, expected: [String]) {
        #expect(Suggestion.nearest(to: typed, among: words) == expected)
    }

    @Test func suggestsNothingForTooManyMatches() {
        #expect(Suggestion.nearest(to: "a", among: ["aa", "ab", "ac"]) == ["aa", "ab", "ac"])
        #expect(Suggestion.nearest(to: "a", among: ["aa", "ab", "ac", "ad"]) == [])
    }

    @Test func suggestsOnlyTheNearestWords() {
        #expect(Suggestion.nearest(to: "abcdef", among: ["abcdxy", "abcdeg", "abcdyx"]) == ["abcdeg"])
        #expect(Suggestion.nearest(to: "abc", among: ["abd", "abe", "abf"]) == ["abd", "abe", "abf"])
        #expect(Suggestion.nearest(to: "abc", among: ["abd", "abe", "abf", "abg"]) == [])
    }

    @Test func ignoresALongText() {
        let word = String(repeating: "a", count: 64)
        #expect(Suggestion.nearest(to: word, among: [word]) == [word])
        #expect(Suggestion.nearest(to: word + "a", among: [word]) == [])
    }

    /// The restricted distance from "ca" to "abc" is 3. The unrestricted distance would be 2.
    @Test(arguments: [
        ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "acb", 1),
        ("abc", "ab", 1), ("ab", "abc", 1), ("ca", "abc", 3), ("kitten", "sitting", 3), ("abcdef", "badcfe", 3),
    ])
    func countsTypingErrors(one: String, two: String, distance: Int) {
        #expect(Suggestion.distance(Array(one.unicodeScalars), Array(two.unicodeScalars)) == distance)
        #expect(Suggestion.distance(Array(two.unicodeScalars), Array(one.unicodeScalars)) == distance)
    }
}
