internal import Encodings
package import PinSetCodec
internal import PinSetFormats
package import Pinning
internal import ServerPinFormats

/// Random pin sets, which use all settings of a set or only those that one format can express.
package struct GeneratedSets {
    package var subdomains = PinSet.Subdomains.allCases
    package var roles = PinSet.AllowedRole.allCases
    package var states = PinSet.State.allCases
    package var expiries: [Timestamp?] = [
        nil, Timestamp(rfc3339: "2027-06-01"), Timestamp(rfc3339: "2028-02-29T12:34:56Z"),
    ]
    package var enforce = [true, false]
    package var labels: [String?] = [nil, "ISRG Root X1", "a; b", "backup", "x\ny", "é \u{202e}*/ \\", "$x \"quoted\""]
    package var notAfter: [Timestamp?] = [
        nil, Timestamp(rfc3339: "2035-06-04"), Timestamp(rfc3339: "2035-06-04T11:04:38Z"),
    ]
    package var anchors = [[], ["ca.pem"]]
    package var hosts = [
        "example.com", "api.example.com", "v2.api.example.com", "example.org", "a_b.example.net",
        "xn--bcher-kva.example.com",
        "localhost", "192.0.2.1", "2001:db8::1",
    ]
    package var hostCounts = 1...5
    package var pinCounts = 1...4

    package init() {}

    package func next(_ generator: inout SeededGenerator) throws -> PinSet {
        let hosts = hosts.shuffled(using: &generator).prefix(Int.random(in: hostCounts, using: &generator))
        return try PinSet(entries: hosts.map { try entry($0, &generator) })
    }

    private func entry(_ host: String, _ generator: inout SeededGenerator) throws -> PinSet.Entry {
        func any<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
        var known: Set<Pin> = []
        var keys: [PinSet.PinnedKey] = []
        for _ in 0..<Int.random(in: pinCounts, using: &generator) {
            let pin = Pin.numbered(Int.random(in: 0..<12, using: &generator))
            guard known.insert(pin).inserted else { continue }
            keys.append(
                PinSet.PinnedKey(
                    pin: pin, role: any(roles), state: any(states), label: any(labels), notAfter: any(notAfter)))
        }
        // An active pin, because a set without one cannot be written.
        if keys.allSatisfy({ $0.state == .retired }) || keys.count < pinCounts.lowerBound {
            for number in 12..<12 + pinCounts.lowerBound {
                keys.append(PinSet.PinnedKey(pin: .numbered(number), role: any(roles)))
            }
        }
        return try PinSet.Entry(
            host: host, subdomains: IPAddress(host) == nil ? any(subdomains) : .none, expires: any(expiries),
            enforce: any(enforce), anchors: any(anchors), pins: keys)
    }

    /// Sets with only those settings that the format can express, so that a conversion must lose nothing.
    package static func plain(_ format: PinSetFormat) -> GeneratedSets {
        var sets = GeneratedSets()
        guard format != .pins else { return sets }
        (sets.states, sets.anchors) = ([.active, .backup], [[]])
        sets.subdomains = [.none, .all]
        sets.roles = [.any]
        (sets.labels, sets.notAfter, sets.expiries, sets.enforce) = ([nil], [nil], [nil], [true])
        // No host is a parent domain of another one, because some formats combine the pins of both.
        sets.hosts = ["api.example.com", "example.org", "xn--bcher-kva.example.com", "localhost", "a.example.net"]
        switch format {
        case .okhttp:
            sets.subdomains = PinSet.Subdomains.allCases
            (sets.labels, sets.notAfter) = ([nil, "ISRG Root X1", "a; b"], GeneratedSets().notAfter)
            sets.hosts += ["192.0.2.1", "2001:db8::1"]
        case .hpkp: (sets.enforce, sets.pinCounts) = ([true, false], 2...4)
        case .curl: (sets.subdomains, sets.roles) = ([.none], [.leaf])
        case .tlsa:
            (sets.subdomains, sets.roles) = ([.none], [.leaf, .ca, .any])
            (sets.labels, sets.notAfter) = ([nil, "ISRG Root X1", "a; b"], GeneratedSets().notAfter)
        case .apple:
            (sets.subdomains, sets.roles) = ([.none, .one], [.ca])
            (sets.labels, sets.notAfter) = ([nil, "ISRG Root X1", "a; b"], GeneratedSets().notAfter)
        case .android, .trustkit, .trustkitSwift:
            sets.expiries = [nil, Timestamp(rfc3339: "2027-06-01")]
            (sets.labels, sets.notAfter) = ([nil, "ISRG Root X1", "a; b"], GeneratedSets().notAfter)
            guard format != .android else {
                sets.hosts += ["192.0.2.1", "2001:db8::1"]
                break
            }
            (sets.enforce, sets.pinCounts) = ([true, false], 2...4)
            sets.hosts.removeAll { $0 == "localhost" }
        case .reactNative:
            sets.pinCounts = 2...4
            sets.expiries = [nil, Timestamp(rfc3339: "2027-06-01")]
        case .reactNativeSSLManager:
            (sets.pinCounts, sets.enforce) = (2...4, [true, false])
            sets.expiries = [nil, Timestamp(rfc3339: "2027-06-01")]
        case .expo: (sets.subdomains, sets.roles) = ([.none, .one], [.ca])
        case .openconnect, .envoy, .nats: (sets.subdomains, sets.roles) = ([.none], [.leaf])
        case .kubeadm, .elastic: (sets.subdomains, sets.roles) = ([.none], [.ca])
        case .stubby: sets.subdomains = [.none]
        case .cronet:
            sets.expiries = GeneratedSets().expiries
            (sets.labels, sets.notAfter) = ([nil, "ISRG Root X1", "a; b"], GeneratedSets().notAfter)
        case .urlsession:
            (sets.subdomains, sets.roles) = (PinSet.Subdomains.allCases, PinSet.AllowedRole.allCases)
            (sets.expiries, sets.enforce) = (GeneratedSets().expiries, [true, false])
            (sets.labels, sets.notAfter) = ([nil, "ISRG Root X1", "a; b"], GeneratedSets().notAfter)
            sets.hosts += ["192.0.2.1", "2001:db8::1"]
        default: break
        }
        return sets
    }
}

extension Pin {
    package static func numbered(_ number: Int) -> Pin { Pin(subjectPublicKeyInfo: [UInt8(number)]) }
}

/// The contents of a set without source positions. Active and backup pins are equal, because few formats distinguish them.
package struct Meaning: Equatable, CustomStringConvertible {
    package struct Key: Equatable {
        package let pin: String
        package let role: PinSet.AllowedRole
        package let isRetired: Bool
        package let label: String?
        package let notAfter: Timestamp?
    }

    package struct Host: Equatable {
        package let name: String
        package let subdomains: PinSet.Subdomains
        package let expires: Timestamp?
        package let enforce: Bool
        package let anchors: [String]
        package let keys: [Key]
    }

    package let hosts: [Host]

    package init(_ set: PinSet) {
        hosts = set.entries.map { entry in
            Host(
                name: entry.name, subdomains: entry.subdomains, expires: entry.expires, enforce: entry.enforce,
                anchors: entry.anchors,
                keys: entry.pins.map {
                    Key(
                        pin: $0.pin.base64, role: $0.role, isRetired: $0.state == .retired, label: $0.label,
                        notAfter: $0.notAfter)
                })
        }
    }

    package var description: String { hosts.map { "\($0)" }.joined(separator: "\n") }
}
