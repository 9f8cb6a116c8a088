internal import COpenSSL

/// Limits the work of deriving keys from a password for one file.
///
/// The file determines the number of iterations. Without a limit, a hostile file could keep the processor busy for hours.
package struct KeyDerivationBudget: Sendable {
    /// Number of hash iterations, or of scrypt steps of 128 bytes each, that are still allowed. The initial value takes a few
    /// seconds. Common programs write 2,048 to 1,000,000 iterations and at most 2²³ steps.
    private var left: Int64 = 1 << 24

    package init() {}

    mutating func spend(_ rounds: Int64) throws(DecryptionError) {
        guard rounds >= 0, rounds <= left else { throw .tooCostly }
        left -= rounds
    }

    /// Subtracts the cost of decryption with this algorithm: PBES1 (RFC 8018, appendix A.3), the PKCS#12 schemes (RFC 7292,
    /// appendix C), PBES2 with PBKDF2 (RFC 8018, appendix A.2 and A.4) or with scrypt (RFC 7914, section 7.1).
    mutating func spend(on algorithm: UnsafePointer<X509_ALGOR>) throws(DecryptionError) {
        let parameters = unsafe Self.parameters(of: algorithm)
        guard unsafe OBJ_obj2nid(algorithm.pointee.algorithm) == NID_pbes2 else {
            return try spend(Self.pbes1Rounds(parameters) ?? 0)
        }
        let (scheme, _) = unsafe parameters.decoded { unsafe d2i_PBE2PARAM(nil, &$0, $1) }
        guard let scheme = unsafe scheme else { return }
        defer { unsafe PBE2PARAM_free(scheme) }
        guard let derivation = unsafe scheme.pointee.keyfunc else { return }
        let inner = unsafe Self.parameters(of: derivation)
        switch unsafe OBJ_obj2nid(derivation.pointee.algorithm) {
        case NID_id_pbkdf2: try spend(Self.pbkdf2Rounds(inner) ?? 0)
        case NID_id_scrypt: try spend(Self.scryptSteps(inner) ?? 0)
        default: return
        }
    }

    /// The DER of an algorithm's parameters; empty if they are not a SEQUENCE.
    private static func parameters(of algorithm: UnsafePointer<X509_ALGOR>) -> [UInt8] {
        guard let parameter = unsafe algorithm.pointee.parameter, unsafe ASN1_TYPE_get(parameter) == V_ASN1_SEQUENCE,
            let sequence = unsafe parameter.pointee.value.sequence, let data = unsafe ASN1_STRING_get0_data(sequence)
        else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: data, count: Int(ASN1_STRING_length(sequence))))
    }

    private static func pbes1Rounds(_ der: [UInt8]) -> Int64? {
        let (parameters, _) = unsafe der.decoded { unsafe d2i_PBEPARAM(nil, &$0, $1) }
        guard let parameters = unsafe parameters else { return nil }
        defer { unsafe PBEPARAM_free(parameters) }
        return unsafe number(parameters.pointee.iter)
    }

    private static func pbkdf2Rounds(_ der: [UInt8]) -> Int64? {
        let (parameters, _) = unsafe der.decoded { unsafe d2i_PBKDF2PARAM(nil, &$0, $1) }
        guard let parameters = unsafe parameters else { return nil }
        defer { unsafe PBKDF2PARAM_free(parameters) }
        return unsafe number(parameters.pointee.iter)
    }

    private static func scryptSteps(_ der: [UInt8]) -> Int64? {
        let (parameters, _) = unsafe der.decoded { unsafe d2i_SCRYPT_PARAMS(nil, &$0, $1) }
        guard let parameters = unsafe parameters else { return nil }
        defer { unsafe SCRYPT_PARAMS_free(parameters) }
        let cost = unsafe number(parameters.pointee.costParameter)
        let block = unsafe number(parameters.pointee.blockSize)
        let parallel = unsafe number(parameters.pointee.parallelizationParameter)
        let (area, overflows) = cost.multipliedReportingOverflow(by: block)
        let (steps, overflowsAgain) = area.multipliedReportingOverflow(by: parallel)
        return overflows || overflowsAgain ? .max : steps
    }

    /// The value of an INTEGER; `Int64.max` if it does not fit.
    static func number(_ integer: UnsafePointer<ASN1_INTEGER>?) -> Int64 {
        var value: Int64 = 0
        guard let integer = unsafe integer else { return 0 }
        return unsafe ASN1_INTEGER_get_int64(&value, integer) == 1 ? value : .max
    }
}
