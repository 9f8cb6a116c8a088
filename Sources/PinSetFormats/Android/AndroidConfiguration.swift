internal import Encodings
internal import PinSetCodec
internal import Pinning

/// What a `network_security_config.xml` says of pins, with the elements that say it.
struct AndroidConfiguration {
    /// `domain-config`.
    struct Part {
        let element: XMLElement
        let domains: [Domain]
        let pins: Pins?
        let enforcement: Enforcement?
        /// What stands in it and inherits what it does not say itself.
        let parts: [Part]

        /// Whether nothing else is lost with it. Attributes with a prefix are for tools.
        var isAboutPinsAlone: Bool {
            element.attributes.allSatisfy { $0.name.contains(":") }
                && element.children.allSatisfy { ["domain", "pin-set", "trustkit-config"].contains($0.name) }
        }
    }

    struct Domain {
        let element: XMLElement
        /// Without white space around it.
        let host: String
        /// As hosts are compared.
        let name: String
        let includesSubdomains: Bool

        var subdomains: PinSet.Subdomains { includesSubdomains ? .all : .none }
    }

    /// `pin-set`. One without pins pins nothing, and what is inherited does not count either.
    struct Pins {
        let element: XMLElement
        let expires: Timestamp?
        let pins: [PinSet.PinnedKey]
    }

    /// `trustkit-config`.
    struct Enforcement {
        let element: XMLElement
        let enforces: Bool
    }

    let document: XMLDocument
    let parts: [Part]
    /// What a pin set cannot hold.
    let warnings: [ConversionWarning]
    /// Whether the file has an element of TrustKit, which then reads it, too.
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
        guard document.root.name == "network-security-config" else {
            throw AndroidFormat.error(
                .android(.wrongRoot(document.root.name)), at: document.position(of: document.root.range.lowerBound))
        }
        var reader = AndroidReader(document: document)
        parts = try reader.parts()
        warnings = reader.warnings.list
        func names(_ part: Part) -> Bool { part.enforcement != nil || part.parts.contains(where: names) }
        namesTrustKit = parts.contains(where: names)
    }

    /// By the head that Android's compiler gives to XML (ResXMLTree_header), or as a ZIP archive with an app in it.
    static func isCompiled(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x03, 0x00, 0x08, 0x00])
            || bytes.starts(with: [0x50, 0x4b, 0x03, 0x04]) && bytes.has("AndroidManifest.xml")
    }
}
