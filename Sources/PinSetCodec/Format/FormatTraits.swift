internal import Encodings

/// Facts about a format that the converter, lint, sync, verify and the help read.
package struct FormatTraits: Sendable {
    /// An additional input that some formats need or use.
    package enum Input: Hashable, Sendable {
        case host, sources, certificates, names, signingKey, verifyingKey
    }

    package enum Language: Sendable {
        case kotlin, swift
    }

    /// The object whose SHA-256 is a pin of the format.
    package enum HashedObject: Sendable {
        case publicKey, certificate
    }

    /// How pinctl recognizes a file that it wrote itself, whatever the set contained.
    package enum GeneratedFile: Sendable {
        /// If the set that was read is written again, the result has the same bytes as the file.
        case identical
        /// If the set that was read from a line is written again, the result is that line. A line `# HOST` contains the host.
        case lines
        /// The file has no unknown keys except those that the set has too.
        case noUnknownKeys
        /// The file is JSON. If the set that was read is written again, the result has all keys of the file with the same values.
        /// Reading the file gives no warning.
        case json
        /// The file has only keys that pinctl writes. It cannot be written again for comparison, because that needs certificates
        /// and a key.
        case onlyKnownKeys
        /// If the fingerprints that were read are written again, the result has the same bytes as the file
        /// (``FingerprintWritingCodec``).
        case fingerprints
        /// The file contains only certificates, so it does not matter which program wrote it.
        case certificates
    }

    /// A second file that is required to read the main file. It has the same name with another extension.
    package struct Sidecar: Sendable {
        package let mainExtension: String
        package let fileExtension: String
        package let mainSuffix: String

        /// - Parameter mainSuffix: the end of the main file's name that the second file's name omits.
        package init(of mainExtension: String, extension fileExtension: String, without mainSuffix: String = "") {
            (self.mainExtension, self.fileExtension) = (mainExtension, fileExtension)
            self.mainSuffix = mainSuffix
        }

        /// The path of the second file; nil if the main file does not have the format's extension.
        package func path(beside path: String) -> String? {
            guard let stem = path.without(suffix: mainExtension) else { return nil }
            return (stem.without(suffix: mainSuffix) ?? stem) + fileExtension
        }

        /// The name of the second file that pinctl writes.
        package func name(for fileName: String) -> String { path(beside: fileName) ?? fileName + fileExtension }
    }

    /// A lint rule for files in the format.
    package enum LintRule: Hashable, Sendable {
        /// When the pins expire, the platform stops comparing them and reports nothing.
        case silentExpiry
        /// The file can exempt trust anchors from the pins.
        case overridePins
        /// The setting for subdomains covers names with one more label only.
        case oneLabelSubdomains
        /// The format has one list of leaf pins and one of CA pins, with these keys, and a chain must match both.
        case twoLists(leaves: String, authorities: String)
        /// The platform accepts every chain that validates, and compares fingerprints only with others.
        case validChainsNotCompared
        /// The platform requires ``FormatCapabilities/minimumPins``. `consequence` says what happens if there are fewer.
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
    /// Default name of a file in the format.
    package let fileName: String
    /// Whether every file with that name has this format.
    package let hasUniqueFileName: Bool
    /// Extension of source files that pinctl assumes to have this format.
    package let fileExtension: String?
    package let isReadable: Bool
    /// Whether the format is pinctl's own, `pins.json`, which supports every setting. Lint and sync read it with readers that
    /// collect errors and can edit the file.
    package let isNative: Bool
    /// The format that reads the output; nil if the format reads its own output.
    package let readBy: (any PinSetCodec.Type)?
    /// The format of source code that configures the same library.
    package let sourceVariant: (any PinSetCodec.Type)?
    /// Programming language of the output; nil for data.
    package let language: Language?
    /// Whether pins can be written into an existing file without changing the rest of it.
    package let mergesIntoFiles: Bool
    package let readingInputs: Set<Input>
    package let writingInputs: Set<Input>
    package let generatedFile: GeneratedFile
    package let sidecar: Sidecar?
    package let hashes: HashedObject
    /// Whether the platform compares only the server's own certificate.
    package let comparesLeafOnly: Bool
    /// Whether all entries that cover a host apply together. Otherwise one entry decides.
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
    /// Whether it also requires them for hosts with report-only pins.
    package var countsPinsOfReportOnly: Bool { capabilities.countsPinsOfReportOnly }
}

extension FormatTraits.Language {
    package var name: String {
        switch self {
        case .kotlin: "Kotlin"
        case .swift: "Swift"
        }
    }

    /// The language of the tokens.
    package var source: SourceText.Language {
        switch self {
        case .kotlin: .java
        case .swift: .swift
        }
    }

    /// Extensions of files in another language that the platform's library supports but pinctl does not write.
    package var unsupportedExtensions: [String: String] {
        switch self {
        case .kotlin: [".java": "Java"]
        case .swift: [".m": "Objective-C", ".mm": "Objective-C"]
        }
    }
}
