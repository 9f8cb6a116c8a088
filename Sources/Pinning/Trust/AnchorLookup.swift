internal import Encodings
internal import OpenSSL

/// Finds the anchors with a name, in folders and in a bundle. The names that were looked up before have no effect on the result.
final class AnchorLookup {
    /// Where anchors are looked up.
    enum Sources: Int, CaseIterable {
        /// The folders, and the anchors of the bundle that have trust settings, because the settings also apply to copies in the folders.
        case folders
        /// The anchors of the bundle whose subject has the same bytes. Nearly all certificates contain the name of their issuer in the
        /// same bytes.
        case sameBytes
        /// The anchors of the bundle whose subject differs only in case or string type (RFC 5280, section 7.1), if none has the same bytes.
        case sameName
        /// The bundle, and the folders only for a name that the bundle does not have, as OpenSSL does
        /// (`X509_STORE_CTX_get_by_subject` in crypto/x509/x509_lu.c).
        case bundleFirst

        /// Each includes those before it.
        static let ascending: [Sources] = [.folders, .sameBytes, .sameName]
    }

    struct Anchor {
        let anchor: TrustAnchor
        let decoded: TrustedCertificate
    }

    private let folders: [String]
    private let load: @Sendable () -> TrustAnchors?
    private let haveTrustSettings: @Sendable () -> Bool
    private lazy var bundle = load()
    private lazy var bundleHasTrustSettings = haveTrustSettings()
    private lazy var positionsByHash = positionsByHash(\.positionsBySubject)
    private lazy var positionsWithSettingsByHash = positionsByHash(\.positionsWithTrustSettings)
    /// The decoded anchors of the bundle, by position; nil for those that OpenSSL cannot decode.
    private var decoded: [Int: TrustedCertificate?] = [:]
    /// The results, by ``Sources``. Many hosts have the same issuers, or the same unknown issuer.
    private var known = Array(repeating: [ArraySlice<UInt8>: [Anchor]](), count: Sources.allCases.count)

    /// - Parameters:
    ///   - folders: folders in the form that openssl-rehash(1) creates, or lists of them with colons between them.
    ///   - load: returns the bundle. It is called at most once: for the first name that is not looked up only in the folders, or if the
    ///     bundle has trust settings.
    ///   - haveTrustSettings: returns whether anchors of the bundle have trust settings. It is called at most once.
    init(
        folders: [String] = [], bundle load: @escaping @Sendable () -> TrustAnchors?,
        haveTrustSettings: @escaping @Sendable () -> Bool = { false }
    ) {
        (self.folders, self.load, self.haveTrustSettings) = (folders, load, haveTrustSettings)
    }

    /// The anchors with a name. A trust store keeps the first copy of a certificate, so copies that reject servers are first, then those
    /// with other trust settings, those of the folders, and those of the bundle. The others are left out.
    ///
    /// - Parameter name: a Name in DER.
    func anchors(named name: ArraySlice<UInt8>, in sources: Sources) -> [Anchor] {
        if let known = known[sources.rawValue][name] { return known }
        var copies: Set<Certificate> = []
        let found = search(name, sources).filter { copies.insert($0.anchor.certificate).inserted }
        if name.count <= Self.maximumCachedLength {
            if known[sources.rawValue].count >= Self.maximumCachedNames { known[sources.rawValue].removeAll() }
            // A copy, because a slice would keep the whole certificate.
            known[sources.rawValue][ArraySlice(Array(name))] = found
        }
        return found
    }

    /// Whether the result for a name is remembered.
    func isKnown(_ name: ArraySlice<UInt8>, in sources: Sources) -> Bool { known[sources.rawValue][name] != nil }

    private func search(_ name: ArraySlice<UInt8>, _ sources: Sources) -> [Anchor] {
        switch sources {
        case .folders:
            let copies = copiesInFolders(of: name)
            let rejected = copies.filter(\.decoded.rejectsServers)
            return rejected + anchorsWithTrustSettings(named: name) + copies
        case .sameBytes:
            return anchors(named: name, in: .folders) + anchorsInBundle(withBytes: name)
        case .sameName:
            return anchors(named: name, in: .sameBytes) + anchorsInBundle(likeName: name)
        case .bundleFirst:
            let bundled = anchorsInBundle(withBytes: name) + anchorsInBundle(likeName: name)
            let others = anchors(named: name, in: .folders)
            if bundled.isEmpty { return others }
            let copies = Set(bundled.map(\.anchor.certificate))
            // Stricter than OpenSSL, which does not read them.
            let rejected = others.filter { $0.anchor.rejectsServers && copies.contains($0.anchor.certificate) }
            return rejected + bundled
        }
    }

    private func anchorsInBundle(withBytes name: ArraySlice<UInt8>) -> [Anchor] {
        anchors(at: bundle?.positions(of: name, maximum: TrustAnchors.maximumOfOneSubject) ?? [])
    }

    /// The anchors of the bundle whose subject differs only in case or string type, if none has the same bytes.
    private func anchorsInBundle(likeName name: ArraySlice<UInt8>) -> [Anchor] {
        guard let bundle, bundle.positions(of: name, maximum: 1).isEmpty,
            let hash = DistinguishedNameHash.canonical(name)
        else { return [] }
        return anchors(at: positionsByHash[hash, default: []].prefix(TrustAnchors.maximumOfOneSubject))
    }

    /// Each name gets another trust store: a file can contain certificates with other names too, and a store in which they are would
    /// not look for their own files.
    private func copiesInFolders(of name: ArraySlice<UInt8>) -> [Anchor] {
        guard !folders.isEmpty, let store = try? TrustStore() else { return [] }
        for folder in folders { try? store.addHashedDirectory(folder) }
        return store.certificates(named: name).compactMap { decoded in
            let bytes = decoded.derWithTrustSettings
            var reader = DERReader(bytes)
            guard let end = try? reader.next(.sequence).range.upperBound,
                let certificate = try? Certificate(der: Array(bytes[..<end]))
            else { return nil }
            let anchor = try? TrustAnchor(certificate, trustSettings: Array(bytes[end...]))
            return Anchor(anchor: anchor ?? .rejected(certificate), decoded: decoded)
        }
    }

    private func anchorsWithTrustSettings(named name: ArraySlice<UInt8>) -> [Anchor] {
        guard bundleHasTrustSettings, let hash = DistinguishedNameHash.canonical(name) else { return [] }
        return anchors(at: positionsWithSettingsByHash[hash, default: []])
    }

    /// No chain can end in an anchor that OpenSSL cannot decode. Another anchor with the same name may still be usable.
    private func anchors(at positions: some Sequence<Int>) -> [Anchor] {
        positions.compactMap { position in
            guard let anchor = bundle?.anchors[position] else { return nil }
            let decoded =
                decoded[position]
                ?? (try? TrustedCertificate(anchor.certificate.der, trustSettings: anchor.trustSettings))
            self.decoded[position] = .some(decoded)
            return decoded.map { Anchor(anchor: anchor, decoded: $0) }
        }
    }

    private func positionsByHash(_ positions: (TrustAnchors) -> [Int]) -> [UInt32?: [Int]] {
        guard let bundle else { return [:] }
        return Dictionary(grouping: positions(bundle)) {
            DistinguishedNameHash.canonical(bundle.anchors[$0].certificate.subjectName)
        }
    }

    private static let maximumCachedNames = 1024
    /// Maximum length of a name that is remembered, in bytes. Real names have less than 300, and a server chooses those that it sends.
    private static let maximumCachedLength = 1024
}
