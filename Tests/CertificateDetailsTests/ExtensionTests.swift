import Foundation
import TestSupport
import Testing

@testable import CertificateDetails
@testable import Encodings
@testable import Pinning

/// The decoded extensions of real and generated certificates, compared with the text of `openssl x509`.
@Suite struct ExtensionTests {
    /// The certificates of the system's trust store.
    static let roots: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: "/usr/share/ca-certificates/mozilla")) ?? []).sorted()
        .map { "/usr/share/ca-certificates/mozilla/\($0)" }

    static let config = """
        [req]
        distinguished_name = name
        prompt = no
        [name]
        CN = extensions.example
        [leaf]
        basicConstraints = critical, CA:FALSE
        keyUsage = critical, digitalSignature, keyEncipherment, keyAgreement, decipherOnly
        extendedKeyUsage = serverAuth, clientAuth, 1.2.3.4.5
        subjectKeyIdentifier = hash
        subjectAltName = DNS:a.example, DNS:*.b.example, DNS:xn--bcher-kva.example, IP:192.0.2.1, IP:2001:db8::1, \
        email:me@example.com, URI:https://example.com/x, RID:1.2.3.4, dirName:directory
        authorityInfoAccess = OCSP;URI:http://ocsp.example/, caIssuers;URI:http://ca.example/ca.der
        crlDistributionPoints = URI:http://crl.example/1.crl, URI:http://crl.example/2.crl
        certificatePolicies = 2.23.140.1.2.1, @policy
        tlsfeature = status_request, status_request_v2
        issuerAltName = DNS:issuer.example
        1.2.3.4.5.6 = ASN1:UTF8String:hello
        [directory]
        C = DE
        O = Example
        [policy]
        policyIdentifier = 1.3.5.8
        CPS.1 = https://example.com/cps
        userNotice.1 = @notice
        [notice]
        explicitText = UTF8:a notice
        [ca]
        basicConstraints = critical, CA:TRUE, pathlen:3
        keyUsage = critical, keyCertSign, cRLSign
        nameConstraints = critical, permitted;DNS:example.com, permitted;IP:10.0.0.0/255.0.0.0, excluded;DNS:bad.example.com
        policyConstraints = requireExplicitPolicy:3, inhibitPolicyMapping:0
        inhibitAnyPolicy = 2
        noCheck = ignored
        subjectInfoAccess = caRepository;URI:http://repository.example/
        freshestCRL = URI:http://crl.example/delta.crl
        [empty]
        """

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("extensions")
        try folder.write(Self.config, to: "openssl.cnf")
    }

    private func certificate(_ section: String) throws -> (Certificate, text: String) {
        _ = try ChildProcess.output(
            of: [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                folder.path("key.pem"), "-out", folder.path("\(section).der"), "-outform", "DER", "-config",
                folder.path("openssl.cnf"), "-extensions", section, "-days", "30",
            ])
        let der = try folder.bytes("\(section).der")
        return (try Certificate(der: der), try Self.opensslText(of: der))
    }

    private static func opensslText(of der: [UInt8]) throws -> String {
        let outcome = try ChildProcess.run(
            ["openssl", "x509", "-inform", "DER", "-noout", "-text", "-nameopt", "RFC2253"], input: der)
        return outcome.text
    }

    @Test func decodesALeaf() throws {
        let leaf = try certificate("leaf")
        try expectEqual(leaf)
        let notices = leaf.0.extensions.flatMap { item -> [String] in
            if case .policies(let policies) = item.content { policies.flatMap(\.notices) } else { [] }
        }
        #expect(notices == ["a notice"])
        #expect(leaf.text.contains("Explicit Text: a notice"))
    }

    @Test func decodesAnAuthority() throws { try expectEqual(try certificate("ca")) }

    @Test func knowsNoExtensionsOfAPlainCertificate() throws {
        let (certificate, _) = try certificate("empty")
        #expect(certificate.extensions.allSatisfy { $0.name != nil })
    }

    @Test(arguments: roots) func decodesARootAsOpenSSL(path: String) throws {
        var blocks = PEM.blocks(in: [UInt8](try Data(contentsOf: URL(filePath: path))))
        let block = try #require(try blocks.next()?.get())
        let der = try #require(block.certificateBytes)
        try expectEqual((try Certificate(der: der), try Self.opensslText(of: der)))
    }

    @Test func thereAreRoots() { #expect(Self.roots.count > 100) }

    /// Compares each extension with the section that OpenSSL prints for it.
    private func expectEqual(_ pair: (certificate: Certificate, text: String)) throws {
        let sections = Self.sections(in: pair.text)
        let extensions = pair.certificate.extensions
        #expect(sections.count == extensions.count, "\(sections.map(\.name))")
        for (item, section) in zip(extensions, sections) {
            #expect(item.isCritical == section.isCritical, "\(section.name)")
            if case .policies(let policies) = item.content {
                // OpenSSL prints notices of some types as raw bytes, and keeps the order of the qualifiers.
                let words = section.words.split(separator: " ").map(String.init)
                let types = zip(words, words.dropFirst()).filter { $0.0 == "Policy:" }.map(\.1)
                let statements = zip(words, words.dropFirst()).filter { $0.0 == "CPS:" }.map(\.1)
                #expect(policies.map { $0.type.dotted == "2.5.29.32.0" ? "X509v3" : $0.type.dotted } == types)
                #expect(policies.flatMap(\.statements) == statements)
                continue
            }
            guard let expected = OpenSSLText.of(item.content) else {
                let isKnown = if case .malformed = item.content { true } else { false }
                #expect(!isKnown, "\(section.name): \(item.content)")
                continue
            }
            #expect(expected == section.words, "\(section.name)")
        }
    }

    struct Section {
        let name: String
        let isCritical: Bool
        var words: String
    }

    /// The extensions in OpenSSL's text, each with its contents as words.
    static func sections(in text: String) -> [Section] {
        var sections: [Section] = []
        var isInside = false
        for line in text.split(separator: "\n") {
            if line.contains("X509v3 extensions:") {
                isInside = true
            } else if line.hasPrefix("    Signature Algorithm:") {
                isInside = false
            } else if isInside, line.hasPrefix("            "), !line.hasPrefix("                ") {
                // Bytes of an unknown extension can contain line feeds, so such a line has no indentation.
                let title = line.trimmingCharacters(in: .whitespaces)
                sections.append(
                    Section(
                        name: title.replacing(": critical", with: ""), isCritical: title.hasSuffix("critical"),
                        words: ""))
            } else if isInside, !sections.isEmpty {
                let words = line.split(separator: " ").joined(separator: " ")
                sections[sections.count - 1].words += (sections[sections.count - 1].words.isEmpty ? "" : " ") + words
            }
        }
        return sections
    }
}

/// The text that OpenSSL prints for a decoded extension, with single spaces.
enum OpenSSLText {
    /// Nil for contents that this test does not compare.
    static func of(_ content: CertificateExtension.Content) -> String? {
        switch content {
        case .subjectAlternativeNames(let names), .issuerAlternativeNames(let names):
            return names.map(name).joined(separator: ", ")
        case .basicConstraints(let isAuthority, let maximum):
            return "CA:\(isAuthority ? "TRUE" : "FALSE")" + (maximum.map { ", pathlen:\($0)" } ?? "")
        case .keyUsage(let usages):
            return usages.map { usage in
                switch usage {
                case .digitalSignature: "Digital Signature"
                case .nonRepudiation: "Non Repudiation"
                case .keyEncipherment: "Key Encipherment"
                case .dataEncipherment: "Data Encipherment"
                case .keyAgreement: "Key Agreement"
                case .keyCertSign: "Certificate Sign"
                case .cRLSign: "CRL Sign"
                case .encipherOnly: "Encipher Only"
                case .decipherOnly: "Decipher Only"
                }
            }.joined(separator: ", ")
        case .extendedKeyUsage(let purposes):
            let names = [
                "serverAuth": "TLS Web Server Authentication", "clientAuth": "TLS Web Client Authentication",
                "codeSigning": "Code Signing", "emailProtection": "E-mail Protection", "timeStamping": "Time Stamping",
                "OCSPSigning": "OCSP Signing",
            ]
            return purposes.map { type in ObjectName.ofKeyPurpose(type).flatMap { names[$0] } ?? type.dotted }
                .joined(separator: ", ")
        case .nameConstraints(let permitted, let excluded):
            func list(_ title: String, _ trees: [NameSubtree]) -> [String] {
                trees.isEmpty ? [] : [title] + trees.map { constraint($0.base) }
            }
            return (list("Permitted:", permitted) + list("Excluded:", excluded)).joined(separator: " ")
        case .policyConstraints(let explicit, let mapping):
            return [explicit.map { "Require Explicit Policy:\($0)" }, mapping.map { "Inhibit Policy Mapping:\($0)" }]
                .compactMap(\.self).joined(separator: ", ")
        case .inhibitAnyPolicy(let count): return String(count)
        case .access(let descriptions):
            let names = ["OCSP": "OCSP", "caIssuers": "CA Issuers", "caRepository": "CA Repository"]
            return descriptions.map { access in
                "\(ObjectName.ofAccessMethod(access.method).flatMap { names[$0] } ?? "?") - \(name(access.location))"
            }.joined(separator: " ")
        case .distributionPoints(let points):
            return points.map { point in "Full Name: " + point.names.map(name).joined(separator: " ") }
                .joined(separator: " ")
        case .subjectKeyIdentifier(let bytes): return hex(bytes)
        case .authorityKeyIdentifier(let key, let issuer, let serial):
            guard issuer.isEmpty, serial == nil else {
                return ["keyid:\(hex(key ?? []))"].filter { _ in key != nil }.joined()
                    + (key == nil ? "" : " ") + issuer.map(name).joined(separator: " ") + " serial:\(hex(serial ?? []))"
            }
            return hex(key ?? [])
        case .tlsFeatures(let features): return features.map(ObjectName.ofTLSFeature).joined(separator: ", ")
        case .noRevocationCheck: return ""
        case .policies, .policyMappings, .signedTimestamps, .precertificatePoison, .malformed, .unknown: return nil
        }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { Hex.encode([$0]).uppercased() }.joined(separator: ":")
    }

    private static func name(_ name: GeneralName) -> String {
        switch name {
        case .dns(let text): "DNS:\(text)"
        case .email(let text): "email:\(text)"
        case .url(let text): "URI:\(text)"
        case .address(let bytes) where bytes.count == 4: "IP Address:\(name.text)"
        case .address(let bytes):
            "IP Address:"
                + stride(from: 0, to: bytes.count, by: 2).map {
                    String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16).uppercased()
                }.joined(separator: ":")
        case .registeredIdentifier(let type): "Registered ID:\(type.dotted)"
        case .directory(let value):
            "DirName:" + value.relativeNames.flatMap { $0 }.map { "/\($0.name)=\($0.value)" }.joined()
        case .other, .opaque: "?"
        }
    }

    /// A name constraint; OpenSSL prints the mask of an address, not the length of the prefix.
    private static func constraint(_ name: GeneralName) -> String {
        guard case .address(let bytes) = name, bytes.count == 8 else { return self.name(name) }
        let text = bytes.map(String.init)
        return "IP:\(text[..<4].joined(separator: "."))/\(text[4...].joined(separator: "."))"
    }
}
