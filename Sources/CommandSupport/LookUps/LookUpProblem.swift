/// Why a host may have addresses that name resolution did not return.
package struct LookUpProblem {
    package enum Cause {
        /// The look-up failed, or its answer is incomplete.
        case failure
        /// A setting of the machine hides addresses.
        case setting
        /// The host has an address that the run did not contact.
        case notContacted
        /// The host has more addresses than a run contacts.
        case tooManyAddresses
        /// The proxy cannot connect to the addresses of one family.
        case proxy
    }

    /// A clause.
    package let reason: String
    package var cause = Cause.failure

    /// What lets a command find and contact every address, as an imperative.
    package func step(for command: String) -> String {
        switch cause {
        case .failure: "run \(command) again when name resolution works"
        case .notContacted: "run \(command) again"
        case .tooManyAddresses: "see \"Names with many addresses\" in Docs/scaling.md"
        case .setting: "run \(command) without this setting"
        case .proxy: "use a proxy that can connect to IPv6 addresses, such as a SOCKS 5 proxy"
        }
    }
}
