internal import KeyFiles
internal import Pinning
internal import PlaintextProtocols

/// Downloads the certificates at an `http` URL.
struct IssuerDownload {
    let resolver: Resolver
    let family: AddressFamily
    /// The proxies of the run. They apply to the URL as to a host with this port.
    let proxies: ProxyRules?
    /// The settings for an HTTPS proxy; nil for none.
    let proxyTLS: ProxyTLS?
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
        let connection = connection(to: url, on: loop)
        if let proxy = proxies?.proxy(for: connection.target) {
            return try await ProxiedDownload(url: url, proxy: proxy, tls: proxyTLS, download: self)
                .response(by: connection, on: loop)
        }
        let socket: Socket
        do throws(FetchError) {
            let endpoints = try await connection.resolve(by: resolver, on: loop)
            socket = try await Dialer(deadline: deadline, timeout: connection.options.timeout)
                .connect(to: endpoints, on: loop)
        } catch {
            throw .connection(error)
        }
        let descriptor = socket.descriptor
        defer { loop.forget(descriptor) }
        return try await response(to: url.request, over: socket, on: loop)
    }

    /// A connection to the host of a URL, without a proxy.
    private func connection(to url: HTTPURL, on loop: isolated EventLoop) -> Connection {
        var options = ConnectionOptions()
        options.family = family
        options.timeout = .milliseconds(loop.now.milliseconds(until: deadline))
        return Connection(to: Target(host: url.host, port: url.port), Connection.SharedOptions(options), on: loop)
    }

    /// Sends a request and reads the response.
    func response<Stream: ByteStream & ~Copyable>(
        to request: [UInt8], over stream: borrowing Stream, on loop: isolated EventLoop
    ) async throws(IssuerFetch.Failure) -> HTTPResponse {
        var reader = HTTPResponseReader()
        do throws(StreamError) {
            try await stream.send(request, until: deadline, on: loop)
        } catch {
            throw IssuerFetch.Failure(error)
        }
        while true {
            var bytes: [UInt8] = []
            do throws(StreamError) {
                bytes = try await stream.receive(atMost: Self.chunkSize, until: deadline, on: loop)
            } catch {
                switch error {
                // A body of unknown length ends here. An end that was cut off does no harm: the certificate is used only if its
                // signature is valid.
                case .closed(nil), .cut: break
                default: throw IssuerFetch.Failure(error)
                }
            }
            do throws(HTTPResponseReader.Failure) {
                if bytes.isEmpty { return try reader.finish() }
                if let response = try reader.receive(bytes) { return response }
            } catch {
                throw .response(error)
            }
        }
    }
}

extension IssuerFetch.Failure {
    fileprivate init(_ error: StreamError) {
        if case .timedOut = error { self = .timeout } else { self = .closed }
    }
}
