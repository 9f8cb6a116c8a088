import Testing

@testable import Encodings
@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning
@testable import ServerPinFormats

@Suite struct OkHttpRulesTests {
    @Test(arguments: [
        PlatformCase("example.com | root:leaf", is: .accepts, "the only pattern that matches, example.com,"),
        PlatformCase("example.com one | root", is: .accepts, "example.com"),
        PlatformCase("example.com one | root", host: "a.example.com", is: .accepts, "*.example.com"),
        PlatformCase("example.com one | root", host: "b.a.example.com", is: .notPinned, "no pattern"),
        PlatformCase("example.com all | root", is: .accepts, "**.example.com"),
        PlatformCase("example.com all | spare", host: "b.a.example.com", is: .rejects, "**.example.com"),
        // OkHttp combines the pins of all matching patterns.
        PlatformCase(
            "a.example.com | spare", "example.com one | root", "com all | spare2", host: "a.example.com", is: .accepts,
            "the combined list of a.example.com and *.example.com and **.com has the pin of the root"),
        PlatformCase(
            "a.example.com | spare", "example.com all | spare2", host: "a.example.com", is: .rejects,
            "the combined list"),
    ])
    func combinesPatterns(row: PlatformCase) throws { try row.check(.okhttp) }
}
