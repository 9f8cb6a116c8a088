import Testing

@testable import OpenSSL

@Suite struct ClientSessionTests {
    private func session(_ settings: ClientContext.Settings = ClientContext.Settings()) throws -> ClientSession {
        try ClientSession(try ClientContext(settings), serverName: "example.test")
    }

    private func step(_ session: borrowing ClientSession) -> String {
        switch session.handshake() {
        case .done: "done"
        case .needsInput: "needs input"
        case .receivedCertificate: "received the certificate"
        case .closed: "closed"
        case .failed(let error): error.text
        }
    }

    /// RFC 8446, section 4.1.2: a handshake record with a ClientHello, which contains the server name in clear text.
    @Test func startsWithAClientHello() throws {
        let session = try session()
        #expect(session.takeOutput().isEmpty)
        #expect(step(session) == "needs input")
        let hello = session.takeOutput()
        #expect(hello.first == 22)
        #expect(hello.dropFirst(5).first == 1)
        #expect(hello.count == 5 + Int(hello[3]) << 8 + Int(hello[4]))
        #expect(String(decoding: hello, as: UTF8.self).contains("example.test"))
        #expect(session.takeOutput().isEmpty)
        #expect(step(session) == "needs input")
    }

    /// RFC 5246, section 7.4.1.1: a client ignores a HelloRequest during a handshake. A call ends when it has processed its input.
    @Test func endsACallWithItsInput() throws {
        let session = try session()
        _ = step(session)
        for _ in 0..<100 {
            try session.receive([22, 3, 3, 0, 4, 0, 0, 0, 0])
            #expect(step(session) == "needs input")
        }
        try session.receive([21, 3, 3, 0, 2, 2, 40])
        guard case .failed(let error) = session.handshake() else {
            Issue.record("an alert did not end the handshake")
            return
        }
        #expect(error.alert?.number == 40)
    }

    /// RFC 8446, section 6.1.
    @Test func reportsACloseNotify() throws {
        let session = try session()
        _ = step(session)
        try session.receive([21, 3, 3, 0, 2, 1, 0])
        #expect(step(session) == "closed")
        if case .some = session.peerChain { Issue.record("a peer sent certificates without a handshake") }
        #expect(OpenSSLError.drain().entries.isEmpty)
    }

    /// RFC 7919, appendix A: the code points of ffdhe2048 to ffdhe8192 are 0x0100 to 0x0104.
    @Test func offersOnlyShortDiffieHellmanGroups() throws {
        let session = try session()
        _ = step(session)
        let hello = session.takeOutput()
        // The supported_groups extension: its type, its length, the length of the list, the groups (RFC 8446, section 4.2.7).
        let start = try #require(
            hello.indices.first { index in
                index + 6 < hello.count && hello[index] == 0 && hello[index + 1] == 10
                    && Int(hello[index + 3]) == Int(hello[index + 5]) + 2 && hello[index + 4] == 0
            })
        let list = hello[(start + 6)..<(start + 6 + Int(hello[start + 5]))]
        let groups = stride(from: list.startIndex, to: list.endIndex, by: 2).map {
            Int(list[$0]) << 8 + Int(list[$0 + 1])
        }
        #expect(groups.contains(0x001D))
        #expect(Set(groups).isSuperset(of: [0x0100, 0x0101, 0x0102]))
        #expect(Set(groups).isDisjoint(with: [0x0103, 0x0104]))
    }
}
