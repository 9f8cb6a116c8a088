import Foundation
import Pinning

/// The chain of Tests/Vectors/revocation, to which the generated lists and responses are applied.
enum RevocationVectors {
    static let trust: ServerTrust = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Vectors/revocation")
        func certificate(_ name: String) -> Certificate {
            guard let der = try? Data(contentsOf: folder.appending(path: name)),
                let certificate = try? Certificate(der: [UInt8](der))
            else { fatalError("there is no certificate \(name) in \(folder.path())") }
            return certificate
        }
        guard let noon = Timestamp(rfc3339: "2027-01-01T12:00:00Z") else { fatalError("that is a time") }
        return ServerTrust(
            certificates: [certificate("leaf.der")], anchors: TrustAnchors([certificate("root.der")]), at: noon)
    }()

    /// Whether the evaluator accepts the chain.
    static func accepts(_ trust: ServerTrust, by evaluator: RevocationTrustEvaluator) -> Bool {
        do {
            try evaluator.evaluate(trust, forHost: "localhost")
            return true
        } catch {
            precondition(!error.message.isEmpty)
            return false
        }
    }
}
