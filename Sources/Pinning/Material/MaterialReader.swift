internal import Encodings

/// Finds the objects of one file, from the outside in: what is the file, what are its blocks, what is their DER.
struct MaterialReader {
    let password: [UInt8]?
    /// The line of the PEM block that is being read.
    private var line: Int?
    private var outcomes: [(line: Int?, outcome: Result<MaterialFinding, MaterialError.Problem>)] = []

    init(password: [UInt8]?) {
        self.password = password
    }

    /// What was found, numbered.
    var results: [Result<MaterialObject, MaterialError>] {
        let main = outcomes.filter { !Self.isCompanion($0.outcome) }
        return (main.isEmpty ? outcomes : main).enumerated().map { index, found in
            switch found.outcome {
            case .success(let finding): .success(finding.object(number: index + 1, line: found.line))
            case .failure(let problem): .failure(MaterialError(number: index + 1, line: found.line, problem: problem))
            }
        }
    }

    private static func isCompanion(_ outcome: Result<MaterialFinding, MaterialError.Problem>) -> Bool {
        guard case .failure(.foreign(let format)) = outcome else { return false }
        return format.isCompanion
    }

    private mutating func add(_ outcome: Result<MaterialFinding, MaterialError.Problem>) {
        outcomes.append((line, outcome))
    }

    // MARK: Files

    mutating func readFile(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return add(.failure(.empty)) }
        if MaterialText.isDER(bytes) { return readDER(bytes) }
        if readPEM(bytes) { return }
        let text = MaterialText(bytes)
        guard let decoded = text.decoded else { return add(.failure(text.problem)) }
        if MaterialText.isDER(decoded) { return readDER(decoded) }
        if readPEM(decoded) { return }
        add(.failure(ForeignFormat(signatureOf: decoded).map { .foreign($0) } ?? .unrecognisedBase64))
    }

    // MARK: PEM

    /// Reads the blocks of a text; false if there is none.
    private mutating func readPEM(_ text: [UInt8]) -> Bool {
        var isFound = false
        for block in PEM.blocks(in: text) {
            isFound = true
            switch block {
            case .success(let block):
                line = block.line
                readBlock(block)
            case .failure(let error) where error.problem == .utf16:
                add(.failure(.foreign(.utf16)))
            case .failure(let error):
                line = error.line
                add(.failure(ForeignFormat(label: error.label).map { .foreign($0) } ?? .pem(error)))
            }
        }
        line = nil
        return isFound
    }

    private mutating func readBlock(_ block: PEMBlock) {
        if let format = ForeignFormat(label: block.label) { return add(.failure(.foreign(format))) }
        if block.header("Proc-Type")?.hasSuffix("ENCRYPTED") == true {
            return add(
                MaterialKey.outcome { () throws(MaterialError.Problem) in
                    try MaterialKey.decrypted(block, password: password)
                })
        }
        switch block.label {
        case "TRUSTED CERTIFICATE":
            add(MaterialKey.outcome { () throws(MaterialError.Problem) in try Self.trusted(block.bytes) })
        case "CERTIFICATE", "X509 CERTIFICATE":
            // Some tools wrap a PKCS#7 message in this label.
            if case .pkcs7 = DERShape(ber: block.bytes) { return readDER(block.bytes) }
            add(MaterialKey.outcome { () throws(MaterialError.Problem) in try Self.certificate(block.bytes) })
        default:
            let count = outcomes.count
            readDER(block.bytes)
            if outcomes.count == count + 1, case .failure(.unrecognisedStructure) = outcomes[count].outcome {
                outcomes[count].outcome = .failure(.unrecognisedLabel(block.label))
            }
        }
    }

    /// A certificate with OpenSSL's notes on trust after it (`openssl x509 -trustout`).
    private static func trusted(_ bytes: [UInt8]) throws(MaterialError.Problem) -> MaterialFinding {
        var reader = DERReader(bytes)
        guard let first = try? reader.next(.sequence) else { return try certificate(bytes) }
        if (try? reader.nextIfPresent(.sequence)) != nil, !reader.isAtEnd {
            throw .trailingBytes(reader.end - reader.position)
        }
        return try certificate(Array(bytes[first.range]))
    }

    private static func certificate(_ der: [UInt8]) throws(MaterialError.Problem) -> MaterialFinding {
        do throws(CertificateError) {
            return .certificate(try Certificate(der: der))
        } catch {
            throw .certificate(error)
        }
    }

    // MARK: DER

    /// Reads one structure that must be all of `bytes`.
    private mutating func readDER(_ bytes: [UInt8]) {
        var outer = DERReader(bytes)
        let shape: DERShape
        do throws(DERError) {
            let element = try outer.next(.sequence)
            guard outer.isAtEnd else { return add(.failure(.trailingBytes(bytes.count - outer.position))) }
            shape = DERShape(outer.reader(of: element))
        } catch {
            if case .truncated(let missing) = error.problem { return add(.failure(.truncated(missing: missing))) }
            shape = error.isBER ? DERShape(ber: bytes) : .unknown
            if case .unknown = shape { return add(.failure(.der(error))) }
        }
        switch shape {
        case .pkcs7: readContainer { () throws(MaterialError.Problem) in try MaterialContainer.pkcs7(bytes) }
        case .pkcs12:
            let password = password
            readContainer { () throws(MaterialError.Problem) in try MaterialContainer.pkcs12(bytes, password: password)
            }
        default:
            add(MaterialKey.outcome { () throws(MaterialError.Problem) in try single(shape, bytes) })
        }
    }

    private func single(_ shape: DERShape, _ bytes: [UInt8]) throws(MaterialError.Problem) -> MaterialFinding {
        switch shape {
        case .certificate: try Self.certificate(bytes)
        case .certificateRequest: try MaterialKey.request(bytes)
        case .subjectPublicKeyInfo: try MaterialKey.publicKey(bytes)
        case .rsaPublicKey: MaterialKey.rsaPublicKey(bytes)
        case .encryptedPrivateKeyInfo: try MaterialKey.encrypted(bytes, password: password)
        case .revocationList: throw .foreign(.revocationList)
        case .parameters: throw .foreign(.parameters)
        case .privateKeyInfo, .rsaPrivateKey, .ecPrivateKey, .dsaPrivateKey:
            .key(.privateKey, try MaterialKey.publicHalf(of: bytes, shape)[...])
        case .pkcs7, .pkcs12, .unknown: throw .unrecognisedStructure
        }
    }

    private mutating func readContainer(
        _ open: () throws(MaterialError.Problem) -> [Result<MaterialFinding, MaterialError.Problem>]
    ) {
        do throws(MaterialError.Problem) {
            for outcome in try open() { add(outcome) }
        } catch {
            add(.failure(error))
        }
    }
}
