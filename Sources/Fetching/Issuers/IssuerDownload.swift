internal import KeyFiles
internal import Pinning

/// Downloads the certificates at an `http` URL.
struct IssuerDownload {
    let resolver: Resolver
    let family: AddressFamily
    /// The proxies of the run. An issuer is fetched only where none of them applies, so that no connection bypasses a proxy.
    let proxies: ProxyRules?
    let deadline: MonotonicTime

    private static let maximumRedirections = 3
    private static let chunkSize = 16_384

    func certificates(
        at url: HTTPURL, on loop: isolated EventLoop
    ) async throws(IssuerFetch.Failure) -> [Certificate] {
        var url = url
        for _ in 0...Self.maximumRedirections {
            let response = try await response(to: url, on: loop)
            switch response.status {
            case 200: return CertificateBundle.certificates(in: response.body)
            case 301, 302, 303, 307, 308:
                guard let next = response.location.flatMap({ url.redirected(to: $0) }) else { throw .redirection }
                url = next
            default: throw .status(response.status)
            }
        }
        throw .redirection
    }

    private func response(
        to url: HTTPURL, on loop: isolated EventLoop
    ) async throws(IssuerFetch.Failure) -> HTTPResponse {
        let socket = try await connect(to: url, on: loop)
        let descriptor = socket.descriptor
        defer { loop.forget(descriptor) }
        return try await response(to: url, over: socket, on: loop)
    }

    private func response<Stream: ByteStream & ~Copyable>(
        to url: HTTPURL, over stream: borrowing Stream, on loop: isolated EventLoop
    ) async throws(IssuerFetch.Failure) -> HTTPResponse {
        var reader = HTTPResponseReader()
        do throws(StreamError) {
            try await stream.send(url.request, until: deadline, on: loop)
        } catch {
            throw IssuerFetch.Failure(error)
        }
        while true {
            var bytes: [UInt8] = []
            do throws(StreamError) {
                bytes = try await stream.receive(atMost: Self.chunkSize, until: deadline, on: loop)
            } catch {
                guard case .closed(nil) = error else { throw IssuerFetch.Failure(error) }
            }
            do throws(HTTPResponseReader.Failure) {
                if bytes.isEmpty { return try reader.finish() }
                if let response = try reader.receive(bytes) { return response }
            } catch {
                throw .response(error)
            }
        }
    }

    /// Connects to the host of a URL. No other place opens a connection, so a proxy belongs here.
    private func connect(to url: HTTPURL, on loop: isolated EventLoop) async throws(IssuerFetch.Failure) -> Socket {
        let target = Target(host: url.host, port: url.port)
        guard proxies?.proxy(for: target) == nil else { throw .proxy }
        var options = ConnectionOptions()
        options.family = family
        options.timeout = .milliseconds(loop.now.milliseconds(until: deadline))
        do throws(FetchError) {
            let endpoints = try await Connection(to: target, options, on: loop)
                .resolve(by: resolver, on: loop)
            return try await Dialer(deadline: deadline, timeout: options.timeout).connect(to: endpoints, on: loop)
        } catch {
            throw .connection(error)
        }
    }
}

extension IssuerFetch.Failure {
    fileprivate init(_ error: StreamError) {
        if case .timedOut = error { self = .timeout } else { self = .closed }
    }
}
