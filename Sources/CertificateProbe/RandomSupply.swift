internal import OpenSSL

/// Random bytes for the ClientHellos of many probes. OpenSSL needs about the same time for 64 bytes and for all of these.
///
/// They are public when they are sent, so that they need no protection in memory. Only one thread may use a supply.
package final class RandomSupply {
    private var bytes: [UInt8] = []

    private static let size = 4096

    package init() {}

    /// Bytes that were not used before; nil if OpenSSL has no entropy.
    ///
    /// - Parameter count: at most the size of a supply.
    func take(_ count: Int) -> [UInt8]? {
        if bytes.count < count {
            guard let new = RandomBytes.make(max(count, Self.size)) else { return nil }
            bytes = new
        }
        let taken = Array(bytes.suffix(count))
        bytes.removeLast(taken.count)
        return taken
    }
}
