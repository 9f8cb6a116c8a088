internal import Encodings
internal import PinSetFormats
internal import Pinning

/// A pin set as far as it could be read, for a linter: what a strict reader would refuse is there all the same.
struct LintSet {
    var format = PinSetFormat.pins
    var entries: [LintEntry] = []
}

struct LintEntry {
    /// As written.
    let host: String
    /// As hosts are compared; nil for what is no host.
    let name: String?
    let position: SourcePosition?
    var subdomains = PinSet.Subdomains.none
    var expires: Timestamp?
    var enforce = true
    /// Files whose certificates alone are trusted for the host, as written, with their places.
    var anchors: [(path: String, position: SourcePosition)] = []
    var pins: [LintPin] = []

    /// Those that can match.
    var usable: [LintPin] { pins.filter { $0.pin != nil && $0.state != .retired } }
}

struct LintPin {
    /// As written.
    let spelling: String
    /// Nil where the spelling is none of a pin, and for the hash of nothing.
    let pin: Pin?
    var role = PinSet.AllowedRole.any
    var state = PinSet.State.active
    var label: String?
    var notAfter: Timestamp?
    var position: SourcePosition?

    /// As a finding gives it.
    var shown: String { pin?.base64 ?? spelling }
}
