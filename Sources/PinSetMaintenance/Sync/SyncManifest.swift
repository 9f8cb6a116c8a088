package import Encodings
package import PinSetCodec
internal import PinSetFormats

/// The contents of a sync manifest, such as `pinctl-sync.json`: the files of a repository that are copies of one pin set.
///
/// ```json
/// { "version": 1,
///   "set": "pins.json",
///   "copies": [
///     { "file": "android/app/src/main/res/xml/network_security_config.xml" },
///     { "file": "ios/App/Info.plist", "format": "apple" },
///     { "file": "shared/Pins.kt", "format": "okhttp", "hosts": ["api.example.com"] } ] }
/// ```
///
/// Paths are relative to the manifest.
package struct SyncManifest: Hashable, Sendable {
    /// The path of the set, as written.
    package let set: String
    /// The copies in the order of the file; at least one.
    package let copies: [Copy]
    /// Unknown keys. Each may be a misspelt known key.
    package let unknownKeys: [JSONMember]

    package struct Copy: Hashable, Sendable {
        /// The path, as written.
        package let file: String
        /// The format; nil to recognize it from the contents or the name.
        package let format: PinSetFormat?
        /// The hosts of the set that the copy contains. If empty, the copy contains all hosts.
        package let hosts: [String]
        /// Files and folders of certificates, for formats that pin certificates.
        package let certificates: [String]
        /// The private key that signs the copy, for formats with signatures.
        package let signingKey: String?
        /// The action for hosts that are in the copy but not in the set.
        package let others: OtherHosts
        /// Whether the whole file is replaced, including other contents.
        package let overwrites: Bool
        /// The position of the object in the manifest.
        package let position: SourcePosition
    }

    /// - Parameter bytes: the contents of the file in UTF-8.
    package init(json bytes: [UInt8]) throws(SyncManifestError) {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(bytes).root
        } catch {
            throw SyncManifestError(.syntax(error), at: error.position)
        }
        var fields = try SyncFields(root, of: "the manifest")
        try fields.checkVersion()
        set = try fields.path("set")
        let list = try fields.required("copies")
        guard case .array(let values) = list.content else {
            throw SyncManifestError(.type("\"copies\"", found: list.kind, expected: "an array"), at: list.position)
        }
        guard !values.isEmpty else { throw SyncManifestError(.noCopies, at: list.position) }
        var copies: [Copy] = []
        // Names of files are compared by their bytes.
        var copiesByFile: [[UInt8]: [Copy]] = [:]
        var unknown = fields.unknown
        for value in values {
            var fields = try SyncFields(value, of: "a copy")
            let copy = try Copy(&fields, at: value.position)
            let file = Array(copy.file.utf8)
            let same = copiesByFile[file]?.first { $0.format == copy.format || copy.format == nil }
            if let same {
                throw SyncManifestError(.sameFile(copy.file, firstLine: same.position.line), at: value.position)
            }
            copies.append(copy)
            copiesByFile[file, default: []].append(copy)
            unknown += fields.unknown
        }
        self.copies = copies
        unknownKeys = unknown
    }

    /// All known keys, including those of copies.
    package static let keys = ["version", "set", "copies"] + Copy.keys
}

extension SyncManifest.Copy {
    fileprivate static let keys = ["file", "format", "hosts", "certificates", "sign", "others", "overwrite"]

    fileprivate init(_ fields: inout SyncFields, at position: SourcePosition) throws(SyncManifestError) {
        file = try fields.path("file")
        format = try fields.word("format", PinSetFormat.allCases.map(\.rawValue)).flatMap(PinSetFormat.init(rawValue:))
        hosts = try fields.texts("hosts", canBeEmpty: false)
        certificates = try fields.texts("certificates")
        signingKey = try fields.text("sign")?.text
        others = try fields.word("others", ["remove", "keep"]) == "keep" ? .kept : .removed
        overwrites = try fields.bool("overwrite") ?? false
        self.position = position
    }
}
