internal import OpenSSL

/// Limits the processor time for the validation of one chain.
///
/// The certificates decide how long it takes to check a signature, and a server chooses them. The first path is always validated, and
/// its length is limited (``VerifyParameters/maximumLength``). This limit ends the search for other paths. It counts the processor's
/// time, so that other programs on a busy machine do not end the search.
struct ValidationEffort {
    static let maximum = Duration.milliseconds(200)

    private let end: Duration

    init(_ maximum: Duration = Self.maximum) { end = SystemTime.ofThread + maximum }

    var isSpent: Bool { SystemTime.ofThread >= end }
}
