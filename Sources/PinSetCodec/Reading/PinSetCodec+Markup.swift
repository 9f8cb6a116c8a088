package import Encodings
package import Pinning

extension PinSetFormatError {
    package init(_ format: PinSetFormat, at position: SourcePosition?, message: String, hint: String? = nil) {
        self.init(format: format, line: position?.line, column: position?.column, message: message, hint: hint)
    }

    package init(_ format: PinSetFormat, at position: SourcePosition?, host error: HostNameError) {
        let isWildcard = error.reason == .wildcard
        let hint = isWildcard ? "write the host, and that its subdomains are included" : error.hint
        self.init(format, at: position, message: error.message, hint: hint)
    }
}

/// What the readers of pin sets in XML, in property lists and in literals of source share.
extension PinSetCodec {
    /// A pin as it stands in this format: base64 of 32 bytes, and nothing before or behind it.
    ///
    /// - Parameter position: evaluated for an error only, for it takes time.
    package static func barePin(
        _ text: String, at position: @autoclosure () -> SourcePosition?
    ) throws(PinSetFormatError) -> Pin {
        let pin: Pin
        do throws(PinSpellingError) {
            pin = try Pin(spelling: text)
        } catch {
            throw PinSetFormatError(format, at: position(), message: error.message, hint: error.hint)
        }
        guard pin.base64 == text else {
            throw PinSetFormatError(
                format, at: position(),
                message: "\(text.quotedExcerpt) is not base64 alone, the only spelling that this format has",
                hint: "write \(pin.base64.quotedExcerpt)")
        }
        return pin
    }

    /// The set of `entries`, each with the place of its host in `bytes`.
    package static func set(
        of entries: [(entry: PinSet.Entry, offset: Int?)], in bytes: [UInt8]
    ) throws(PinSetFormatError) -> PinSet {
        var hosts: [String: String] = [:]
        for (entry, offset) in entries {
            if let first = hosts.updateValue(entry.host, forKey: entry.name) {
                throw PinSetFormatError(
                    format, at: offset.map { SourcePosition(of: $0, in: bytes) },
                    message: "the host \(entry.host.quotedExcerpt) occurs twice: first as \(first.quotedExcerpt)",
                    hint: "put the pins of both into one entry")
            }
        }
        do throws(PinSetError) {
            return try PinSet(entries: entries.map(\.entry))
        } catch {
            throw PinSetFormatError(format: format, message: error.message, hint: error.hint)
        }
    }

    package static func entry(
        host: String, at position: @autoclosure () -> SourcePosition?, subdomains: PinSet.Subdomains,
        expires: Timestamp? = nil,
        enforce: Bool = true, pins: [PinSet.PinnedKey]
    ) throws(PinSetFormatError) -> PinSet.Entry {
        do throws(PinSetError) {
            return try PinSet.Entry(
                host: host, subdomains: subdomains, expires: expires, enforce: enforce, pins: pins)
        } catch {
            if case .host(let error) = error.reason { throw PinSetFormatError(format, at: position(), host: error) }
            throw PinSetFormatError(format, at: position(), message: error.message, hint: error.hint)
        }
    }
}
