internal import Encodings
internal import Pinning

/// The message of OkHttp's CertificatePinner (`check` in CertificatePinner.kt):
///
///     Certificate pinning failure!
///       Peer certificate chain:
///         sha256/PIN=: SUBJECT
///       Pinned certificates for HOST:
///         sha256/PIN=
enum OkHttpMessage {
    /// Maximum number of lines of one message: its chain and its pins.
    private static let maximumLines = 400
    static let title = "Certificate pinning failure!"
    private static let peer = "Peer certificate chain:"
    private static let pinned = "Pinned certificates for "

    /// The failure, and the index of the last line of the message.
    static func failure(at index: Int, in log: LogText) -> (ConnectionFailure, end: Int) {
        var failure = ConnectionFailure(
            .okhttp, .pinMismatch, log.lines[index], message: title)
        var isInPins = false
        var isComplete = false
        if isInChain(index, log) { failure.repeatedPart = part(peer) }
        var headings = (peer: 0, pinned: 0)
        var end = index
        var next = log.lines.count
        for (offset, wholeLine) in log.lines[index...].enumerated() {
            // A log can have the end of a message and the next title in one line.
            let hasNext = offset > 0 && wholeLine.announces(title)
            let line =
                if offset == 0 { wholeLine.part(from: title) } else if hasNext { wholeLine.part(upTo: title) } else {
                    wholeLine
                }
            if hasNext { next = index + offset }
            let counts = (
                peer: line.indices(of: peer, atMost: 2).count, pinned: line.indices(of: pinned, atMost: 2).count
            )
            headings.peer += counts.peer
            headings.pinned += counts.pinned
            if headings.peer > 1 { failure.repeatedPart = part(peer) }
            if headings.pinned > 1 { failure.repeatedPart = part(pinned) }
            if counts.pinned > 0 {
                end = index + offset
                // Names with line feeds are between the title and this line.
                if isComplete { failure.repeatedPart = failure.repeatedPart ?? part(pinned) }
            }
            // The lines after the message are only searched for other headings.
            if !isComplete {
                let pins = line.indices(of: "sha256/", atMost: maximumLines)
                let isHeading = counts.peer > 0 || counts.pinned > 0 || offset == 0
                let isMember = isHeading || !pins.isEmpty || line.contains("sha1/")
                if isMember, isInPins || counts.pinned > 0 || end + 1 >= index + offset { end = index + offset }
                if counts.pinned > 0 {
                    failure.host = line.text(after: pinned, upTo: ":")
                    isInPins = true
                }
                // A log without line feeds has the whole message in one line.
                let boundary = line.firstIndex(of: pinned) ?? (isInPins ? line.bytes.startIndex : line.bytes.endIndex)
                if pins.count > 1, !isHeading { failure.repeatedPart = part("sha256/") }
                for (position, start) in pins.enumerated() {
                    let end = position + 1 < pins.count ? pins[position + 1] : line.bytes.endIndex
                    add(
                        line.bytes[start..<end],
                        isPinned: start > boundary || isInPins && boundary == line.bytes.startIndex, to: &failure)
                }
                for start in line.indices(of: "sha1/", atMost: maximumLines) where isInPins {
                    let text = line.bytes[start...].prefix { !$0.isWhiteSpace }
                    failure.otherPins.append(String(decoding: text, as: UTF8.self))
                }
                isComplete = isInPins && !isMember || offset + 1 >= maximumLines
            }
            guard !hasNext else {
                // The name of a certificate can contain the title.
                if headings.peer > 0, headings.pinned == 0 { failure.repeatedPart = part(title) }
                break
            }
        }
        failure.findHost(near: index, in: log)
        return (failure, min(end, max(index, next - 1)))
    }

    private static func part(_ text: String) -> String {
        "\"\(String(decoding: Array(text.utf8)[...].trimmed, as: UTF8.self))\""
    }

    /// Whether the message before a line has a chain but no pins, so that the line can be a part of a certificate's name.
    private static func isInChain(_ index: Int, _ log: LogText) -> Bool {
        for line in log.lines[..<index].reversed() {
            if line.contains(pinned) { return false }
            if line.contains(peer) { return true }
            if line.contains(title) { return false }
        }
        return false
    }

    private static func add(_ bytes: ArraySlice<UInt8>, isPinned: Bool, to failure: inout ConnectionFailure) {
        // "sha256/" and 44 characters of base64.
        let spelling = bytes.prefix(51)
        guard let pin = try? Pin(spelling: String(decoding: spelling, as: UTF8.self)) else { return }
        guard !isPinned else {
            failure.expected.append(pin)
            return
        }
        let rest = bytes.dropFirst(51)
        let subject = rest.first == UInt8(ascii: ":") ? String(decoding: rest.dropFirst().trimmed, as: UTF8.self) : nil
        failure.seen.append(ConnectionFailure.SeenCertificate(subject: subject, pin: pin))
    }
}
