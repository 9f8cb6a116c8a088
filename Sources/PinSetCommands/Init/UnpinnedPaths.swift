internal import Encodings
internal import Fetching
internal import Pinning

/// The valid paths of chains that contain none of the pins of a new set. A client that builds such a path does not connect.
struct UnpinnedPaths {
    /// A path without a pin of the set.
    struct Finding {
        let target: Target
        let message: String
    }

    private var paths: [(target: Target, path: [CertificateChain.Entry])] = []

    /// Adds the paths of a chain.
    mutating func note(_ chain: CertificateChain, to target: Target) {
        paths += (chain.validPaths?.paths ?? []).map { (target, $0) }
    }

    /// The paths that contain no key of the set, at any position: platforms without roles accept a key at each of them. One for each target
    /// and root.
    ///
    /// - Parameter keys: the keys that the set pins for each target.
    func findings(_ keys: [Target: Set<Pin>]) -> [Finding] {
        var findings: [Finding] = []
        var messages: Set<String> = []
        for (target, path) in paths {
            guard let keys = keys[target], let root = path.last, path.allSatisfy({ !keys.contains($0.certificate.pin) })
            else { continue }
            let name = (root.certificate.subject?.displayName ?? "").quoted
            let message =
                "\(target): some clients can build a path to the root \(name), which contains no pin of the set"
            if messages.insert(message).inserted { findings.append(Finding(target: target, message: message)) }
        }
        return findings
    }
}
