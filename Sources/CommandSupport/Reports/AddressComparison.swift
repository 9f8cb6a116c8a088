internal import Encodings
package import Fetching
internal import PinSetCodec
internal import Pinning

/// Compares the chains that the addresses of one name present, to find a server behind a load balancer that still has an old
/// certificate.
///
/// Addresses without a chain are not compared; their own results report the error.
package struct AddressComparison {
    private struct Group {
        let pins: [Pin]
        let isTrusted: Bool
        var addresses: [String]
    }

    private var groups: [Group] = []

    private let target: Target

    package init(_ result: FetchResult) {
        target = result.target
        for address in result.addresses {
            if case .success(let presentation) = address.outcome { add(presentation.chain, at: address.endpoint.host) }
        }
    }

    /// A warning if the chains differ; otherwise nil.
    package var warning: String? {
        guard groups.count > 1 else { return nil }
        // If the leaves are equal, another certificate differs, so all pins are listed.
        let leaves = Set(groups.compactMap { $0.pins.first?.base64 })
        let parts = groups.map { group in
            let shown = leaves.count == groups.count ? Array(group.pins.prefix(1)) : group.pins
            let pins = shown.map(\.base64).joined(separator: ", ")
            let verb = group.addresses.count == 1 ? "presents" : "present"
            return
                "\(group.addresses.joined(conjunction: "and")) \(verb) \(pins)\(group.isTrusted ? "" : " (not trusted)")"
        }
        return Message.warning("the addresses of \(target) disagree: \(parts.joined(separator: "; "))")
    }

    private mutating func add(_ chain: CertificateChain, at address: String) {
        let pins = chain.entries.map(\.certificate.pin)
        let index = groups.firstIndex { $0.pins == pins && $0.isTrusted == chain.isTrusted }
        if let index {
            groups[index].addresses.append(address)
        } else {
            groups.append(Group(pins: pins, isTrusted: chain.isTrusted, addresses: [address]))
        }
    }
}
