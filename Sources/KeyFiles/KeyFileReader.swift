internal import Encodings
internal import OpenSSL
internal import Pinning

/// Reads the objects of one file: it detects the format, then reads the PEM blocks, then their DER.
struct KeyFileReader {
    let password: [UInt8]?
    /// Receives the private keys; nil if only their public halves are needed.
    let keys: PrivateKeyCollection?
    /// The work that is left for all encrypted objects of the file.
    private var budget = KeyDerivationBudget()
    /// The line of the current PEM block.
    private var line: Int?
    private var outcomes: [(line: Int?, outcome: Result<DecodedObject, KeyFileError.Problem>)] = []

    init(password: [UInt8]?, keys: PrivateKeyCollection?) {
        self.password = password
        self.keys = keys
    }

    /// The objects and errors, with their numbers.
    var results: [Result<KeyFileObject, KeyFileError>] {
        let main = outcomes.filter { !Self.isIgnoredBesideKeys($0.outcome) }
        return (main.isEmpty ? outcomes : main).enumerated().map { index, found in
            switch found.outcome {
            case .success(let finding): .success(finding.object(number: index + 1, line: found.line))
            case .failure(let problem): .failure(KeyFileError(number: index + 1, line: found.line, problem: problem))
            }
        }
    }

    private static func isIgnoredBesideKeys(_ outcome: Result<DecodedObject, KeyFileError.Problem>) -> Bool {
        guard case .failure(.unsupportedFileType(let format)) = outcome else { return false }
        return format.isIgnoredBesideKeys
    }

    private mutating func add(_ outcome: Result<DecodedObject, KeyFileError.Problem>) {
        outcomes.append((line, outcome))
    }

    // MARK: Files

    mutating func readFile(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return add(.failure(.empty)) }
        if KeyFileText.isDER(bytes) { return readDER(bytes) }
        if readPEM(bytes) { return }
        let text = KeyFileText(bytes)
        guard let decoded = text.decoded else { return add(.failure(text.problem)) }
        if KeyFileText.isDER(decoded) { return readDER(decoded) }
        if readPEM(decoded) { return }
        add(.failure(UnsupportedFileType(signatureOf: decoded).map { .unsupportedFileType($0) } ?? .unrecognizedBase64))
    }

    // MARK: PEM

    /// Reads the blocks of a text; returns false if there is no block.
    private mutating func readPEM(_ text: [UInt8]) -> Bool {
        var isFound = false
        for block in PEM.blocks(in: text) {
            isFound = true
            switch block {
            case .success(let block):
                line = block.line
                readBlock(block)
            case .failure(let error) where error.problem == .utf16:
                add(.failure(.unsupportedFileType(.utf16)))
            case .failure(let error):
                line = error.line
                add(.failure(UnsupportedFileType(label: error.label).map { .unsupportedFileType($0) } ?? .pem(error)))
            }
        }
        line = nil
        return isFound
    }

    private mutating func readBlock(_ block: PEMBlock) {
        if let format = UnsupportedFileType(label: block.label) { return add(.failure(.unsupportedFileType(format))) }
        // RSAPrivateKey (RFC 8017, appendix A.1.2) has no place for the parameters of RSA-PSS, which are a part of the public key.
        // OpenSSL writes such blocks (`openssl rsa -traditional`) and does not read them.
        if block.label == "RSA-PSS PRIVATE KEY" {
            return add(.failure(.unusableKey(type: "RSA-PSS", reason: "this format leaves out its parameters")))
        }
        if block.header("Proc-Type")?.hasSuffix("ENCRYPTED") == true {
            return add(
                KeyDecoder.outcome { () throws(KeyFileError.Problem) in
                    try KeyDecoder.decrypted(block, password: password, keys)
                })
        }
        switch block.label {
        case "TRUSTED CERTIFICATE":
            add(KeyDecoder.outcome { () throws(KeyFileError.Problem) in try Self.trusted(block.bytes) })
        case "CERTIFICATE", "X509 CERTIFICATE":
            // Some tools write a PKCS#7 message with this label.
            if case .pkcs7 = DERStructure(ber: block.bytes) { return readDER(block.bytes) }
            add(KeyDecoder.outcome { () throws(KeyFileError.Problem) in try Self.certificate(block.bytes) })
        default:
            let count = outcomes.count
            readDER(block.bytes)
            if outcomes.count == count + 1, case .failure(.unrecognizedStructure) = outcomes[count].outcome {
                outcomes[count].outcome = .failure(.unrecognizedLabel(block.label))
            }
        }
    }

    /// Reads a certificate that OpenSSL's trust settings may follow (`openssl x509 -trustout`).
    private static func trusted(_ bytes: [UInt8]) throws(KeyFileError.Problem) -> DecodedObject {
        var reader = DERReader(bytes)
        guard let first = try? reader.next(.sequence) else { return try certificate(bytes) }
        if (try? reader.nextIfPresent(.sequence)) != nil, !reader.isAtEnd {
            throw .trailingBytes(reader.end - reader.position)
        }
        return try certificate(Array(bytes[first.range]))
    }

    private static func certificate(_ der: [UInt8]) throws(KeyFileError.Problem) -> DecodedObject {
        do throws(CertificateError) {
            return .certificate(try Certificate(der: der))
        } catch {
            throw .certificate(error)
        }
    }

    // MARK: DER

    /// Reads `bytes` as one structure, or as several certificates without a separator. No other bytes may follow.
    private mutating func readDER(_ bytes: [UInt8]) {
        var outer = DERReader(bytes)
        let structure: DERStructure
        do throws(DERError) {
            let element = try outer.next(.sequence)
            let found = DERStructure(outer.reader(of: element))
            guard outer.isAtEnd else { return readCertificates(bytes, after: outer.position) }
            if case .unknown = found, let error = DERReader(bytes).firstBERError { throw error }
            structure = found
        } catch {
            if case .truncated(let missing) = error.problem { return add(.failure(.truncated(missing: missing))) }
            structure = error.isBER ? DERStructure(ber: bytes) : .unknown
            if case .unknown = structure { return add(.failure(.der(error))) }
        }
        switch structure {
        case .pkcs7: readContainer { () throws(KeyFileError.Problem) in try KeyFileContainer.pkcs7(bytes) }
        case .pkcs12:
            let (password, keys) = (password, keys)
            var budget = budget
            readContainer { () throws(KeyFileError.Problem) in
                try KeyFileContainer.pkcs12(bytes, password: password, keys, &budget)
            }
            self.budget = budget
        default:
            add(KeyDecoder.outcome { () throws(KeyFileError.Problem) in try single(structure, bytes) })
        }
    }

    /// Reads certificates in DER that follow each other without a separator.
    ///
    /// - Parameter end: the end of the first structure. If no certificate follows it, the file is damaged, and nothing is read.
    private mutating func readCertificates(_ bytes: [UInt8], after end: Int) {
        var reader = DERReader(bytes)
        var certificates: [DERElement] = []
        while let element = try? reader.next(.sequence), case .certificate = DERStructure(reader.reader(of: element)) {
            certificates.append(element)
        }
        guard let last = certificates.last, certificates.count > 1 else {
            return add(.failure(.trailingBytes(bytes.count - end)))
        }
        for element in certificates {
            add(
                KeyDecoder.outcome { () throws(KeyFileError.Problem) in
                    try Self.certificate(Array(bytes[element.range]))
                })
        }
        let rest = bytes.count - last.range.upperBound
        if rest > 0 { add(.failure(.trailingBytes(rest))) }
    }

    private mutating func single(_ structure: DERStructure, _ bytes: [UInt8]) throws(KeyFileError.Problem)
        -> DecodedObject
    {
        switch structure {
        case .certificate: try Self.certificate(bytes)
        case .certificateRequest: try KeyDecoder.request(bytes)
        case .subjectPublicKeyInfo: try KeyDecoder.publicKey(bytes)
        case .rsaPublicKey: KeyDecoder.rsaPublicKey(bytes)
        case .encryptedPrivateKeyInfo: try KeyDecoder.encrypted(bytes, password: password, keys, &budget)
        case .revocationList: throw .unsupportedFileType(.revocationList)
        case .parameters: throw .unsupportedFileType(.parameters)
        case .privateKeyInfo, .rsaPrivateKey, .ecPrivateKey, .dsaPrivateKey:
            .key(.privateKey, try KeyDecoder.publicHalf(of: bytes, structure, keys)[...])
        case .pkcs7, .pkcs12, .unknown: throw .unrecognizedStructure
        }
    }

    private mutating func readContainer(
        _ open: () throws(KeyFileError.Problem) -> [Result<DecodedObject, KeyFileError.Problem>]
    ) {
        do throws(KeyFileError.Problem) {
            for outcome in try open() { add(outcome) }
        } catch {
            add(.failure(error))
        }
    }
}
