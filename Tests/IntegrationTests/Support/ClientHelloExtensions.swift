import TestSupport

/// The extensions of a TLS ClientHello (RFC 8446, section 4.1.2), for servers that select their certificate by them.
struct ClientHelloExtensions {
    /// The bytes of the record with the ClientHello.
    let record: [UInt8]
    let cipherSuites: [Int]
    /// The data of each extension by its type.
    private let data: [Int: [UInt8]]

    /// Reads the first record of a connection; nil if the connection ends before.
    init?(from connection: RawPeer.Connection) {
        var bytes: [UInt8] = []
        while bytes.count < 5 || bytes.count < 5 + Self.number(bytes[3...4]) {
            guard let more = connection.read() else { return nil }
            bytes += more
        }
        record = bytes
        // The headers of the record and the message, the version, and the random bytes; then three lists.
        var rest = bytes.dropFirst(5 + 4 + 2 + 32)
        _ = Self.list(lengthBytes: 1, &rest)
        cipherSuites = Self.numbers(Self.list(lengthBytes: 2, &rest))
        _ = Self.list(lengthBytes: 1, &rest)
        var extensions = Self.list(lengthBytes: 2, &rest)[...]
        var data: [Int: [UInt8]] = [:]
        while extensions.count >= 4 {
            let type = Self.number(extensions.prefix(2))
            extensions = extensions.dropFirst(2)
            data[type] = Self.list(lengthBytes: 2, &extensions)
        }
        self.data = data
    }

    var offersTLS13: Bool { numbers(in: 43, after: 1).contains(0x0304) }
    var offersApplicationProtocols: Bool { data[16] != nil }
    /// RFC 7301, section 3.1.
    var applicationProtocols: [String] {
        var names = (data[16] ?? []).dropFirst(2)
        var result: [String] = []
        while !names.isEmpty { result.append(String(decoding: Self.list(lengthBytes: 1, &names), as: UTF8.self)) }
        return result
    }
    var signatureAlgorithms: [Int] { numbers(in: 13, after: 2) }
    var groups: [Int] { numbers(in: 10, after: 2) }

    func hasExtension(_ type: Int) -> Bool { data[type] != nil }

    private func numbers(in type: Int, after length: Int) -> [Int] {
        Self.numbers(Array((data[type] ?? []).dropFirst(length)))
    }

    private static func numbers(_ bytes: [UInt8]) -> [Int] {
        stride(from: 0, to: bytes.count - 1, by: 2).map { number(bytes[$0...($0 + 1)]) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private static func list(lengthBytes: Int, _ bytes: inout ArraySlice<UInt8>) -> [UInt8] {
        let length = number(bytes.prefix(lengthBytes))
        defer { bytes = bytes.dropFirst(lengthBytes + length) }
        return Array(bytes.dropFirst(lengthBytes).prefix(length))
    }
}
