package import Encodings
package import Pinning

extension PinSetFormatError {
    package init(_ error: HostNameError, format: PinSetFormat, at position: SourcePosition?) {
        self.init(error.reason == .wildcard ? .wildcard(error) : .host(error), format: format, at: position)
    }
}

/// Functions that the readers of pin sets in XML, property lists and source literals share.
extension PinSetCodec {
    /// Reads a pin in this format: exactly the base64 of 32 bytes.
    ///
    /// - Parameter position: evaluated only for an error, because it takes time.
    package static func barePin(
        _ text: String, at position: @autoclosure () -> SourcePosition?
    ) throws(PinSetFormatError) -> Pin {
        let pin: Pin
        do throws(PinSpellingError) {
            pin = try Pin(spelling: text)
        } catch {
            throw Self.error(.pin(error), at: position())
        }
        guard pin.base64 == text else { throw error(.pinSpelling(text, pin), at: position()) }
        return pin
    }

    /// Creates the set of `entries`. Each entry comes with the offset of its host in `bytes`, for errors.
    package static func set(
        of entries: [(entry: PinSet.Entry, offset: Int?)], in bytes: [UInt8]
    ) throws(PinSetFormatError) -> PinSet {
        var hosts: [String: String] = [:]
        for (entry, offset) in entries {
            if let first = hosts.updateValue(entry.host, forKey: entry.name) {
                throw error(
                    .hostTwice(entry.host, first: first), at: offset.map { SourcePosition(of: $0, in: bytes) })
            }
        }
        do throws(PinSetError) {
            return try PinSet(entries: entries.map(\.entry))
        } catch {
            throw Self.error(.set(error))
        }
    }

    package static func entry(
        host: String, at position: @autoclosure () -> SourcePosition?, subdomains: PinSet.Subdomains,
        expires: Timestamp? = nil,
        enforce: Bool = true, pins: [PinSet.PinnedKey]
    ) throws(PinSetFormatError) -> PinSet.Entry {
        do throws(PinSetError) {
            return try PinSet.Entry(
                host: host, subdomains: subdomains.possible(for: host), expires: expires, enforce: enforce, pins: pins)
        } catch {
            if case .host(let error) = error.reason {
                throw PinSetFormatError(error, format: format, at: position())
            }
            throw Self.error(.set(error), at: position())
        }
    }
}

extension PinSet.Subdomains {
    /// The subdomains that a host can have: an IP address has none, although a platform's file can ask for them.
    func possible(for host: String) -> Self {
        self != .none && (try? HostName.normalized(host)).map { IPAddress($0) != nil } ?? false ? .none : self
    }
}
