/// The address families to connect to.
package enum AddressFamily: Sendable {
    case any, ipv4, ipv6
}
