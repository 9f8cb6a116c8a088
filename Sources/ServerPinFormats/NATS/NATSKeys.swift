internal import Encodings
internal import PinSetCodec

/// The keys of a NATS configuration that lead to `pinned_certs`.
///
/// nats-server compares the names without regard to case (server/opts.go). A map has one value for a key: a later one replaces an
/// earlier one as a whole (nats-server at 0bb85629, conf/parse.go `setValue`).
struct NATSKeys {
    /// What nats-server does with a list of pins.
    enum Use {
        case read
        /// A later key of this name replaces the list, or a block around it.
        case replaced(String)
        /// The map has this key in several spellings, and Go reads the keys of a map in any order.
        case ambiguous(String)
        /// The list is in no block in which nats-server reads it.
        case noSetting
    }

    /// A key in a map, which is the index of its bracket, or -1 for the file.
    private struct Place: Hashable {
        let map: Int
        let name: String
    }

    /// A block with a host, as `convert` writes one for each host of a set.
    private struct Block: Hashable {
        let place: Place
        let host: String
    }

    static let pins = "pinned_certs"

    /// The blocks that can contain the pins (server/opts.go: `parseTLS`, and the functions that use its `PinnedCerts`). Connections to the
    /// entries of `remotes` and `gateways` use the pins of `leafnodes` and `gateway` (server/leafnode.go, server/gateway.go).
    private static let settings: Set = [
        "tls", "cluster.tls", "gateway.tls", "leafnodes.tls", "websocket.tls", "mqtt.tls",
    ]

    /// The names in the settings, and their other names.
    private static let names = [
        pins: pins, "tls": "tls", "cluster": "cluster", "gateway": "gateway", "gateways": "gateways",
        "leaf": "leafnodes", "leafnodes": "leafnodes", "remotes": "remotes", "ws": "websocket",
        "websocket": "websocket", "mqtt": "mqtt",
    ]

    /// Number of keys from the file to a list of pins.
    private static let maximumDepth = 4

    private let source: SourceText
    private var places: [Int: Place] = [:]
    private var blocks: [Int: Block] = [:]
    private var spellings: [Place: [UInt8]] = [:]
    private var ambiguous: Set<Place> = []
    /// The index of the last key at a place, of the last one that begins no block with a host, and of the last block with a host.
    private var last: [Place: Int] = [:]
    private var lastWithoutHost: [Place: Int] = [:]
    private var lastOfHost: [Block: Int] = [:]

    /// - Parameter hosts: the hosts in comments, with the lines of the comments, in order.
    init(_ source: SourceText, hosts: [(line: Int, name: String)]) {
        self.source = source
        var keys: [(index: Int, place: Place)] = []
        var mapsWithPins: Set<Int> = []
        for index in source.tokens.indices {
            guard let name = Self.name(at: index, in: source) else { continue }
            let map = source.openBracket(around: index) ?? -1
            guard map < 0 || source.isSign(map, "{") else { continue }
            keys.append((index, Place(map: map, name: name)))
            if name == Self.pins { mapsWithPins.insert(map) }
        }
        var comment = hosts.startIndex
        for (index, place) in keys {
            places[index] = place
            let spelling = Self.spelling(of: index, in: source)
            if spellings[place, default: spelling] != spelling { ambiguous.insert(place) }
            spellings[place] = spelling
            let line = source.tokens[index].line
            while comment < hosts.endIndex, hosts[comment].line < line { comment += 1 }
            let previous = last[place].map { source.tokens[$0].line } ?? 0
            last[place] = index
            if comment > hosts.startIndex, hosts[comment - 1].line > previous,
                mapsWithPins.contains(Self.value(of: index, in: source))
            {
                let block = Block(place: place, host: hosts[comment - 1].name.lowercased())
                blocks[index] = block
                lastOfHost[block] = index
            } else {
                lastWithoutHost[place] = index
            }
        }
    }

    /// - Parameter index: the index of the key ``pins``.
    func use(of index: Int) -> Use {
        guard let keys = keys(to: index) else { return .noSetting }
        for (key, place) in keys {
            if ambiguous.contains(place) { return .ambiguous(place.name) }
            if isReplaced(key, at: place) { return .replaced(place.name) }
        }
        return .read
    }

    /// Blocks for several hosts, as `convert` writes them, are all read: the user selects one.
    private func isReplaced(_ key: Int, at place: Place) -> Bool {
        guard let block = blocks[key] else { return last[place] != key }
        return lastOfHost[block] != key || (lastWithoutHost[place] ?? -1) > key
    }

    /// The keys of a setting, from the inside; nil if they are no setting.
    private func keys(to index: Int) -> [(index: Int, place: Place)]? {
        guard let first = places[index], first.name == Self.pins else { return nil }
        var keys = [(index: index, place: first)]
        var path: [String] = []
        var map = first.map
        // The whole file can be in braces.
        while map > 0 || map == 0 && !source.isSign(0, "{") {
            guard keys.count < Self.maximumDepth else { return nil }
            let list = source.openBracket(around: map).flatMap { source.isSign($0, "[") ? $0 : nil }
            var key = (list ?? map) - 1
            if source.isSign(key, ":") || source.isSign(key, "=") { key -= 1 }
            guard let place = places[key] else { return nil }
            keys.append((key, place))
            path.append(place.name + (list == nil ? "" : "[]"))
            map = place.map
        }
        return Self.settings.contains(path.reversed().joined(separator: ".")) ? keys : nil
    }

    // MARK: Tokens

    /// The name of a key that leads to pins; nil for any other token.
    ///
    /// A key without quotes ends before white space, `:` or `=`, so `tls{` and `my-tls` are other keys (conf/lex.go `lexKey`).
    private static func name(at index: Int, in source: SourceText) -> String? {
        let token = source.tokens[index]
        // The longest name, with quotes.
        guard token.range.count <= pins.utf8.count + 2 else { return nil }
        let bytes = source.bytes
        let (start, end) = (token.range.lowerBound, token.range.upperBound)
        switch token.kind {
        case .sign: return nil
        case .word:
            guard end == bytes.count || bytes[end].isWhiteSpace || ":=".utf8.contains(bytes[end]),
                // This is an address.
                !bytes[end...].starts(with: "://".utf8)
            else { return nil }
        case .text: break
        }
        guard start == 0 || bytes[start - 1].isWhiteSpace || "{},;[]".utf8.contains(bytes[start - 1]) else {
            return nil
        }
        let isValue = source.isSign(index - 1, ":") || source.isSign(index - 1, "=")
        guard !isValue, hasValue(index, in: source) else { return nil }
        return names[String(decoding: spelling(of: index, in: source), as: UTF8.self).lowercased()]
    }

    private static func hasValue(_ index: Int, in source: SourceText) -> Bool {
        if ["{", "[", ":", "="].contains(where: { source.isSign(index + 1, $0) }) { return true }
        guard source.tokens.indices.contains(index + 1) else { return false }
        let isEnd = [",", ";", "}", "]"].contains { source.isSign(index + 1, $0) }
        return !isEnd && source.tokens[index + 1].line == source.tokens[index].line
    }

    /// The bytes of a key without its quotes.
    private static func spelling(of index: Int, in source: SourceText) -> [UInt8] {
        let token = source.tokens[index]
        let bytes = source.bytes[token.range]
        if case .text = token.kind { return Array(bytes.dropFirst().dropLast()) }
        return Array(bytes)
    }

    /// The index of the first token of a value.
    private static func value(of index: Int, in source: SourceText) -> Int {
        source.isSign(index + 1, ":") || source.isSign(index + 1, "=") ? index + 2 : index + 1
    }
}
