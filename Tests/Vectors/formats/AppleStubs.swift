// What the Swift that pinctl writes uses of Apple's frameworks and of Alamofire, so that it can be compiled and run
// elsewhere. A certificate here is the pin that it should have and the key as SecKeyCopyExternalRepresentation gives it.
import Foundation

typealias CFString = String
typealias CFData = Data
typealias CFDictionary = [String: Any]
typealias CFArray = [Any]
typealias CFError = Error

let kSecAttrKeyType = "type"
let kSecAttrKeySizeInBits = "bsiz"
let kSecAttrKeyTypeRSA = "42"
let kSecAttrKeyTypeECSECPrimeRandom = "73"

final class SecKey {
    let type: String
    let bits: Int
    let bytes: Data
    init(type: String, bits: Int, bytes: Data) { (self.type, self.bits, self.bytes) = (type, bits, bytes) }
}

final class SecCertificate {
    let key: SecKey
    init(key: SecKey) { self.key = key }
}

final class SecPolicy {
    let host: String
    init(host: String) { self.host = host }
}

final class SecTrust {
    let chain: [SecCertificate]
    let validHost: String
    var policy: SecPolicy?
    init(chain: [SecCertificate], validHost: String) { (self.chain, self.validHost) = (chain, validHost) }
}

func SecCertificateCreateWithData(_: Int?, _ data: CFData) -> SecCertificate? {
    SecCertificate(key: SecKey(type: "der", bits: 0, bytes: data))
}
func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { certificate.key }
func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? { [kSecAttrKeyType: key.type, kSecAttrKeySizeInBits: key.bits] }
func SecKeyCopyExternalRepresentation(_ key: SecKey, _: UnsafeMutablePointer<CFError?>?) -> CFData? { key.bytes }
func SecPolicyCreateSSL(_: Bool, _ host: CFString?) -> SecPolicy { SecPolicy(host: host ?? "") }
@discardableResult func SecTrustSetPolicies(_ trust: SecTrust, _ policy: SecPolicy) -> Int32 {
    trust.policy = policy
    return 0
}
func SecTrustEvaluateWithError(_ trust: SecTrust, _: UnsafeMutablePointer<CFError?>?) -> Bool {
    trust.policy?.host == trust.validHost
}
func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { trust.chain }

let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

final class URLProtectionSpace {
    let host: String
    let authenticationMethod: String
    let serverTrust: SecTrust?
    init(host: String, authenticationMethod: String, serverTrust: SecTrust?) {
        (self.host, self.authenticationMethod, self.serverTrust) = (host, authenticationMethod, serverTrust)
    }
}

final class URLAuthenticationChallenge {
    let protectionSpace: URLProtectionSpace
    init(_ protectionSpace: URLProtectionSpace) { self.protectionSpace = protectionSpace }
}

final class URLCredential {
    init(trust: SecTrust) {}
}

final class URLSession {
    enum AuthChallengeDisposition { case useCredential, performDefaultHandling, cancelAuthenticationChallenge }
}

protocol URLSessionDelegate: NSObject {
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )
}

protocol ServerTrustEvaluating {}

struct PublicKeysTrustEvaluator: ServerTrustEvaluating {
    let keys: [SecKey]
    init(keys: [SecKey], performDefaultValidation: Bool = true, validateHost: Bool = true) { self.keys = keys }
}

struct ServerTrustManager {
    let allHostsMustBeEvaluated: Bool
    let evaluators: [String: any ServerTrustEvaluating]
    init(allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluating]) {
        (self.allHostsMustBeEvaluated, self.evaluators) = (allHostsMustBeEvaluated, evaluators)
    }
}

/// FIPS 180-4.
enum SHA256 {
    static func hash(data: Data) -> [UInt8] {
        var state: [UInt32] = firstBits(of: primes.prefix(8).map { Double($0).squareRoot() })
        let constants = firstBits(of: primes.map { cubeRoot(Double($0)) })
        var message = [UInt8](data) + [0x80]
        while message.count % 64 != 56 { message.append(0) }
        for shift in stride(from: 56, through: 0, by: -8) { message.append(UInt8(truncatingIfNeeded: (data.count * 8) >> shift)) }
        func rotated(_ value: UInt32, _ count: UInt32) -> UInt32 { value >> count | value << (32 - count) }
        for block in stride(from: 0, to: message.count, by: 64) {
            var words = (0..<16).map { index in
                (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(message[block + index * 4 + $1]) }
            }
            for index in 16..<64 {
                let (early, late) = (words[index - 15], words[index - 2])
                let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
                let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
                words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
            }
            var round = state
            for index in 0..<64 {
                let sum = rotated(round[4], 6) ^ rotated(round[4], 11) ^ rotated(round[4], 25)
                let choice = round[4] & round[5] ^ ~round[4] & round[6]
                let first = round[7] &+ sum &+ choice &+ constants[index] &+ words[index]
                let second = rotated(round[0], 2) ^ rotated(round[0], 13) ^ rotated(round[0], 22)
                let majority = round[0] & round[1] ^ round[0] & round[2] ^ round[1] & round[2]
                round = [first &+ second &+ majority] + round[0..<3] + [round[3] &+ first] + round[4..<7]
            }
            state = zip(state, round).map { $0 &+ $1 }
        }
        return state.flatMap { word in stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) } }
    }

    private static let primes = (2...311).filter { number in (2..<number).allSatisfy { number % $0 != 0 } }

    private static func cubeRoot(_ number: Double) -> Double { cbrt(number) }

    private static func firstBits(of numbers: [Double]) -> [UInt32] {
        numbers.map { UInt32(($0 - $0.rounded(.down)) * 4_294_967_296) }
    }
}
