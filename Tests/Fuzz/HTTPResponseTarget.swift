import Fetching
// Seeds: *.http *.der *.p7b *.pem
import KeyFiles
import Pinning
import PlaintextProtocols

/// The HTTP response with an issuer's certificate. The result does not depend on the pieces in which it arrives.
enum HTTPResponseTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        let whole = outcome(of: [bytes])
        precondition(outcome(of: bytes.map { [$0] }) == whole)
        let half = bytes.count / 2
        precondition(outcome(of: [Array(bytes[..<half]), Array(bytes[half...])]) == whole)
        if case .success(let response) = whole {
            precondition(response.body.count <= HTTPResponseReader.maximumBody)
            precondition(CertificateBundle.certificates(in: response.body).count <= CertificateBundle.maximumCount)
            _ = response.location.flatMap { HTTPURL($0) }
        }
        _ = CertificateBundle.certificates(in: bytes)
        _ = HTTPURL(String(decoding: bytes, as: UTF8.self))
    }

    private static func outcome(of pieces: [[UInt8]]) -> Result<HTTPResponse, HTTPResponseReader.Failure> {
        var reader = HTTPResponseReader()
        do throws(HTTPResponseReader.Failure) {
            for piece in pieces { if let response = try reader.receive(piece) { return .success(response) } }
            return .success(try reader.finish())
        } catch {
            return .failure(error)
        }
    }
}
