package import Arguments
internal import Encodings
package import Pinning

/// Options for the properties of a pin set entry.
package enum EntryFlags {
    package static let expires = Option.optional(
        "expires",
        takes: Value<Timestamp>("DATE", expected: "a date such as 2027-06-01") { Timestamp(rfc3339: $0) },
        help: "the pins expire at the start of this day (UTC)"
    )
    package static let subdomains = Option.optional(
        "subdomains", takes: .choice(PinSet.Subdomains.self, "WHICH"),
        help:
            "subdomains that the entry covers: none, those with one more label, or all (default for a new entry: none)"
    )

    package static let declared: [any AnyOption] = [expires, subdomains]

    /// Fails for subdomains of an IP address, and for a date that has passed.
    package static func check(
        _ values: Values, for identities: [ServerIdentity], at now: Timestamp
    ) throws(CommandError) {
        if let date = values[expires], date <= now {
            throw CommandError("\"--expires \(date.date)\" has passed", hint: "use a date in the future")
        }
        guard let which = values[subdomains], which != .none else { return }
        for case .address(let address) in identities {
            throw CommandError("\"--subdomains \(which.rawValue)\" is for host names: \(address) has no subdomains")
        }
    }
}
