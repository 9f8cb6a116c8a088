import Foundation
import TestSupport

/// The output of `pinctl refresh --format json`.
struct RefreshReport: Decodable {
    let schema: String
    let results: [Result]
    let summary: String

    struct Result: Decodable {
        let host: String
        let verdict: String
        let different: Bool
        let addresses: [Address]
        let pins: [Pin]
        let added: [Added]
        let refused: [Refused]
        let survives: [String: RotationForecast]?
        let findings: [Finding]

        /// The status of each pin of the set, in order.
        var statuses: [String] { pins.map(\.status) }
        var codes: [String] { findings.map(\.code) }
    }

    struct Address: Decodable {
        let target: String
        let address: String?
        let verdict: String
    }

    struct Pin: Decodable {
        let pin: String
        let status: String
        let roles: [String]
        let addresses: Int
        let notAfter: String?
        let goneSince: String?
        let retires: String?
    }

    struct Added: Decodable {
        let pin: String
        let role: String
        let state: String
    }

    struct Refused: Decodable {
        let pin: String
        let reason: String
    }

    struct RotationForecast: Decodable {
        let outcome: String
        let pins: [String]
    }

    struct Finding: Decodable {
        let code: String
        let severity: String
        let message: String
        let hint: String?
    }
}
