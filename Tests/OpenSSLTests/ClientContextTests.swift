import Testing

@testable import OpenSSL

@Suite struct ClientContextTests {
    @Test(arguments: [0x301, 0x302, 0x303, 0x304] as [UInt16])
    func acceptsEveryVersion(version: UInt16) throws {
        var settings = ClientContext.Settings()
        settings.minimumVersion = version
        settings.maximumVersion = version
        _ = try ClientContext(settings)
        settings.allowsWeak = true
        settings.applicationProtocols = ["h2", "http/1.1"]
        _ = try ClientContext(settings)
    }

    @Test(arguments: ClientContext.Curve.allCases, [nil, 0x303] as [UInt16?])
    func acceptsEveryCurve(curve: ClientContext.Curve, version: UInt16?) throws {
        var settings = ClientContext.Settings()
        settings.keyTypes = [.ecdsa]
        settings.curves = [curve]
        settings.maximumVersion = version
        _ = try ClientContext(settings)
    }

    /// The name of a protocol has 1 to 255 bytes (RFC 7301, section 3.1).
    @Test func rejectsInvalidApplicationProtocols() throws {
        var settings = ClientContext.Settings()
        settings.applicationProtocols = [String(repeating: "a", count: 255)]
        _ = try ClientContext(settings)
        settings.applicationProtocols = ["h2", ""]
        #expect(throws: OpenSSLError.self) { _ = try ClientContext(settings) }
        settings.applicationProtocols = [String(repeating: "a", count: 256)]
        #expect(throws: OpenSSLError.self) { _ = try ClientContext(settings) }
    }

    /// RFC 6066, section 3; OpenSSL limits the name to 255 bytes.
    @Test func rejectsAServerNameThatIsTooLong() throws {
        let context = try ClientContext(ClientContext.Settings())
        _ = try ClientSession(context, serverName: String(repeating: "a", count: 253))
        _ = try ClientSession(context, serverName: nil)
        let error = #expect(throws: OpenSSLError.self) {
            _ = try ClientSession(context, serverName: String(repeating: "a", count: 256))
        }
        #expect(error?.entries.isEmpty == false)
    }
}
