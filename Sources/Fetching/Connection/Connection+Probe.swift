internal import CertificateProbe
internal import OpenSSL
internal import Pinning
internal import PlaintextProtocols

extension Connection {
    /// The result of a probe.
    enum ProbeOutcome {
        case result(HandshakeResult)
        /// The server needs the handshake of OpenSSL, at the same address.
        case unsuitable(Endpoint)
    }

    /// Reads the server's certificates with a probe, over a direct connection.
    func probe(
        at endpoints: [Endpoint], with settings: CertificateProbe.Settings, validator: ChainValidator,
        on loop: isolated EventLoop
    ) async throws(FetchError) -> ProbeOutcome {
        let socket = try await Dialer(deadline: deadline, timeout: timeout).connect(to: endpoints, on: loop)
        let descriptor = socket.descriptor
        defer { loop.willClose(descriptor) }
        let endpoint = socket.endpoint
        guard let answer = try await answer(over: socket, with: settings, on: loop),
            let version = TLSVersion.allCases.first(where: { $0.wireNumber == answer.version })
        else { return .unsuitable(endpoint) }
        let chain: CertificateChain
        do throws(FetchError) {
            chain = try self.chain(of: answer.certificates, at: endpoint) {
                try validator.validate(der: answer.certificates, for: identity)
            }
        } catch {
            // The handshake of OpenSSL reports the reason why a certificate cannot be decoded.
            guard case .badCertificate = error else { throw error }
            return .unsuitable(endpoint)
        }
        return .result(
            HandshakeResult(
                endpoint: endpoint,
                serverName: identity.serverNameIndication,
                protocolVersion: version.name,
                cipherSuite: answer.cipherSuite,
                applicationProtocol: answer.applicationProtocol,
                isProven: false,
                clientCertificate: nil,
                stapledResponse: nil,
                chain: chain,
                // Only the search for issuers uses them.
                servedCertificates: chain.isTrusted || !options.fetchesIssuers
                    ? [] : answer.certificates.compactMap { try? Certificate(der: $0) }
            ))
    }

    /// Runs a probe over a stream.
    ///
    /// - Returns: nil if the probe does not understand the server, or the server closes the connection.
    private func answer<Stream: ByteStream & ~Copyable>(
        over stream: borrowing Stream, with settings: CertificateProbe.Settings, on loop: isolated EventLoop
    ) async throws(FetchError) -> CertificateProbe.Answer? {
        guard var probe = CertificateProbe(settings, serverName: identity.serverNameIndication) else { return nil }
        var budget = HandshakeBudget()
        var output = probe.clientHello
        var hasAnswered = false
        while true {
            let bytes: [UInt8]
            do throws(StreamError) {
                try await stream.send(output, until: deadline, on: loop)
                bytes = try await stream.receive(atMost: Handshake.chunkSize, until: deadline, on: loop)
            } catch {
                guard case .timedOut = error else { return nil }
                throw .timeout(.handshaking(stream.endpoint, hasAnswered: hasAnswered), after: timeout)
            }
            guard hasAnswered || TLSRecordStart.matches(bytes) else { return nil }
            hasAnswered = true
            guard budget.spend(bytes) == nil, let step = try? probe.receive(bytes) else { return nil }
            switch step {
            case .needsInput: output = []
            case .send(let bytes): output = bytes
            case .done(let answer): return answer
            }
        }
    }
}
