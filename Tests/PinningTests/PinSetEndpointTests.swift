import Encodings
import Testing

@testable import Pinning

@Suite struct PinSetEndpointTests {
    private static let pin = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="

    private func set(host: String = "example.com", subdomains: String = "none", _ endpoints: String) throws -> PinSet {
        let text =
            #"{"version":1,"hosts":{"\#(host)":{"subdomains":"\#(subdomains)","endpoints":\#(endpoints),"pins":["\#(Self.pin)"]}}}"#
        return try PinSet(json: Array(text.utf8))
    }

    @Test(
        arguments: [
            ("example.com", "example.com", 443, nil), ("EXAMPLE.com.:8443", "example.com", 8443, nil),
            ("smtp://example.com", "example.com", 25, .smtp), ("submission://example.com", "example.com", 587, .smtp),
            ("LDAP://example.com:1389", "example.com", 1389, .ldap), ("imaps://example.com", "example.com", 993, nil),
        ] as [(String, String, UInt16, StartTLSProtocol?)])
    func reads(text: String, name: String, port: UInt16, startTLS: StartTLSProtocol?) throws {
        let endpoint = try #require(try set("[\"\(text)\"]").entries.first?.endpoints.first)
        #expect(endpoint.text == text)
        #expect(endpoint.name == name)
        #expect(endpoint.port == port)
        #expect(endpoint.scheme.startTLS == startTLS)
    }

    @Test func readsAddresses() throws {
        for (text, port) in [("2001:db8::1", 443), ("[2001:db8::1]", 443), ("[2001:db8::1]:8443", 8443)] {
            let endpoint = try #require(try set(host: "2001:db8::1", "[\"\(text)\"]").entries.first?.endpoints.first)
            #expect(endpoint.name == "2001:db8::1")
            #expect(endpoint.port == UInt16(port))
        }
    }

    @Test(
        arguments: [
            ("[]", #"the host "example.com" has an empty list of endpoints"#),
            (#""example.com""#, #""endpoints" is a string, not an array"#),
            ("[1]", #"a member of "endpoints" is a number, not a string"#),
            (
                #"["gopher://example.com"]"#,
                #"the endpoint "gopher://example.com" has the scheme "gopher", which is not known"#
            ),
            (
                #"["example.com:0"]"#,
                #"the endpoint "example.com:0" has the port "0", which is not a number from 1 to 65535"#
            ),
            (
                #"["example.com:"]"#,
                #"the endpoint "example.com:" has the port "", which is not a number from 1 to 65535"#
            ),
            // The part after the colon would not be recognized as a part of a key.
            (
                ##"["\"d\" : \"870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE\""]"##,
                ##"the endpoint "\"d\" : \"870M…\"" has no port from 1 to 65535"##
            ),
            (
                #"["Private-Lines: 1\nlQOYBGVx8q0BCADN4v3K9mPz7yT2wQ5Lc1Rj"]"#,
                #"the endpoint "Private-Lines: 1\nlQOY…" has no port from 1 to 65535"#
            ),
            (
                #"["other.example"]"#,
                #"the endpoint "other.example" is not a host that the entry of "example.com" covers"#
            ),
            (
                #"["a.example.com"]"#,
                #"the endpoint "a.example.com" is not a host that the entry of "example.com" covers"#
            ),
        ]) func refuses(endpoints: String, message: String) throws
    {
        #expect {
            _ = try set(endpoints)
        } throws: { error in
            (error as? PinSetError)?.message == message
        }
    }

    @Test(arguments: [
        "https://example.com/", "user@example.com", "https://", "", "example.com=a", "http://example.com",
    ])
    func refusesOtherTexts(text: String) {
        #expect(throws: PinSetError.self) { try set("[\"\(text)\"]") }
    }

    @Test func coversSubdomains() throws {
        #expect(try set(subdomains: "one", #"["a.example.com:1"]"#).entries.first?.endpoints.count == 1)
        #expect(throws: PinSetError.self) { try set(subdomains: "one", #"["b.a.example.com:1"]"#) }
        #expect(try set(subdomains: "all", #"["b.a.example.com:1"]"#).entries.first?.endpoints.count == 1)
        #expect(throws: PinSetError.self) { try set(subdomains: "all", #"["notexample.com:1"]"#) }
    }
}
