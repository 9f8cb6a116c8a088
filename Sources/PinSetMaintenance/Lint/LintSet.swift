internal import Encodings
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning

/// A pin set as lint reads it. It contains values that a strict reader rejects.
struct LintSet {
    var format = PinSetFormat.pins
    var entries: [LintEntry] = []
    /// Whether only a compiler, a build or the program knows some of its pins and hosts.
    var hasUnreadValues = false
}

struct LintEntry {
    /// The host as written in the file.
    let host: String
    /// The normalized host name; nil for an invalid host.
    let name: String?
    let position: SourcePosition?
    var subdomains = PinSet.Subdomains.none
    var expires: Timestamp?
    var enforce = true
    /// Paths of the files with the only trust anchors of the host, as written, with their positions.
    var anchors: [(path: String, position: SourcePosition)] = []
    var endpoints: [PinSet.Endpoint] = []
    var pins: [LintPin] = []

    /// The pins that can match.
    var usable: [LintPin] { pins.filter { $0.pin != nil && $0.state != .retired } }
}

struct LintPin {
    /// The pin as written in the file.
    let spelling: String
    /// The value; nil if the spelling is invalid or if the pin is the hash of empty input.
    let pin: Pin?
    var role = PinSet.AllowedRole.any
    var state = PinSet.State.active
    var label: String?
    var notAfter: Timestamp?
    /// Whether the file records since when no server uses the key.
    var isGone = false
    var position: SourcePosition?

    /// The pin as shown in a finding.
    var shown: String { pin?.base64 ?? spelling }
}
