import Authentication
import HTTPSession

/// Trusts one certificate, the contents of a `.der` file in the program, and no CA of the system.
func requestWithPinnedCertificate(_ url: String, der: [UInt8]) throws -> TaskResult {
    let session = try Session(handler: try TrustHandler.pinnedCertificate(der: der))
    return session.run(Session.Request(url: url))
}
