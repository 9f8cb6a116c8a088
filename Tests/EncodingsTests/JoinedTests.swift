import Encodings
import Testing

struct JoinedTests {
    @Test(arguments: [
        ([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c"),
    ]) func joinsAsInASentence(words: [String], text: String) {
        #expect(words.joined(conjunction: "or") == text)
    }
}
