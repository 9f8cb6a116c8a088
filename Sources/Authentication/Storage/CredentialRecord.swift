internal import Encodings
internal import OpenSSL

/// One line of the file of permanent passwords.
///
/// The first line of the file is `pinctl-credentials 1`. Each other line has nine fields, separated by tabs: protocol, host, port,
/// type of the proxy or `-`, `realm` or `-`, `default` or `-`, and the realm, the user and the password in base64.
struct CredentialRecord: Sendable {
    let location: CredentialLocation
    let password: PasswordCredential
    let isDefault: Bool

    private static let header = "pinctl-credentials 1"
    private static let fieldCount = 9
    private static let tab = UInt8(ascii: "\t")
    private static let newline = UInt8(ascii: "\n")

    /// The file with these records, sorted, so that equal records give equal files.
    static func file(of records: [CredentialRecord]) -> [UInt8] {
        let sorted = records.sorted { $0.sortKey.lexicographicallyPrecedes($1.sortKey) }
        // The capacity prevents that a growing array leaves copies of passwords in memory.
        let count = sorted.reduce(header.utf8.count + 1) { $0 + $1.maximumLength }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        bytes += header.utf8
        bytes.append(newline)
        for record in sorted { record.append(to: &bytes) }
        return bytes
    }

    /// - Throws: ``CredentialStorageError/malformed(line:)``.
    static func records(in bytes: [UInt8]) throws(CredentialStorageError) -> [CredentialRecord] {
        var records: [CredentialRecord] = []
        var lines = bytes.split(separator: newline, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard let first = lines.first, first.elementsEqual(header.utf8) else { throw .malformed(line: 1) }
        for (index, line) in lines.enumerated().dropFirst() {
            guard let record = CredentialRecord(line) else { throw .malformed(line: index + 1) }
            records.append(record)
        }
        return records
    }

    static func wipe(_ bytes: inout [UInt8]) { SecretBytes.wipe(&bytes) }

    init(location: CredentialLocation, password: PasswordCredential, isDefault: Bool) {
        (self.location, self.password, self.isDefault) = (location, password, isDefault)
    }

    private init?(_ line: ArraySlice<UInt8>) {
        let fields = line.split(separator: Self.tab, omittingEmptySubsequences: false)
        guard fields.count == Self.fieldCount else { return nil }
        let texts = fields.prefix(6).map { String(decoding: $0, as: UTF8.self) }
        guard let proto = ProtectionSpace.ServerProtocol(rawValue: texts[0]), !texts[1].isEmpty,
            texts[1] == texts[1].lowercased(), let port = UInt16(texts[2]),
            texts[4] == "realm" || texts[4] == "-", texts[5] == "default" || texts[5] == "-",
            let realm = Self.decoded(fields[6]), let user = Self.decoded(fields[7]),
            var secret = Self.decoded(fields[8])
        else { return nil }
        defer { SecretBytes.wipe(&secret) }
        var proxyType: ProtectionSpace.ProxyType?
        if texts[3] != "-" {
            guard let type = ProtectionSpace.ProxyType(rawValue: texts[3]) else { return nil }
            proxyType = type
        }
        guard let realmText = String(validating: realm, as: UTF8.self),
            let userText = String(validating: user, as: UTF8.self), texts[4] == "realm" || realm.isEmpty
        else { return nil }
        location = CredentialLocation(
            host: texts[1], port: port, protocol: proto, proxyType: proxyType,
            realm: texts[4] == "realm" ? realmText : nil)
        password = PasswordCredential(user: userText, password: secret)
        isDefault = texts[5] == "default"
    }

    private static func decoded(_ field: ArraySlice<UInt8>) -> [UInt8]? {
        field.isEmpty ? [] : try? Base64.decode(field)
    }

    private var fields: [String] {
        [
            location.protocol.rawValue, location.host, String(location.port), location.proxyType?.rawValue ?? "-",
            location.realm == nil ? "-" : "realm", isDefault ? "default" : "-",
        ]
    }

    /// The fields that identify a record. They contain no secret.
    private var sortKey: [String] { fields + [location.realm ?? "", password.user] }

    private var maximumLength: Int {
        let secret = password.withPassword(\.count) + (location.realm ?? "").utf8.count + password.user.utf8.count
        return fields.reduce(0) { $0 + $1.utf8.count + 1 } + 2 * secret + 16
    }

    private func append(to bytes: inout [UInt8]) {
        for field in fields {
            bytes += field.utf8
            bytes.append(Self.tab)
        }
        Base64.append(Array((location.realm ?? "").utf8), to: &bytes)
        bytes.append(Self.tab)
        Base64.append(Array(password.user.utf8), to: &bytes)
        bytes.append(Self.tab)
        password.withPassword { Base64.append($0, to: &bytes) }
        bytes.append(Self.newline)
    }
}
