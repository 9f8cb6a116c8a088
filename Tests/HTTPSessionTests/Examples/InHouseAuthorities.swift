import Authentication
import HTTPSession

/// Trusts the CAs in a folder for the hosts of the company, and the CAs of the system for all others.
func requestWithInHouseAuthorities(_ url: String, folder: String, hosts: Set<String>) throws -> TaskResult {
    let handler = try TrustHandler.authorities(inFolder: folder, hosts: hosts)
    return try Session(handler: handler).run(Session.Request(url: url))
}
