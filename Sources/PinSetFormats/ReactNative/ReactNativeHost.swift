internal import Encodings
internal import PinSetCodec
internal import Pinning

/// A host of a file for a React Native library, with its settings and with its pins as the file writes them.
///
/// It exists also if a pin set cannot have the host, for example because its list of pins is empty: the libraries reject the whole file
/// because of such a host.
struct ReactNativeHost {
    let name: String
    var includesSubdomains = false
    var enforces = true
    /// Midnight UTC at the start of the day.
    var expires: Timestamp?
    /// The texts of the pins. In files of react-native-ssl-manager, they begin with `sha256/`.
    var pins: [String] = []
    let position: SourcePosition?
    /// The host in a pin set; nil if no pin of it can be read, or if its name is not a host name.
    var entry: PinSet.Entry?

    init(_ name: String, at position: SourcePosition?) { (self.name, self.position) = (name, position) }

    /// - Parameter prefix: the text before the base64 of a pin.
    init(_ entry: PinSet.Entry, prefix: String) {
        self.init(entry.host, at: entry.position)
        (includesSubdomains, enforces, expires) = (entry.subdomains != .none, entry.enforce, entry.expires)
        pins = entry.pins.map { prefix + $0.pin.base64 }
        self.entry = entry
    }

    /// The subdomains in a pin set.
    var subdomains: PinSet.Subdomains { includesSubdomains ? .all : .none }
}

extension PinSetCodec {
    /// The set of the hosts of a file.
    ///
    /// - Parameters:
    ///   - isWhole: whether the file contains nothing else. If not, only the first of several hosts with one name counts.
    ///   - program: the program that uses no pin of the file if a host has an empty list.
    static func reading(
        of hosts: [ReactNativeHost], isWhole: Bool, emptyListsRejectedBy program: String, _ warnings: ConversionWarnings
    ) throws(PinSetFormatError) -> PinSetReading {
        var warnings = warnings
        let entries = hosts.compactMap(\.entry)
        warnings.add(emptyListsOf: hosts, rejectedBy: program)
        guard !isWhole else { return PinSetReading(set: try set(entries), warnings: warnings.list) }
        if entries.isEmpty { warnings.add(.nothingPinned) }
        return PinSetReading(set: try firstEntries(entries, &warnings), warnings: warnings.list)
    }
}

extension [ReactNativeHost] {
    /// The hosts that the libraries get, each once. If the file has values that only a compiler knows, an empty list may have pins,
    /// so its host is left out.
    func given(_ warnings: ConversionWarnings) -> [ReactNativeHost] {
        let isComplete = !warnings.hasUnreadValues
        var known: Set<ExactText> = []
        return filter { (isComplete || !$0.pins.isEmpty) && known.insert(ExactText($0.name)).inserted }
    }
}

extension ConversionWarnings {
    fileprivate var hasUnreadValues: Bool {
        list.contains { if case .valueNotLiteral = $0.reason { true } else { false } }
    }

    /// Adds a warning for each host without pins, because of which a program uses no pin of the file.
    fileprivate mutating func add(emptyListsOf hosts: [ReactNativeHost], rejectedBy program: String) {
        guard !hasUnreadValues else { return }
        for host in hosts where host.pins.isEmpty {
            add(
                .fileRejected(
                    by: program, "the list of pins of \(host.name.nameExcerpt) is empty",
                    line: host.position?.line ?? 1))
        }
    }
}

extension JSONValue {
    /// The strings of an array.
    var texts: [String] {
        guard case .array(let values) = content else { return [] }
        return values.compactMap { if case .string(let text) = $0.content { text } else { nil } }
    }
}
