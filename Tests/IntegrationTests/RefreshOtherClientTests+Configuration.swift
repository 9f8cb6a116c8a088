import TestSupport
import Testing

/// The configuration of OpenSSL on this machine does not apply to other clients.
extension RefreshOtherClientTests {
    /// A setting of OpenSSL's configuration file (SSL_CONF_cmd(3)), and what a client offers only without it.
    enum Limit: String, CaseIterable {
        case version = "MaxProtocol = TLSv1.2"
        case protocols = "Protocol = ALL, -TLSv1.3"
        case suites = "CipherString = ECDHE-ECDSA-AES128-GCM-SHA256"
        case suitesOfTLS13 = "Ciphersuites = TLS_AES_128_GCM_SHA256"
        case groups = "Groups = X25519:P-256"
        case signatureAlgorithms = "SignatureAlgorithms = ECDSA+SHA256"
        case level = "CipherString = DEFAULT@SECLEVEL=3"
        case masterSecret = "Options = -ExtendedMasterSecret"

        /// Whether the client gets the old certificate. The numbers are from the registries of RFC 8446, section 11, RFC 8422 and RFC 7627.
        func isOld(_ client: ClientHelloExtensions) -> Bool {
            switch self {
            case .version, .protocols: client.offersTLS13
            // rsa_pkcs1_sha256. The old key is an RSA key, which has no cipher suite in common with the limited client.
            case .suites: !client.offersTLS13 && client.signatureAlgorithms.contains(0x0401)
            // TLS_AES_256_GCM_SHA384
            case .suitesOfTLS13: client.cipherSuites.contains(0x1302)
            // ffdhe2048
            case .groups, .level: client.groups.contains(0x0100)
            // ecdsa_secp256r1_sha256 and rsa_pss_rsae_sha256
            case .signatureAlgorithms: [0x0403, 0x0804].allSatisfy(client.signatureAlgorithms.contains)
            // extended_master_secret
            case .masterSecret: client.hasExtension(23)
            }
        }
    }

    /// The configuration of this machine does not apply to other clients.
    @Test(arguments: Limit.allCases) func searchesWithoutTheLimitsOfTheConfiguration(limit: Limit) throws {
        let old = limit == .suites ? "leaf-rsa" : "leaf"
        if limit == .suites { try pki.key(old, type: "RSA") }
        try serving(oldKey: old) {
            !limit.isOld($0)
        } body: { server in
            try writeSet(old: old)
            let run = try refresh(server, environment: folder.openSSLConfiguration(limit.rawValue))
            try #expect(state(of: old) == "active", "\(run)")
            try #expect(folder.text("pins.json").contains(pki.pin("leaf2")), "\(run)")
            #expect(!run.text.contains("unknown"), "\(run)")
        }
    }

    /// A server that this run cannot ask as other clients can may have another certificate.
    @Test func retiresNothingIfClientsWithoutTheConfigurationGetNoAnswer() throws {
        try answering {
            !$0.offersTLS13
        } _: { endpoint in
            let run = try refresh(endpoint, environment: folder.openSSLConfiguration("MaxProtocol = TLSv1.2"))
            try #expect(state(of: "leaf") == "active", "\(run)")
            #expect(run.text.contains("\(endpoint) may have another certificate"), "\(run)")
        }
    }

    /// The server has one certificate.
    @Test(arguments: Limit.allCases) func retiresAPinDespiteTheLimitsOfTheConfiguration(limit: Limit) throws {
        try Nginx.run {
            pki.server($0, "new")
        } _: { server in
            try writeSet(old: "leaf")
            let run = try refresh(server.endpoint, environment: folder.openSSLConfiguration(limit.rawValue))
            try #expect(state(of: "leaf") == "retired", "\(run)")
        }
    }

    /// A configuration without limits needs no more connections than no configuration.
    @Test func connectsAgainOnlyIfTheConfigurationLimitsTheRun() throws {
        try Nginx.run {
            pki.server($0, "new")
        } _: { server in
            var counts: [Int] = []
            for setting in ["MinProtocol = TLSv1.2", "MaxProtocol = TLSv1.3", Limit.suitesOfTLS13.rawValue] {
                let (port, count) = (server.port, Counter())
                try RawPeer.run { connection in
                    _ = count.next()
                    connection.forward(to: port) { $0.write($1) }
                } _: { peer in
                    try writeSet(old: "leaf")
                    _ = try refresh(peer.endpoint, environment: folder.openSSLConfiguration(setting))
                }
                counts.append(count.value)
            }
            #expect(counts[0] == counts[1] && counts[1] < counts[2], "\(counts)")
        }
    }
}
