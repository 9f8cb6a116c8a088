internal import CSystem
internal import Encodings
internal import PlaintextProtocols

extension Resolver {
    /// The answer of a look-up of one family that failed, after more look-ups: glibc also reports a missing name if the answer of the name
    /// server has an error code such as FORMERR, or cannot be parsed.
    ///
    /// A name server that answers the look-up of IPv6 addresses with NXDOMAIN, although the name has IPv4 addresses, has no IPv6
    /// address of the name (RFC 4074, section 4.2).
    ///
    /// - Parameter family: AF_INET or AF_INET6.
    /// - Returns: The addresses that one of these look-ups finds, with the port 0; otherwise this failure, or the cause that getaddrinfo(3)
    ///   hides.
    static func answer(afterFailure failure: ResolveFailure, of name: String, _ family: Int32) -> Answer {
        guard !failure.isFailedLookUp else { return .failure(failure) }
        var code: Int32 = 0
        var error = SystemError(code: 0)
        let found = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            code = unsafe pinctl_look_up_again(name, family, start, buffer.count, &count)
            error = .last
        }
        switch code {
        // Without addresses, there are too many.
        case 0: return found.isEmpty ? .failure(ResolveFailure(code: EAI_AGAIN)) : .success(endpoints(found, family))
        case TRY_AGAIN: return .failure(ResolveFailure(code: EAI_AGAIN))
        case NETDB_INTERNAL: return .failure(ResolveFailure(code: EAI_SYSTEM, systemError: error))
        case NO_RECOVERY:
            // This is also the code for an answer that has an alias (CNAME) and no address.
            guard let addresses = try? NameAnswer.addresses(inAnswerAbout: name, family) else {
                return .failure(ResolveFailure(code: EAI_FAIL))
            }
            if !addresses.isEmpty { return .success(addresses) }
        default: break
        }
        let last = NameAnswer.find(name, family == AF_INET6 ? .ipv6 : .ipv4)
        if !last.addresses.isEmpty { return .success(last.addresses) }
        guard let problem = last.failure?.problem else { return .failure(failure) }
        return .failure(ResolveFailure(code: problem == .malformed ? EAI_FAIL : EAI_AGAIN))
    }

    /// - Parameter bytes: the addresses, one after another.
    private static func endpoints(_ bytes: [UInt8], _ family: Int32) -> [Endpoint] {
        let length = family == AF_INET6 ? 16 : 4
        return stride(from: 0, to: bytes.count, by: length).compactMap { start in
            Endpoint(address: Array(bytes.dropFirst(start).prefix(length)), port: 0)
        }
    }
}
