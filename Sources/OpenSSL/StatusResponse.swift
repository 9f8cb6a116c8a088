internal import COpenSSL

/// An OCSP response (RFC 6960) that a server stapled to its handshake: an `OCSP_BASICRESP`.
@safe
package struct StatusResponse: ~Copyable {
    private let basic: OpaquePointer

    package enum Refusal: Error, Equatable, Sendable {
        /// The bytes are not an OCSP response. The string is OpenSSL's text.
        case malformed(String)
        /// The responder returned an error, such as "trylater".
        case unsuccessful(String)
        /// Neither the issuer nor a responder authorized by it signed the response.
        case untrustedSigner(String)
    }

    /// - Throws: ``Refusal`` if the response is malformed or contains no status.
    package init(der: [UInt8]) throws(Refusal) {
        OpenSSLError.clear()
        let (response, read) = unsafe der.decoded { unsafe d2i_OCSP_RESPONSE(nil, &$0, $1) }
        guard let response = unsafe response else { throw .malformed(OpenSSLError.drain().text) }
        defer { unsafe OCSP_RESPONSE_free(response) }
        guard read == der.count else { throw .malformed("\(der.count - read) bytes after its end") }
        let status = unsafe OCSP_response_status(response)
        guard status == OCSP_RESPONSE_STATUS_SUCCESSFUL else {
            throw .unsuccessful(unsafe String(cString: OCSP_response_status_str(Int(status))))
        }
        guard let basic = unsafe OCSP_response_get1_basic(response) else {
            throw .malformed(OpenSSLError.drain().text)
        }
        unsafe self.basic = unsafe basic
    }

    deinit { unsafe OCSP_BASICRESP_free(basic) }

    /// The status of one certificate.
    package struct Status: Equatable, Sendable {
        package enum Verdict: Equatable, Sendable {
            case good, revoked, unknown
        }

        package let verdict: Verdict
        /// The time at which the status is known to be correct, in seconds since 1970.
        package let thisUpdate: Int64
        /// The time by which newer information will be available, in seconds since 1970. Nil if it is always available (RFC 6960,
        /// section 4.2.2.1).
        package let nextUpdate: Int64?
    }

    /// Checks the signature and returns the statuses for the leaf.
    ///
    /// - Parameters:
    ///   - issuer: the certificate of the leaf's issuer. The responder must be this issuer, or have a responder certificate from
    ///     it (RFC 6960, section 4.2.2.2).
    ///   - secondsSince1970: the time at which the responder's certificate must be valid.
    /// - Returns: one status for each entry for the leaf.
    package borrowing func statuses(
        of leaf: [UInt8], issuedBy issuer: [UInt8], secondsSince1970: Int64
    ) throws(Refusal) -> [Status] {
        do throws(OpenSSLError) {
            let store = try TrustStore()
            try store.add(issuer)
            let leaf = try CertificateHandle(der: leaf)
            let issuer = try CertificateHandle(der: issuer)
            OpenSSLError.clear()
            defer { OpenSSLError.clear() }
            let parameter = unsafe X509_STORE_get0_param(store.pointer)
            unsafe X509_VERIFY_PARAM_set_time(parameter, time_t(secondsSince1970))
            unsafe X509_VERIFY_PARAM_set_auth_level(parameter, VerifyParameters().securityLevel)
            guard let known = unsafe pinctl_sk_X509_new() else { throw OpenSSLError.drain() }
            defer { unsafe pinctl_sk_X509_free_all(known) }
            guard unsafe pinctl_sk_X509_push_retaining(known, issuer.pointer) == 1 else { throw OpenSSLError.drain() }
            // The store contains only the issuer, so responders of other CAs are not accepted.
            guard unsafe OCSP_basic_verify(basic, known, store.pointer, UInt(OCSP_PARTIAL_CHAIN | OCSP_NOEXPLICIT)) == 1
            else { throw OpenSSLError.drain() }
            return statuses(of: leaf, issuedBy: issuer)
        } catch {
            throw .untrustedSigner(error.text)
        }
    }

    private borrowing func statuses(
        of leaf: borrowing CertificateHandle, issuedBy issuer: borrowing CertificateHandle
    ) -> [Status] {
        var found: [Status] = []
        for index in 0..<max(0, unsafe OCSP_resp_count(basic)) {
            guard let single = unsafe OCSP_resp_get0(basic, index),
                let identifier = unsafe OCSP_SINGLERESP_get0_id(single),
                unsafe Self.isFor(identifier, leaf, issuer)
            else { continue }
            var thisUpdate: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
            var nextUpdate: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
            let status = unsafe OCSP_single_get0_status(single, nil, nil, &thisUpdate, &nextUpdate)
            let verdict: Status.Verdict =
                switch status {
                case V_OCSP_CERTSTATUS_GOOD: .good
                case V_OCSP_CERTSTATUS_REVOKED: .revoked
                default: .unknown
                }
            // A time that cannot be decoded is treated as long past.
            found.append(
                Status(
                    verdict: verdict,
                    thisUpdate: unsafe thisUpdate.flatMap { unsafe Self.seconds($0) } ?? .min,
                    nextUpdate: unsafe nextUpdate.map { unsafe Self.seconds($0) ?? .min }
                )
            )
        }
        return found
    }

    /// Whether an identifier is for the leaf. The responder chooses its hash algorithm (RFC 6960, section 4.1.1).
    private static func isFor(
        _ identifier: OpaquePointer, _ leaf: borrowing CertificateHandle, _ issuer: borrowing CertificateHandle
    ) -> Bool {
        var algorithm: OpaquePointer?
        guard
            unsafe OCSP_id_get0_info(nil, &algorithm, nil, nil, identifier) == 1,
            let name = unsafe OBJ_nid2sn(OBJ_obj2nid(algorithm)),
            let digest = unsafe EVP_get_digestbyname(name),
            let own = unsafe OCSP_cert_to_id(digest, leaf.pointer, issuer.pointer)
        else { return false }
        defer { unsafe OCSP_CERTID_free(own) }
        return unsafe OCSP_id_cmp(identifier, own) == 0
    }

    private static func seconds(_ time: UnsafePointer<ASN1_GENERALIZEDTIME>) -> Int64? {
        var (days, seconds): (Int32, Int32) = (0, 0)
        guard let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
        defer { unsafe ASN1_TIME_free(epoch) }
        guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return Int64(days) * 86_400 + Int64(seconds)
    }
}
