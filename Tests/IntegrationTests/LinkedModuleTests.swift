import Foundation
import TestSupport
import Testing

/// What the program links.
@Suite struct LinkedModuleTests {
    /// One use of a function of `_StringProcessing` brings the whole module into the program, and about 20 page faults into each run
    /// (Docs/performance.md). The names of used functions contain the length and the name of their module.
    @Test func programHasNoRegularExpressions() throws {
        let program = try Data(contentsOf: URL(fileURLWithPath: PinctlRun.executable), options: .alwaysMapped)
        #expect(program.range(of: Data("17_StringProcessing".utf8)) == nil)
        #expect(program.range(of: Data("9Encodings".utf8)) != nil)
    }
}
