internal import CommandSupport
internal import Encodings
internal import Pinning

/// One difference between A and B.
struct Difference {
    enum Change: String {
        case removed, added, changed
        /// Both have it; shown for a set and a chain only.
        case equal
    }

    /// What differs; part of the JSON interface.
    enum Field: String {
        case host, pin, subdomains, expires, enforce, anchors, endpoints, certificate, key, trust, role
    }

    private static let minimumColumns = 30

    let change: Change
    let field: Field
    /// The host of an entry; nil for chains.
    var host: String?
    /// The type of the server's key of the chain that the difference is about; nil if only one chain of each side is compared, or for
    /// a difference that is about all chains.
    var keyType: String?
    var pin: Pin?
    /// The values in A and B as text; nil if only the other has one.
    var left: String?
    var right: String?
    /// Whether the difference makes the exit status a failure.
    var isFailure = true

    /// The values as text without users and passwords: a path of anchors can be a URL.
    fileprivate var shownLeft: String? { left?.withoutUserInfoInURLs }
    fileprivate var shownRight: String? { right?.withoutUserInfoInURLs }

    /// This difference with the type of key of its chain.
    func about(_ keyType: String?) -> Difference {
        var difference = self
        difference.keyType = keyType
        return difference
    }

    /// The difference in one line, or in several if a terminal is narrower.
    ///
    /// - Parameter width: maximum width in columns; nil for no limit.
    func text(_ style: Style, _ names: AuthorityNames, width: Int?) -> String {
        let (mark, emphasis): (String, Style.Emphasis) =
            switch change {
            case .removed: ("-", .bad)
            case .added: ("+", .good)
            case .changed: ("~", .careful)
            case .equal: ("=", .quiet)
            }
        var words = [mark]
        if let host { words.append(host.escaped) }
        if let keyType { words.append(keyType) }
        words.append(field.rawValue)
        if let pin { words.append(pin.base64) }
        switch (shownLeft, shownRight) {
        case (let left?, let right?) where change == .changed: words.append("\(left.escaped) -> \(right.escaped)")
        case (let text?, _), (nil, let text?): words.append(text.escaped)
        case (nil, nil): break
        }
        if let pin, let name = names.name(of: pin), !words.contains(where: { $0.has(name) }) {
            words.append("(\(name.escaped))")
        }
        let indentation = "  "
        let room = width.map { max(Self.minimumColumns, $0 - indentation.count) }
        let lines = words.joined(separator: " ").wrapped(to: room).map { style(emphasis, $0) }
        return lines.joined(separator: "\n" + indentation) + "\n"
    }
}

extension JSONWriter {
    mutating func fields(of difference: Difference, _ names: AuthorityNames) {
        field("change", difference.change.rawValue)
        field("field", difference.field.rawValue)
        field("host", difference.host)
        field("keyType", difference.keyType)
        field("pin", difference.pin?.base64)
        field("knownAs", difference.pin.flatMap { names.name(of: $0) })
        field("a", difference.shownLeft)
        field("b", difference.shownRight)
    }
}
