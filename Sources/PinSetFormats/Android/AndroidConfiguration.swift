internal import Encodings
internal import PinSetCodec
internal import Pinning
internal import XMLDocuments

/// The pins of a `network_security_config.xml`, with the elements that contain them.
struct AndroidConfiguration {
    /// An element `domain-config`.
    struct Part {
        let element: XMLElement
        let domains: [Domain]
        let pins: Pins?
        let enforcement: Enforcement?
        /// The nested elements, which inherit the settings that they do not contain.
        let parts: [Part]

        /// Whether the element has no settings other than pins, so that it can be removed. Attributes with a prefix do not count,
        /// because they are for tools.
        var hasOnlyPinSettings: Bool {
            element.attributes.allSatisfy { $0.name.has(":") }
                && element.children.allSatisfy { ["domain", "pin-set", "trustkit-config"].contains($0.localName) }
        }
    }

    struct Domain {
        let element: XMLElement
        /// The name as written, without white space around it.
        let host: String
        /// The name by which Android finds the domain: the text in lower case (XmlConfigSource.java, `parseDomain`). An IP address
        /// is normalized.
        let name: String
        /// The normalized host name, if Android does not find it in this spelling: in Unicode, or with a dot at the end
        /// (ApplicationConfig.java, `getConfigForHostname`).
        let nameToWrite: String?
        /// The reason why the text is not a host name; nil if it is one. A domain with a reason matches no host.
        let problem: HostNameError?
        let includesSubdomains: Bool

        var subdomains: PinSet.Subdomains { includesSubdomains ? .all : .none }
    }

    /// An element `pin-set`. Even if it contains no pins, it replaces the inherited pins.
    struct Pins {
        let element: XMLElement
        let expires: Timestamp?
        let pins: [PinSet.PinnedKey]
        /// The elements `pin`, as items of the list and as Android decodes them.
        let items: [(item: XMLListEditor.Item, element: PinListUpdate.Element)]
    }

    /// An element `trustkit-config`.
    struct Enforcement {
        let element: XMLElement
        let enforces: Bool
    }

    let document: XMLDocument
    let parts: [Part]
    /// Warnings about parts of the file that a pin set cannot represent.
    let warnings: [ConversionWarning]
    /// Whether the file has an element of TrustKit, which means that TrustKit reads the file too.
    let namesTrustKit: Bool

    init(_ bytes: [UInt8]) throws(PinSetFormatError) {
        guard !Self.isCompiled(bytes) else {
            throw AndroidFormat.error(.android(.compiled))
        }
        do throws(XMLError) {
            document = try XMLDocument(bytes)
        } catch {
            throw AndroidFormat.error(.xml(error), at: error.position)
        }
        guard document.root.localName == "network-security-config" else {
            throw AndroidFormat.error(
                .android(.wrongRoot(document.root.name)), at: document.position(of: document.root.range.lowerBound))
        }
        var reader = AndroidReader(document: document)
        parts = try reader.parts()
        warnings = reader.warnings.list
        func names(_ part: Part) -> Bool { part.enforcement != nil || part.parts.contains(where: names) }
        namesTrustKit = parts.contains(where: names)
    }

    /// Whether the bytes are compiled XML, which begins with ResXMLTree_header, or a ZIP archive with an app.
    static func isCompiled(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x03, 0x00, 0x08, 0x00])
            || bytes.starts(with: [0x50, 0x4b, 0x03, 0x04]) && bytes.has("AndroidManifest.xml")
    }
}
