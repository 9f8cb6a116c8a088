import Testing

@testable import Encodings
@testable import Pinning

@Suite struct PinSetErrorTests {
    static let x1 = PinSetTests.x1
    static let nothing = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    static let form = "write the SHA-256 of a public key: 44 characters of base64, or 64 hexadecimal digits"

    private func expect(_ text: String, _ description: String, _ hint: String?, sourceLocation: SourceLocation) {
        let error = #expect(throws: PinSetError.self, sourceLocation: sourceLocation) {
            try PinSet(json: Array(text.utf8))
        }
        #expect(error?.description == description, sourceLocation: sourceLocation)
        #expect(error?.hint == hint, sourceLocation: sourceLocation)
    }

    @Test(
        arguments: [
            ("", "1:1: expected a value, found the end of the text", nil),
            ("[]", "1:1: the pin set is an array, not an object", nil),
            ("{}", #"1:1: the pin set has no "version""#, #"write "version": 1"#),
            (
                #"{"version":1}"#, #"1:1: the pin set has no "hosts""#,
                #"write "hosts": { "api.example.com": { "pins": [{ "sha256": "…" }] } }"#
            ),
            ("{\n\"version\": 2}", "2:12: version 2 of the pin set is not supported", #"write "version": 1"#),
            (
                "{\"version\":\(String(repeating: "1234567890", count: 9))}",
                "1:12: version 1234… of the pin set is not supported", #"write "version": 1"#
            ),
            (#"{"version":1.0}"#, "1:12: version 1.0 of the pin set is not supported", #"write "version": 1"#),
            (#"{"version":"1"}"#, #"1:12: "version" is a string, not the number 1"#, #"write "version": 1"#),
            (#"{"version":1,"hosts":[]}"#, #"1:22: "hosts" is an array, not an object"#, nil),
            (
                "{\"version\":1,\n\"version\":1}", #"2:1: duplicate key "version": first on line 1"#,
                "remove one: readers differ in which value they use"
            ),
            (
                "{\"version\":1,\"hosts\":{},\n}", #"2:1: expected a key, found "}""#,
                "remove the comma before the closing bracket"
            ),
        ] as [(String, String, String?)])
    func refusesDocuments(text: String, description: String, hint: String?) {
        expect(text, description, hint, sourceLocation: #_sourceLocation)
    }

    /// Members of "hosts", on line 2, with the expected error.
    @Test(
        arguments: [
            (
                #""a.example": 1"#, #"2:14: the entry of "a.example" is a number, not an object or an array"#,
                #"write { "pins": […] }, or only an array of pins"#
            ),
            (
                #""a.example": []"#, #"2:14: the host "a.example" has an empty list of pins"#,
                "add a pin, or remove the host"
            ),
            (
                #""a.example": {"pins":[]}"#, #"2:22: the host "a.example" has an empty list of pins"#,
                "add a pin, or remove the host"
            ),
            (
                #""a.example": {}"#, #"2:14: the entry of "a.example" has no "pins""#,
                #"write "pins": [{ "sha256": "…" }]"#
            ),
            (#""a.example": {"pins":{}}"#, #"2:22: "pins" is an object, not an array"#, nil),
            (#""a.example": {"pins":null}"#, #"2:22: "pins" is null, not an array"#, nil),
            (#""a.example": [7]"#, "2:15: the pin is a number, not an object or a string", #"write { "sha256": "…" }"#),
            (#""a.example": [{}]"#, #"2:15: the pin has no "sha256""#, #"write "sha256": "…""#),
            (#""a.example": [{"sha256":7}]"#, #"2:25: "sha256" is a number, not a string"#, nil),
            (#""a.example": ["AAAA"]"#, #"2:15: "AAAA" has 3 bytes, but a pin has 32"#, form),
            (
                #""a.example": {"pins":[{"sha256":"sha1/AAAA"}]}"#,
                #"2:33: "sha1/AAAA" is a sha1 digest, but a pin is a sha256 digest"#,
                "generate the pin again from the certificate or key"
            ),
            (
                #""a.example": {"pins":[{"sha256":"\#(nothing)"}]}"#,
                #"2:33: "\#(nothing)" is the SHA-256 of empty input"#,
                "generate the pin again from the certificate or key: the command that should print the key printed nothing"
            ),
            (
                #""a.example:443": ["\#(x1)"]"#, #"2:1: "a.example:443" has a port, but a host is expected"#,
                #"write "a.example""#
            ),
            (
                #""https://a.example": ["\#(x1)"]"#,
                #"2:1: "https://a.example" has a scheme, but a host is expected"#, #"write "a.example""#
            ),
            (
                #""a.example": ["\#(x1)"], "*.a.example": ["\#(x1)"]"#,
                #"2:64: "*.a.example" is a wildcard, but a host is expected"#,
                #"write "a.example" with "subdomains": "one""#
            ),
            (
                #""a.example": ["\#(x1)"],\#n "A.example.": ["\#(x1)"]"#,
                #"3:2: the host "A.example." occurs twice: first on line 2 as "a.example""#,
                "put the pins of both into one entry"
            ),
            (
                #""::1": ["\#(x1)"],\#n "[0:0:0:0:0:0:0:1]": ["\#(x1)"]"#,
                #"3:2: the host "[0:0:0:0:0:0:0:1]" occurs twice: first on line 2 as "::1""#,
                "put the pins of both into one entry"
            ),
            (
                #""a.example": ["\#(x1)"],\#n "a.example": ["\#(x1)"]"#,
                #"3:2: duplicate key "a.example": first on line 2"#,
                "remove one: readers differ in which value they use"
            ),
            (
                #""192.0.2.1": {"subdomains":"all","pins":["\#(x1)"]}"#,
                #"2:28: "192.0.2.1" is an IP address, which has no subdomains"#, #"remove "subdomains""#
            ),
            (
                #""a.example": {"subdomains":"yes","pins":["\#(x1)"]}"#,
                #"2:28: "subdomains" is "yes", which is not a known value"#, #"write "none", "one" or "all""#
            ),
            (#""a.example": {"subdomains":true,"pins":["\#(x1)"]}"#, #"2:28: "subdomains" is true, not a string"#, nil),
            (
                #""a.example": {"expires":"2027-02-29","pins":["\#(x1)"]}"#,
                #"2:25: "expires" is "2027-02-29", which is not a date"#,
                #"write a day such as "2027-06-01", or a time such as "2027-06-01T12:00:00Z""#
            ),
            (
                #""a.example": {"expires":1790000000,"pins":["\#(x1)"]}"#,
                #"2:25: "expires" is a number, not a string"#, nil
            ),
            (
                #""a.example": {"expires":null,"pins":["\#(x1)"]}"#, #"2:25: "expires" is null, not a string"#,
                #"remove "expires""#
            ),
            (
                #""a.example": {"enforce":"no","pins":["\#(x1)"]}"#, #"2:25: "enforce" is a string, not true or false"#,
                nil
            ),
            (
                #""a.example": {"anchors":"a.pem","pins":["\#(x1)"]}"#, #"2:25: "anchors" is a string, not an array"#,
                nil
            ),
            (
                #""a.example": {"anchors":[1],"pins":["\#(x1)"]}"#,
                #"2:26: a member of "anchors" is a number, not a string"#, nil
            ),
            (
                #""a.example": {"anchors":[],"pins":["\#(x1)"]}"#,
                #"2:25: the host "a.example" has an empty list of anchors"#,
                "remove \"anchors\" to trust the system's CAs, or add a certificate file"
            ),
            (
                #""a.example": {"anchors":["a\u0000"],"pins":["\#(x1)"]}"#,
                #"2:26: "anchors" contains a path with the character NUL"#,
                "write the path of a certificate file, relative to the pin set"
            ),
            (
                #""a.example": {"anchors":[""],"pins":["\#(x1)"]}"#, #"2:26: "anchors" contains an empty path"#,
                "write the path of a certificate file, relative to the pin set"
            ),
            (
                #""a.example": [{"sha256":"\#(x1)","role":"Root"}]"#,
                #"2:79: "role" is "Root", which is not a known value"#,
                #"write "leaf", "intermediate", "root", "ca" or "any""#
            ),
            (
                #""a.example": [{"sha256":"\#(x1)","state":"old"}]"#,
                #"2:80: "state" is "old", which is not a known value"#,
                #"write "active", "backup" or "retired""#
            ),
            (#""a.example": [{"sha256":"\#(x1)","label":1}]"#, #"2:80: "label" is a number, not a string"#, nil),
            (
                #""a.example": [{"sha256":"\#(x1)","notAfter":"soon"}]"#,
                #"2:83: "notAfter" is "soon", which is not a date"#,
                #"write a day such as "2027-06-01", or a time such as "2027-06-01T12:00:00Z""#
            ),
        ] as [(String, String, String?)])
    func refusesHosts(hosts: String, description: String, hint: String?) {
        expect("{\"version\":1,\"hosts\":{\n\(hosts)}}", description, hint, sourceLocation: #_sourceLocation)
    }
}
