import Testing

@testable import PublicSuffixes

@Suite struct DomainRegistryTests {
    /// The results of `GetRegistryLength` of TrustKit 3.0.7 (Dependencies/domain_registry), compiled and run.
    @Test(arguments: [
        ("example.com", 3), ("EXAMPLE.com", 3), ("*.example.com", 3), ("a..com", 3), ("example.com.", 4),
        ("example.com..", 0), ("a.co.uk", 5), ("github.io", 9), ("co.uk", 5), ("com", 3), ("home.arpa", 4),
        ("a.ck", 4), ("ck", 0), ("bd", 0), ("kawasaki.jp", 0), ("localhost", 0), ("app.localdev", 0), ("10.0.0.1", 0),
        ("::1", 0), ("", 0), ("a.music", 0), ("bücher.de", 0), ("amazonaws.com", 0), ("foo.amazonaws.com", 0),
        ("abc.execute-api.eu-west-1.amazonaws.com", 0), ("abc.execute-api.us-east-1.amazonaws.com", 23),
        ("bucket.s3.amazonaws.com", 16), ("d1.cloudfront.net", 14), ("x.azurewebsites.net", 17),
        ("firestore.googleapis.com", 14), ("x.herokuapp.com", 13), ("x.blob.core.windows.net", 3), ("x.vercel.app", 3),
    ])
    func knowsTheRegistriesOfTrustKit(name: String, length: Int) {
        #expect(DomainRegistry.shared.registryLength(of: name) == length)
    }

    /// `DomainValidator.isValid` of TrustKit-Android 1.1.5 with IANA's list 2016042500.
    @Test(arguments: [
        ("example.com", true), ("example.com.", true), ("EXAMPLE.Com", true), ("a-b.example.co.uk", true),
        ("com", false), ("localhost", false), ("api.service.local", false), ("10.0.2.2", false),
        ("example.blog", false),
        ("a_b.example.com", false), (" example.com", false), ("-a.example.com", false), ("example.com..", false),
        // A top-level domain that was removed after 2016.
        ("example.xperia", true),
    ])
    func knowsTheDomainsOfTrustKitForAndroid(name: String, isValid: Bool) {
        #expect(DomainRegistry.shared.isValidOnAndroid(name) == isValid)
    }
}
