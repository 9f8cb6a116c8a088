internal import Encodings
public import PinSetCodec
internal import Pinning

/// Swift source for Alamofire's `ServerTrustManager`, and the certificates that it loads. pinctl does not read this format.
///
/// Alamofire supports no hashes: it compares the keys of certificates. So the certificates are an input, and are written next
/// to the source.
enum AlamofireFormat: InputWritingCodec {
    static let traits = FormatTraits(
        name: "alamofire", summary: "Swift for Alamofire; write-only, needs the certificates",
        fileName: "PinnedServers.swift", isReadable: false, language: .swift, writingInputs: [.certificates],
        platforms: [.alamofire], capabilities: FormatCapabilities(notes: .comments))

    static func recognizes(_ file: FileContents) -> Bool { file.bytes.contains(ignoringCase: "servertrustmanager(") }

    static func read(_: [UInt8]) throws(PinSetFormatError) -> PinSetReading { throw unreadable() }

    static func write(
        _ set: PinSet, with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetWriting {
        guard !inputs.certificates.isEmpty else {
            throw error(.noCertificates(.keys))
        }
        var certificates: [Pin: Certificate] = [:]
        for certificate in inputs.certificates where certificates[certificate.pin] == nil {
            certificates[certificate.pin] = certificate
        }
        var warnings = ConversionWarnings()
        var files: [PinSetWriting.File] = []
        var written: Set<Pin> = []
        var hosts: [(entry: WritableEntry, keys: [PinSet.PinnedKey])] = []
        for entry in try traits.capabilities.writable(set, as: format, &warnings) {
            var keys: [PinSet.PinnedKey] = []
            for key in entry.pins {
                guard let certificate = certificates[key.pin] else {
                    warnings.add(.noCertificate(key), of: entry.entry.host)
                    continue
                }
                keys.append(key)
                guard written.insert(key.pin).inserted else { continue }
                files.append(PinSetWriting.File(name: "\(fileName(of: key.pin)).der", bytes: certificate.der))
            }
            guard !keys.isEmpty else {
                throw error(.noCertificates(.noneMatches(host: entry.host, isLeaf: false)))
            }
            hosts.append((entry, keys))
        }
        return PinSetWriting(
            files: [PinSetWriting.File(name: nil, bytes: Array(source(hosts).utf8))] + files, warnings: warnings.list)
    }

    /// The written value of `allHostsMustBeEvaluated`. It is false, because hosts that are not in a pin set are not pinned.
    static let evaluatesAllHosts = false

    /// The file name of a certificate. It is derived from the pin, so that a renewed certificate with the same key replaces the old
    /// file.
    private static func fileName(of pin: Pin) -> String { "pinned-\(Hex.encode(pin.bytes.prefix(8)))" }

    private static func source(_ hosts: [(entry: WritableEntry, keys: [PinSet.PinnedKey])]) -> String {
        var text = """
            import Alamofire
            import Foundation
            import Security

            /// Decides which servers an Alamofire session accepts: `Session(serverTrustManager: try PinnedServers.trustManager())`.
            enum PinnedServers {
                /// - Parameter bundle: the bundle that contains the certificates (`pinned-….der`).
                /// - Throws: if the bundle lacks a certificate.
                static func trustManager(in bundle: Bundle = .main) throws -> ServerTrustManager {
                    // Hosts that are not listed are not pinned.
                    ServerTrustManager(
                        allHostsMustBeEvaluated: \(evaluatesAllHosts),
                        evaluators: [

            """
        if hosts.isEmpty { text += "                :\n" }
        for (entry, keys) in hosts {
            text += "                \"\(entry.host)\": PublicKeysTrustEvaluator(\n"
            text += "                    keys: try [\n"
            for key in keys {
                text += "                        key(\"\(fileName(of: key.pin))\", in: bundle),"
                text += PinComment(key).text.map { " // \($0)\n" } ?? "\n"
            }
            text += """
                                    ],
                                    performDefaultValidation: true,
                                    validateHost: true
                                ),

                """
        }
        return text + """
                        ])
                }

                struct MissingCertificate: Error {
                    let name: String
                }

                private static func key(_ name: String, in bundle: Bundle) throws -> SecKey {
                    guard let url = bundle.url(forResource: name, withExtension: "der"),
                        let certificate = SecCertificateCreateWithData(nil, try Data(contentsOf: url) as CFData),
                        let key = SecCertificateCopyKey(certificate)
                    else { throw MissingCertificate(name: name) }
                    return key
                }
            }

            """
    }
}

extension PinSetFormat {
    public static let alamofire = PinSetFormat(AlamofireFormat.self)
}
