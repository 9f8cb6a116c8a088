internal import OpenSSL

/// Finds all paths from a leaf to the anchors of a store.
///
/// OpenSSL builds one path and tries no other. So the enumeration follows the names of issuers, in the served certificates and in the
/// store, and lets OpenSSL validate each path that ends in an anchor alone, with that anchor as the only one.
struct PathEnumeration {
    /// Maximum number of paths that are validated.
    static let maximumPaths = 64
    /// Maximum number of certificates that are tried as the issuer of another.
    static let maximumSteps = 4096
    /// Maximum number of certificates in a path.
    static let maximumLength = VerifyParameters.maximumLength

    private let leaf: Certificate?
    private let host: String?
    private let store: AnchorStore
    private let effort: ValidationEffort
    private var graph: PathGraph
    private var steps = 0
    private var validations = 0
    private let maximum: Int
    private var found: [[Int]] = []
    private var foundUnbuilt: [[Int]] = []
    private(set) var isComplete = true

    /// The valid paths, each leaf first.
    var paths: [[Certificate]] { found.map(certificates(of:)) }
    /// Other paths that OpenSSL does not build (``AnchorStore/Verdict/unbuilt``), each leaf first.
    var unbuiltPaths: [[Certificate]] { foundUnbuilt.map(certificates(of:)) }

    private func certificates(of path: [Int]) -> [Certificate] { path.map { graph.certificates[$0] } }

    /// - Parameters:
    ///   - served: leaf first.
    ///   - host: a DNS name that the name constraints of a path must permit; nil to check none.
    ///   - maximum: the number of valid paths after which the search ends.
    init(
        _ served: [Certificate], for host: String?, in store: AnchorStore, within effort: ValidationEffort,
        maximum: Int = .max
    ) {
        (leaf, self.host, self.store, self.effort, self.maximum) = (served.first, host, store, effort, maximum)
        graph = PathGraph(served, in: store)
    }

    mutating func run() {
        guard let leaf else { return }
        extend([graph.number(of: leaf)])
    }

    private mutating func extend(_ path: [Int]) {
        guard let last = path.last, found.count < maximum else { return }
        let anchor = graph.anchor(last)
        let isSelfSigned = graph.isSelfSigned(last)
        // A path goes on from an anchor that another CA signed, but not from a root.
        if anchor == nil || !isSelfSigned {
            for issuer in graph.issuers(of: last) {
                // A CA that is in the path already would only make it longer (RFC 4158, section 2.4.2).
                if path.contains(where: { graph.isSameAuthority($0, issuer) }) { continue }
                guard path.count < Self.maximumLength, steps < Self.maximumSteps else {
                    isComplete = false
                    return
                }
                steps += 1
                extend(path + [issuer])
            }
        }
        // An anchor that is not self-signed ends a path only where no other anchor does.
        guard let anchor, isSelfSigned || !found.contains(where: { $0.starts(with: path) }) else { return }
        guard found.count < maximum else { return }
        guard validations < Self.maximumPaths, !effort.isSpent else {
            isComplete = false
            return
        }
        validations += 1
        switch store.verdict(on: certificates(of: path), endingIn: anchor, for: host) {
        case .valid: found.append(path)
        case .unbuilt: foundUnbuilt.append(path)
        case .invalid: break
        }
    }
}
