internal import Encodings
internal import OpenSSL
internal import Pinning

/// Decodes PKCS#7 and PKCS#12 files, in DER or BER, with OpenSSL.
enum KeyFileContainer {
    typealias Outcomes = [Result<DecodedObject, KeyFileError.Problem>]

    /// Maximum size in bytes. For comparison, all CAs of Mozilla's store need 0.2 MB.
    private static let maximumSize = 16 << 20

    /// Reads the certificates of a PKCS#7 message, in its order.
    static func pkcs7(_ bytes: [UInt8]) throws(KeyFileError.Problem) -> Outcomes {
        guard bytes.count <= maximumSize else { throw .tooLarge(limit: maximumSize) }
        let certificates: [[UInt8]]
        do throws(ContainerError) {
            certificates = try PKCS7Message(bytes).certificates()
        } catch {
            throw problem(error, .pkcs7)
        }
        guard !certificates.isEmpty else { throw .nothingInside(.pkcs7) }
        return certificates.map(outcome)
    }

    /// Reads the certificates of a PKCS#12 file, in its order, then the private keys without a certificate in the file.
    static func pkcs12(
        _ bytes: [UInt8], password: [UInt8]?, _ keys: PrivateKeyCollection?, _ budget: inout KeyDerivationBudget
    ) throws(KeyFileError.Problem) -> Outcomes {
        guard bytes.count <= maximumSize else { throw .tooLarge(limit: maximumSize) }
        let store: PKCS12Store
        do throws(ContainerError) {
            store = try PKCS12Store(bytes)
        } catch {
            throw problem(error, .pkcs12)
        }
        let contents: PKCS12Store.Contents
        do throws(DecryptionError) {
            contents = try store.open(password: password, budget: &budget)
        } catch {
            if case .malformed(let error) = error { throw .damaged(.pkcs12, reason: error.text) }
            throw KeyFileError.Problem(error)
        }
        var outcomes = contents.certificates.map(outcome)
        for key in contents.privateKeys {
            let found = KeyDecoder.outcome { () throws(KeyFileError.Problem) in
                .key(.privateKey, try KeyDecoder.publicHalf(of: key, .privateKeyInfo, keys)[...])
            }
            if !outcomes.contains(where: { isOf($0, found) }) { outcomes.append(found) }
        }
        guard !outcomes.isEmpty else { throw .nothingInside(.pkcs12) }
        return outcomes
    }

    private static func outcome(_ der: [UInt8]) -> Result<DecodedObject, KeyFileError.Problem> {
        do throws(CertificateError) {
            return .success(.certificate(try Certificate(der: der)))
        } catch {
            return .failure(.certificate(error))
        }
    }

    /// Whether a certificate has this key. If OpenSSL cannot use the key, only the types are compared.
    private static func isOf(_ certificate: Outcomes.Element, _ key: Outcomes.Element) -> Bool {
        guard case .success(let certificate) = certificate else { return false }
        return switch key {
        case .success(let key): certificate.subjectPublicKeyInfo == key.subjectPublicKeyInfo
        case .failure(.unusableKey(let type, _)): certificate.certificate?.key.type == type
        case .failure: false
        }
    }

    private static func problem(
        _ error: ContainerError, _ container: KeyFileError.Container
    ) -> KeyFileError.Problem {
        switch error {
        case .malformed(let error): .damaged(container, reason: error.text)
        case .trailingBytes(let count): .trailingBytes(count)
        }
    }
}
