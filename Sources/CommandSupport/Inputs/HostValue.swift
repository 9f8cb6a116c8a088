package import Arguments
package import Pinning

/// A host of a pin set as an argument: a name or an IP address, without a port.
package enum HostValue {
    package static let value = Value<String>("HOST", expected: "a host without a port") { text throws(ValueError) in
        do throws(HostNameError) {
            return try HostName.normalized(text)
        } catch {
            throw ValueError(error.message, hint: error.hint)
        }
    }

    /// Creates the identity of a host whose name is already normalized.
    package static func identity(_ name: String) -> ServerIdentity {
        IPAddress(name) == nil ? .name(name) : .address(name)
    }
}
