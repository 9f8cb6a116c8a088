internal import Encodings
public import PinSetCodec
package import Pinning

/// Certificate files that apps contain: DER files named `.cer` for AFNetworking, Alamofire, react-native-ssl-pinning and Cordova.
///
/// Such a file contains certificates but no host.
package enum CertificateFilesFormat: InputReadingCodec, InputWritingCodec {
    package static let traits = FormatTraits(
        name: "certificates", summary: "certificates in PEM or DER; writes DER files named .cer",
        fileName: "pinned.cer", fileExtension: ".cer", readingInputs: [.host],
        writingInputs: [.host, .certificates], generatedFile: .certificates,
        platforms: [.afnetworking, .afnetworkingCertificate, .reactNativeSSLPinning, .cordova, .dart],
        capabilities: FormatCapabilities(notes: .elsewhere))

    package static func recognizes(_ file: FileContents) -> Bool {
        guard !DERReader.isSequence(file.bytes) else { return (try? certificates(in: file.bytes)) != nil }
        let first = file.bytes[...].trimmed
        // The reader reports what is wrong with such a file.
        if first.starts(with: "-----BEGIN CERTIFICATE-----".utf8) { return true }
        guard first.starts(with: "-----BEGIN ".utf8) || file.bytes.contains(ignoringCase: "\n-----begin ") else {
            return false
        }
        return (try? certificates(in: file.bytes)) != nil
    }

    /// The certificates in DER, one or several without a separator, or in PEM if all blocks of the text are certificates.
    package static func certificates(in bytes: [UInt8]) throws(PinSetFormatError) -> [Certificate] {
        guard !DERReader.isSequence(bytes) else { return try concatenated(bytes) }
        var found: [Certificate] = []
        for result in PEM.blocks(in: bytes) {
            let block: PEMBlock
            do throws(PEMError) { block = try result.get() } catch { throw Self.error(.file(.pem(error))) }
            let position = SourcePosition(line: block.line, column: 1)
            guard let der = block.certificateBytes else {
                throw error(.file(.notCertificate(label: block.label)), at: position)
            }
            do throws(CertificateError) {
                found.append(try Certificate(der: der))
            } catch {
                throw Self.error(.file(.certificate(error)), at: position)
            }
        }
        guard !found.isEmpty else { throw error(.file(.noCertificate)) }
        return found
    }

    private static func concatenated(_ bytes: [UInt8]) throws(PinSetFormatError) -> [Certificate] {
        var found: [Certificate] = []
        var reader = DERReader(bytes)
        while !reader.isAtEnd {
            let element: DERElement
            do throws(DERError) { element = try reader.next() } catch { throw Self.error(.file(.der(error))) }
            do throws(CertificateError) {
                found.append(try Certificate(der: Array(bytes[element.range])))
            } catch {
                throw Self.error(.file(.certificate(error)))
            }
        }
        return found
    }

    package static func read(
        _ bytes: [UInt8], with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetReading {
        let certificates = try certificates(in: bytes)
        guard let host = inputs.host else {
            let names = certificates.first { !$0.isCA }?.dnsNames.prefix(3) ?? []
            throw error(.noHost(of: .certificate(names: Array(names))))
        }
        var pins = PinnedKeyList()
        for certificate in certificates {
            pins.add(
                PinSet.PinnedKey(
                    pin: certificate.pin, role: role(of: certificate), label: label(of: certificate),
                    notAfter: certificate.notAfter))
        }
        return PinSetReading(set: try set([try entry(host, pins: pins.keys, at: nil)]), warnings: [])
    }

    private static func role(of certificate: Certificate) -> PinSet.AllowedRole {
        guard certificate.isCA else { return .leaf }
        return certificate.isSelfIssued ? .root : .intermediate
    }

    /// The common name of the subject; nil if it is absent or contains invisible characters.
    private static func label(of certificate: Certificate) -> String? {
        certificate.subject?.commonName.flatMap { name in
            name.isEmpty || name.utf8.count > 200 || name.unicodeScalars.contains(where: \.isInvisible) ? nil : name
        }
    }

    // MARK: Writing

    package static func write(
        _ set: PinSet, with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        let certificates = try pinned(by: set, with: inputs, as: format, &warnings)
        var files: [PinSetWriting.File] = []
        for (index, certificate) in certificates.enumerated() {
            files.append(.init(name: index == 0 ? nil : companionName(of: certificate), bytes: certificate.der))
        }
        return PinSetWriting(files: files, warnings: warnings.list)
    }

    /// The name of the file for a certificate that is not in the main file.
    package static func companionName(of certificate: Certificate) -> String {
        "pinned-\(Hex.encode(certificate.sha256.prefix(8))).cer"
    }

    /// The given certificates whose keys the set pins, in the order of the pins.
    static func pinned(
        by set: PinSet, with inputs: ConversionInputs, as format: PinSetFormat, _ warnings: inout ConversionWarnings
    ) throws(PinSetFormatError) -> [Certificate] {
        guard !inputs.certificates.isEmpty else {
            throw PinSetFormatError(.noCertificates(.keys), format: format)
        }
        let byPin = Dictionary(grouping: inputs.certificates, by: \.pin)
        var found: [Certificate] = []
        var known: Set<Certificate> = []
        let set = try set.only(inputs.host, as: format)
        let entries = try traits.capabilities.writable(set, as: format, &warnings)
        if Set(entries.map { Set($0.pins.map(\.pin)) }).count > 1 {
            warnings.add(.hostsNotToldApart(count: entries.count))
        }
        for entry in entries {
            for key in entry.pins {
                guard let certificates = byPin[key.pin] else {
                    warnings.add(.noCertificate(key), of: entry.entry.host)
                    continue
                }
                for certificate in certificates where known.insert(certificate).inserted { found.append(certificate) }
            }
        }
        guard !found.isEmpty || set.entries.isEmpty else {
            throw PinSetFormatError(.nothingWritable(warnings.list.last), format: format)
        }
        return found
    }
}

/// Certificates in one PEM file, for `SecurityContext.setTrustedCertificates` of Dart and Android's CertificateFactory.
enum PEMCertificatesFormat: InputWritingCodec {
    static let traits = FormatTraits(
        name: "certificates-pem", summary: "as certificates; writes one PEM file", fileName: "pinned.pem",
        fileExtension: ".pem", isReadable: false, readBy: CertificateFilesFormat.self,
        writingInputs: [.host, .certificates], generatedFile: .certificates,
        capabilities: FormatCapabilities(notes: .elsewhere))

    static func recognizes(_: FileContents) -> Bool { false }

    static func read(_: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        throw error(.writeOnly(readAs: .certificates))
    }

    static func write(
        _ set: PinSet, with inputs: ConversionInputs
    ) throws(PinSetFormatError) -> PinSetWriting {
        var warnings = ConversionWarnings()
        let certificates = try CertificateFilesFormat.pinned(by: set, with: inputs, as: format, &warnings)
        return PinSetWriting(certificates.map { PEM.certificate($0.der) }.joined(), warnings)
    }
}

extension PinSetFormat {
    public static let certificates = PinSetFormat(CertificateFilesFormat.self)
    public static let certificatesPEM = PinSetFormat(PEMCertificatesFormat.self)
}
