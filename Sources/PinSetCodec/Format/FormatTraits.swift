/// Facts about a format that the converter, lint, sync, verify and the help read.
package struct FormatTraits: Sendable {
    /// An additional input that some formats need or use.
    package enum Input: Hashable, Sendable {
        case host, sources, certificates, names, signingKey, verifyingKey
    }

    package enum Language: Sendable {
        case kotlin, swift
    }

    /// What a pin of the format is the SHA-256 of.
    package enum HashedObject: Sendable {
        case publicKey, certificate
    }

    /// How to recognize that pinctl wrote a whole file, for any set.
    package enum GeneratedFile: Sendable {
        /// Writing the set that was read gives the bytes of the file.
        case identical
        /// Writing the set that was read from one line gives that line. A line `# HOST` names a host.
        case lines
        /// The file has no unknown keys except those that the set also has.
        case noUnknownKeys
        /// Reading the file gives no warning.
        case noWarnings
        /// The file has only the keys that pinctl writes. It cannot be written again without certificates and a key.
        case onlyKnownKeys
        /// Writing the fingerprints that were read gives the bytes of the file (``FingerprintWritingCodec``).
        case fingerprints
        /// The file contains nothing but pins, whatever program wrote it.
        case anyReadable
    }

    /// A second file with the same name and another extension, without which the main file cannot be read.
    package struct Sidecar: Sendable {
        package let mainExtension: String
        package let fileExtension: String
        package let mainSuffix: String

        /// - Parameter mainSuffix: the end of the main file's name before the extension that the second file does not have.
        package init(of mainExtension: String, extension fileExtension: String, without mainSuffix: String = "") {
            (self.mainExtension, self.fileExtension) = (mainExtension, fileExtension)
            self.mainSuffix = mainSuffix
        }

        /// The path of the second file; nil if the main file has another extension than the format's.
        package func path(beside path: String) -> String? {
            guard path.hasSuffix(mainExtension) else { return nil }
            let stem = path.dropLast(mainExtension.count)
            return (stem.hasSuffix(mainSuffix) ? stem.dropLast(mainSuffix.count) : stem) + fileExtension
        }

        /// The name of the second file that is written.
        package func name(for fileName: String) -> String { path(beside: fileName) ?? fileName + fileExtension }
    }

    /// A rule of lint about files in the format.
    package enum LintRule: Hashable, Sendable {
        /// After the expiry, the platform compares no pins and does not report it.
        case silentExpiry
        /// The file can exempt trust anchors from the pins.
        case overridePins
        /// Subdomains are those of one label.
        case oneLabelSubdomains
        /// Leaf pins and CA pins are separate lists, and a chain must match both.
        case twoLists
        /// The platform requires ``FormatCapabilities/minimumPins``; `consequence` is what happens otherwise.
        case minimumPins(consequence: String)
        /// A pin of a CA never matches.
        case leafPinsOnly
        /// A renewed certificate needs a new pin.
        case certificatePins
    }

    /// Name on the command line and in a sync manifest.
    package let name: String
    /// One line of help.
    package let summary: String
    /// Name of a file that has no other name.
    package let fileName: String
    /// Whether a file with that name has this format and no other.
    package let hasUniqueFileName: Bool
    /// Extension of source files that are assumed to have this format.
    package let fileExtension: String?
    package let isReadable: Bool
    /// Whether the format is the one of this library, `pins.json`, which supports every setting. Lint and sync have readers for it
    /// that collect errors and edit files.
    package let isNative: Bool
    /// The format as which the output is read; nil for the format itself if it is readable.
    package let readBy: (any PinSetCodec.Type)?
    /// The format for source code that configures the same library.
    package let sourceVariant: (any PinSetCodec.Type)?
    /// Language of the output; nil for data.
    package let language: Language?
    /// Whether pins can be written into an existing file, the rest of which is kept.
    package let mergesIntoFiles: Bool
    package let readingInputs: Set<Input>
    package let writingInputs: Set<Input>
    package let generatedFile: GeneratedFile
    package let sidecar: Sidecar?
    package let hashes: HashedObject
    /// Whether the platform compares only the server's own certificate.
    package let comparesLeafOnly: Bool
    /// Whether the pins of every entry that covers a host apply together; otherwise one entry decides.
    package let unitesOverlappingHosts: Bool
    /// The platforms that use the format.
    package let platforms: [Platform]
    package let lintRules: [LintRule]
    package let capabilities: FormatCapabilities

    package init(
        name: String, summary: String, fileName: String, hasUniqueFileName: Bool = true, fileExtension: String? = nil,
        isReadable: Bool = true, isNative: Bool = false, readBy: (any PinSetCodec.Type)? = nil,
        sourceVariant: (any PinSetCodec.Type)? = nil,
        language: Language? = nil, mergesIntoFiles: Bool = false, readingInputs: Set<Input> = [],
        writingInputs: Set<Input> = [], generatedFile: GeneratedFile = .identical, sidecar: Sidecar? = nil,
        hashes: HashedObject = .publicKey, comparesLeafOnly: Bool = false, unitesOverlappingHosts: Bool = false,
        platforms: [Platform] = [], lintRules: [LintRule] = [], capabilities: FormatCapabilities
    ) {
        (self.name, self.summary, self.fileName) = (name, summary, fileName)
        (self.hasUniqueFileName, self.fileExtension) = (hasUniqueFileName, fileExtension)
        (self.isReadable, self.isNative) = (isReadable, isNative)
        (self.readBy, self.sourceVariant) = (readBy, sourceVariant)
        (self.language, self.mergesIntoFiles) = (language, mergesIntoFiles)
        (self.readingInputs, self.writingInputs) = (readingInputs, writingInputs)
        (self.generatedFile, self.sidecar, self.hashes) = (generatedFile, sidecar, hashes)
        (self.comparesLeafOnly, self.unitesOverlappingHosts) = (comparesLeafOnly, unitesOverlappingHosts)
        (self.platforms, self.lintRules, self.capabilities) = (platforms, lintRules, capabilities)
    }

    /// Number of different pins that the platform requires for each host.
    package var minimumPins: Int { capabilities.minimumPins }
    /// Whether it requires them for hosts whose mismatches are only reported, too.
    package var countsPinsOfReportOnly: Bool { capabilities.countsPinsOfReportOnly }
}

extension FormatTraits.Language {
    package var name: String {
        switch self {
        case .kotlin: "Kotlin"
        case .swift: "Swift"
        }
    }

    /// Extensions of files in a language that the platform's library also supports, and which pinctl does not write.
    package var unsupportedExtensions: [String: String] {
        switch self {
        case .kotlin: [".java": "Java"]
        case .swift: [".m": "Objective-C", ".mm": "Objective-C"]
        }
    }
}
