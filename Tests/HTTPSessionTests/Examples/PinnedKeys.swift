import Authentication
import HTTPSession
import Pinning

/// Trusts valid chains that contain one of these keys.
func requestWithPinnedKeys(_ url: String, pins: [String], anchors: TrustAnchors) throws -> TaskResult {
    var configuration = SessionConfiguration()
    configuration.anchors = anchors
    let handler = TrustHandler.pinnedKeys(try pins.map { try Pin(spelling: $0) })
    return try Session(configuration, handler: handler).run(Session.Request(url: url))
}
