/// One mistake in a `pins.json`, as a linter reports it.
package struct PinSetDiagnostic: Sendable {
    package let error: PinSetError
    /// The host whose entry contains the mistake; nil outside the entries.
    package let host: String?
    /// The pin as written, for a mistake in its spelling.
    package let pin: String?
}
