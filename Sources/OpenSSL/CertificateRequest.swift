internal import COpenSSL

/// A certification request (RFC 2986), signed with its own key: an `X509_REQ`.
@safe
package struct CertificateRequest: ~Copyable {
    /// A subject alternative name (RFC 5280, section 4.2.1.6).
    package enum Name: Hashable, Sendable {
        /// A host name in A-labels, with an optional `*.` prefix.
        case dns(String)
        /// An IP address: 4 or 16 bytes.
        case address([UInt8])
    }

    private let pointer: OpaquePointer

    private init() throws(OpenSSLError) {
        OpenSSLError.clear()
        guard let pointer = unsafe X509_REQ_new() else { throw OpenSSLError.drain() }
        unsafe self.pointer = unsafe pointer
    }

    deinit { unsafe X509_REQ_free(pointer) }

    /// Creates and signs a request.
    ///
    /// - Parameters:
    ///   - commonName: the common name of the subject; nil for an empty subject.
    ///   - names: the subject alternative names.
    package static func signed(
        by key: borrowing PrivateKey, commonName: String?, names: [Name]
    ) throws(OpenSSLError) -> CertificateRequest {
        let request = try CertificateRequest()
        let pointer = unsafe request.pointer
        guard unsafe X509_REQ_set_version(pointer, 0) == 1, unsafe X509_REQ_set_pubkey(pointer, key.key) == 1 else {
            throw OpenSSLError.drain()
        }
        if let commonName {
            let bytes = Array(commonName.utf8)
            let added = unsafe X509_NAME_add_entry_by_NID(
                X509_REQ_get_subject_name(pointer), NID_commonName, MBSTRING_UTF8, bytes, Int32(clamping: bytes.count),
                -1, 0)
            guard added == 1 else { throw OpenSSLError.drain() }
        }
        if !names.isEmpty {
            // With an empty subject the extension must be critical (RFC 5280, section 4.2.1.6).
            try unsafe add(names, isCritical: commonName == nil, to: pointer)
        }
        guard unsafe X509_REQ_sign(pointer, key.key, digest(for: key)) > 0 else { throw OpenSSLError.drain() }
        return request
    }

    /// Whether the key in a request signed the request (RFC 2986, section 3).
    ///
    /// - Returns: nil if this OpenSSL does not support the signature algorithm.
    package static func isSigned(_ der: [UInt8]) -> Bool? {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        let (request, _) = unsafe der.decoded { unsafe d2i_X509_REQ(nil, &$0, $1) }
        guard let request = unsafe request else { return false }
        defer { unsafe X509_REQ_free(request) }
        guard let key = unsafe X509_REQ_get0_pubkey(request) else {
            return OpenSSLError.drain().isUnsupported ? nil : false
        }
        guard unsafe X509_REQ_verify(request, key) != 1 else { return true }
        let error = OpenSSLError.drain()
        // The last reason: a policy of the system that does not permit the digest.
        let isUnknown =
            error.isUnsupported
            || error.contains(library: ERR_LIB_ASN1, reason: ASN1_R_UNKNOWN_SIGNATURE_ALGORITHM)
            || error.contains(library: ERR_LIB_ASN1, reason: ASN1_R_UNKNOWN_MESSAGE_DIGEST_ALGORITHM)
            || error.contains(library: ERR_LIB_EVP, reason: EVP_R_INVALID_DIGEST)
        return isUnknown ? nil : false
    }

    /// The request in PEM (RFC 7468, section 7).
    package func pem() throws(OpenSSLError) -> [UInt8] {
        let output = try MemoryOutput()
        guard unsafe PEM_write_bio_X509_REQ(output.pointer, pointer) == 1 else { throw OpenSSLError.drain() }
        return output.bytes
    }

    private static func add(
        _ names: [Name], isCritical: Bool, to request: OpaquePointer
    ) throws(OpenSSLError) {
        guard let list = unsafe pinctl_GENERAL_NAMES_new() else { throw OpenSSLError.drain() }
        defer { unsafe pinctl_GENERAL_NAMES_free(list) }
        for name in names {
            guard let entry = unsafe generalName(name), unsafe pinctl_GENERAL_NAMES_push(list, entry) == 1 else {
                throw OpenSSLError.drain()
            }
        }
        let value = unsafe UnsafeMutableRawPointer(list)
        guard let extensionOfNames = unsafe X509V3_EXT_i2d(NID_subject_alt_name, isCritical ? 1 : 0, value) else {
            throw OpenSSLError.drain()
        }
        defer { unsafe X509_EXTENSION_free(extensionOfNames) }
        guard unsafe pinctl_X509_REQ_add_extension(request, extensionOfNames) == 1 else { throw OpenSSLError.drain() }
    }

    /// Nil if memory allocation fails.
    private static func generalName(_ name: Name) -> UnsafeMutablePointer<GENERAL_NAME>? {
        let (bytes, type, kind) =
            switch name {
            case .dns(let name): (Array(name.utf8), V_ASN1_IA5STRING, GEN_DNS)
            case .address(let bytes): (bytes, V_ASN1_OCTET_STRING, GEN_IPADD)
            }
        guard let string = unsafe ASN1_STRING_type_new(type) else { return nil }
        guard unsafe ASN1_STRING_set(string, bytes, Int32(clamping: bytes.count)) == 1,
            let entry = unsafe GENERAL_NAME_new()
        else {
            unsafe ASN1_STRING_free(string)
            return nil
        }
        unsafe GENERAL_NAME_set0_value(entry, kind, string)
        return unsafe entry
    }

    /// A digest that is as strong as the key (RFC 5480, section 4); nil for Ed25519, whose algorithm includes a digest.
    private static func digest(for key: borrowing PrivateKey) -> OpaquePointer? {
        switch unsafe EVP_PKEY_get_base_id(key.key) {
        case EVP_PKEY_ED25519: nil
        case EVP_PKEY_EC where unsafe EVP_PKEY_get_bits(key.key) > 256: unsafe EVP_sha384()
        default: unsafe EVP_sha256()
        }
    }
}
