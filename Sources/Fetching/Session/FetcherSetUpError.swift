/// The reason why a ``Fetcher`` cannot start.
package enum FetcherSetUpError: Error, Sendable {
    /// The process has no file descriptor left for the event loop.
    case noDescriptors
    /// OpenSSL refused the settings; its error text.
    case openSSL(String)
}
