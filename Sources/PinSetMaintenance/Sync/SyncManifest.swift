package import Encodings
package import PinSetFormats

/// Which files of a repository are copies of one pin set, as in a file `pinctl-sync.json`:
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
    /// One at least, in the order of the file.
    package let copies: [Copy]
    /// Keys that mean nothing here. Each may be a known one misspelt.
    package let unknownKeys: [JSONMember]

    package struct Copy: Hashable, Sendable {
        /// The path, as written.
        package let file: String
        /// Nil where the contents, or the name, are to tell.
        package let format: PinSetFormat?
        /// The hosts of the set that the copy holds; all of them where there are none here.
        package let hosts: [String]
        /// Files and folders of certificates, for formats that hold no pins of keys.
        package let certificates: [String]
        /// The private key that signs, for formats that are signed.
        package let signingKey: String?
        /// What becomes of hosts that the copy pins and the set does not have.
        package let others: OtherHosts
        /// Whether the whole file is written anew, whatever it holds.
        package let overwrites: Bool
        /// Of the object in the manifest.
        package let position: SourcePosition
    }

    /// - Parameter bytes: the file, UTF-8.
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
        var unknown = fields.unknown
        for value in values {
            var fields = try SyncFields(value, of: "a copy")
            let copy = try Copy(&fields, at: value.position)
            let same = copies.first { $0.file == copy.file && ($0.format == copy.format || copy.format == nil) }
            if let same {
                throw SyncManifestError(.sameFile(copy.file, firstLine: same.position.line), at: value.position)
            }
            copies.append(copy)
            unknown += fields.unknown
        }
        self.copies = copies
        unknownKeys = unknown
    }

    /// The keys that it may have, those of copies included.
    package static let keys = ["version", "set", "copies"] + Copy.keys
}

extension SyncManifest.Copy {
    fileprivate static let keys = ["file", "format", "hosts", "certificates", "sign", "others", "overwrite"]

    fileprivate init(_ fields: inout SyncFields, at position: SourcePosition) throws(SyncManifestError) {
        file = try fields.path("file")
        format = try fields.word("format", PinSetFormat.allCases.map(\.rawValue)).flatMap(PinSetFormat.init(rawValue:))
        hosts = try fields.texts("hosts")
        certificates = try fields.texts("certificates")
        signingKey = try fields.text("sign")?.text
        others = try fields.word("others", ["remove", "keep"]) == "keep" ? .kept : .removed
        overwrites = try fields.bool("overwrite") ?? false
        self.position = position
    }
}
