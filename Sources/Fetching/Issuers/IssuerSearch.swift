internal import OpenSSL
internal import Pinning

/// Completes a chain whose server did not send all issuers, with certificates from the URLs that the certificates name.
///
/// A fetched certificate is used only below a trust anchor, like a served one: the chain must validate with it.
struct IssuerSearch {
    let download: IssuerDownload
    let validator: ChainValidator
    let identity: ServerIdentity
    let cache: IssuerCache
    let requests: IssuerRequests

    /// Maximum number of issuers that are fetched for one chain.
    private static let maximumDepth = 4
    /// Maximum number of `http` URLs of one certificate that are tried.
    private static let maximumURLs = 2
    /// Maximum number of certificates of one URL that are used.
    private static let maximumCertificates = 8
    /// Maximum total size of the certificates of a chain with fetched issuers, in bytes.
    ///
    /// OpenSSL compares each name in a certificate with each name constraint of the CAs above it, up to a million times for each CA. So
    /// the time of a validation grows with the square of the size. Real chains have a few kilobytes.
    static let maximumSize = 64 << 10

    func completing(_ result: HandshakeResult, on loop: isolated EventLoop) async -> HandshakeResult {
        var result = result
        var fetched: [Certificate] = []
        var tried: [Certificate: Set<String>] = [:]
        while fetched.count < Self.maximumDepth * Self.maximumCertificates,
            result.issuerFetches.count < Self.maximumDepth,
            let issued = Self.certificateWithoutIssuer(in: result.chain)
        {
            guard Self.isAcceptable(result.servedCertificates) else {
                result.issuerFetches.append(IssuerFetch(issued: issued, url: nil, outcome: .failure(.chainTooLarge)))
                break
            }
            // A certificate with the name of the issuer can be another one: then the next URL is tried.
            let urls = Array(issued.issuerURLs.lazy.filter { HTTPURL($0) != nil }.prefix(Self.maximumURLs))
            let untried = urls.filter { tried[issued]?.contains($0) != true }
            guard !untried.isEmpty || urls.isEmpty else { break }
            let attempt = await fetch(issuerOf: issued, at: untried, on: loop)
            tried[issued, default: []].formUnion(
                untried.prefix { $0 != attempt.url } + [attempt.url].compactMap(\.self))
            guard case .success(let certificates) = attempt.outcome else {
                result.issuerFetches.append(attempt)
                break
            }
            let new = certificates.filter { !fetched.contains($0) && !result.servedCertificates.contains($0) }
            if let failure = await obstacle(to: result.servedCertificates + fetched + new, on: loop) {
                result.issuerFetches.append(
                    IssuerFetch(issued: issued, url: attempt.url, outcome: .failure(failure)))
                break
            }
            result.issuerFetches.append(attempt)
            guard !new.isEmpty else { continue }
            fetched += new
            guard let chain = validated(result.servedCertificates + fetched, fetched: fetched) else { break }
            let isFurther = chain.isTrusted || Self.certificateWithoutIssuer(in: chain).map { $0 != issued } ?? false
            if !isFurther, urls.contains(where: { tried[issued]?.contains($0) != true }) {
                fetched.removeLast(new.count)
            } else {
                result.chain = chain
            }
        }
        return result
    }

    /// Why a chain with fetched certificates is not validated; nil if it may be.
    private func obstacle(to certificates: [Certificate], on loop: isolated EventLoop) async -> IssuerFetch.Failure? {
        guard Self.isAcceptable(certificates) else { return .chainTooLarge }
        // The issuer may come from the cache, so that nothing else lets the loop serve other hosts between two validations.
        _ = await loop.wait(until: loop.now) { _ in }
        return loop.now < download.deadline ? nil : .timeout
    }

    private static func isAcceptable(_ certificates: [Certificate]) -> Bool {
        certificates.reduce(0) { $0 + $1.der.count } <= maximumSize
    }

    /// Validates the certificates as if the server had sent all of them.
    private func validated(_ certificates: [Certificate], fetched: [Certificate]) -> CertificateChain? {
        do {
            guard let peers = try PeerChain.saved(certificates.map(\.der)) else { return nil }
            return try validator.validate(peers, for: identity, fetched: fetched)
        } catch {
            return nil
        }
    }

    /// The certificate that ends the path because its issuer was neither served nor trusted.
    private static func certificateWithoutIssuer(in chain: CertificateChain) -> Certificate? {
        for case .missingIssuer(of: let certificate, position: _) in chain.failures { return certificate }
        return nil
    }

    private func fetch(
        issuerOf issued: Certificate, at urls: [String], on loop: isolated EventLoop
    ) async -> IssuerFetch {
        var last = IssuerFetch(issued: issued, url: nil, outcome: .failure(.noURL))
        for text in urls {
            guard let url = HTTPURL(text) else { continue }
            do throws(IssuerFetch.Failure) {
                let found = try await certificates(at: url, on: loop).filter { $0.subjectName == issued.issuerName }
                guard !found.isEmpty else { throw .noIssuer }
                return IssuerFetch(
                    issued: issued, url: text, outcome: .success(Array(found.prefix(Self.maximumCertificates))))
            } catch {
                last = IssuerFetch(issued: issued, url: text, outcome: .failure(error))
            }
        }
        return last
    }

    private func certificates(
        at url: HTTPURL, on loop: isolated EventLoop
    ) async throws(IssuerFetch.Failure) -> [Certificate] {
        if let known = cache[url] { return known }
        let certificates = try await requests.certificates(at: url, by: download, on: loop)
        cache.insert(certificates, at: url)
        return certificates
    }
}

/// The certificates at the URLs that one worker fetched, because many hosts of a list have the same issuer.
final class IssuerCache {
    private static let maximumCount = 256
    /// Maximum total size of the certificates in bytes. A CA usually publishes one certificate of two kilobytes.
    static let maximumSize = 4 << 20

    private var entries: [HTTPURL: [Certificate]] = [:]
    private(set) var size = 0

    subscript(url: HTTPURL) -> [Certificate]? { entries[url] }

    func insert(_ certificates: [Certificate], at url: HTTPURL) {
        let added = certificates.reduce(0) { $0 + $1.der.count }
        guard entries[url] == nil, added <= Self.maximumSize else { return }
        if entries.count >= Self.maximumCount || size + added > Self.maximumSize {
            entries.removeAll()
            size = 0
        }
        entries[url] = certificates
        size += added
    }
}
