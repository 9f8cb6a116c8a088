import Foundation
import TestSupport
import Testing

/// The output of `pinctl fetch --format json`, as a program reads it.
struct FetchReport: Decodable {
    let schema: String
    let hosts: [Host]

    struct Host: Decodable {
        let target: String
        let addressNumber: Int?
        let addressCount: Int?
        let chainNumber: Int?
        let chainCount: Int?
        let address: String?
        let serverName: String?
        let `protocol`: String?
        let cipher: String?
        let applicationProtocol: String?
        let clientCertificate: String?
        let clientCertificateRequired: Bool?
        let clientCertificateAlert: String?
        let clientCertificateAuthorities: [Authority]
        let trust: Trust?
        let chain: [Entry]
        let unused: [Certificate]
        let error: Failure?
    }

    struct Authority: Decodable {
        let name: String
        let der: Data
    }

    struct Trust: Decodable {
        let trusted: Bool
        let code: String?
        let reason: String?
        let anchor: String?
    }

    struct Failure: Decodable {
        let code: String
        let message: String
    }

    struct Entry: Decodable {
        let role: String
        let position: Int
        let source: String
        let subject: String
        let issuer: String
        let serial: String
        let notBefore: String
        let notAfter: String
        let dnsNames: [String]
        let ipAddresses: [String]
        let key: Key
        let signatureAlgorithm: String
        let sha256: String
        let pin: String
        let der: Data
    }

    struct Certificate: Decodable {
        let subject: String
        let pin: String
    }

    struct Key: Decodable {
        let type: String
        let bits: Int?
        let curve: String?
    }
}

extension FetchReport.Host {
    var pins: [String] { chain.map(\.pin) }
    var roles: [String] { chain.map(\.role) }
    var sources: [String] { chain.map(\.source) }
}

/// Runs `pinctl fetch`.
func fetch(
    _ arguments: String..., environment: [String: String] = [:], input: [UInt8] = [], folder: URL? = nil
) throws -> PinctlRun {
    try PinctlRun.spawn(["fetch"] + arguments, environment: environment, input: input, folder: folder)
}

/// Runs `pinctl fetch --format json` for one host.
func report(
    _ arguments: String..., environment: [String: String] = [:], status: Int32,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> FetchReport.Host {
    let run = try PinctlRun.spawn(["fetch", "--format", "json"] + arguments, environment: environment)
    #expect(run.status == status, "\(run)", sourceLocation: sourceLocation)
    let report = try JSONDecoder().decode(FetchReport.self, from: Data(run.output))
    #expect(report.schema == "pinctl/fetch/1", sourceLocation: sourceLocation)
    #expect(report.hosts.count == 1, sourceLocation: sourceLocation)
    return try #require(report.hosts.first, sourceLocation: sourceLocation)
}

/// The hosts in the output of `--format ndjson`.
func hosts(inLinesOf run: PinctlRun) throws -> [FetchReport.Host] {
    try run.lines.map { try JSONDecoder().decode(FetchReport.Host.self, from: Data($0.utf8)) }
}
