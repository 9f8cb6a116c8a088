import Authentication
import HTTPSession
import Pinning

/// Trusts one self-signed development server, by its key.
func requestFromDevelopmentServer(_ url: String, host: String, port: UInt16, pin: Pin) throws -> TaskResult {
    let handler = DevelopmentServerHandler(host: host, port: port, pin: pin)
    return try Session(handler: handler).run(Session.Request(url: url))
}
