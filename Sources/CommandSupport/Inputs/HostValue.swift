package import Arguments
package import Pinning

/// A host of a pin set as an argument: a name or an IP address, without a port.
package enum HostValue {
    package static let value = Value<String>("HOST", expected: "a host without a port") { text throws(ValueError) in
        guard !isPin(text) else {
            throw ValueError("it is a pin, but a host is expected", hint: "use --pin PIN")
        }
        do throws(HostNameError) {
            return try HostName.normalized(text)
        } catch {
            throw ValueError(error.message, hint: error.hint, isAboutTarget: true)
        }
    }

    /// Whether an argument is a pin. Most pins contain characters of URLs and targets, so an error about a part of one would mislead.
    package static func isPin(_ text: String) -> Bool {
        text.utf8.count <= 100 && (try? Pin(spelling: text)) != nil
    }

    /// Creates the identity of a host whose name is already normalized.
    package static func identity(_ name: String) -> ServerIdentity {
        IPAddress(name) == nil ? .name(name) : .address(name)
    }
}
