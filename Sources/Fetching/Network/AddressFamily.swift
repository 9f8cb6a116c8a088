/// Which addresses of a name are wanted.
package enum AddressFamily: Sendable {
    case any, ipv4, ipv6
}
