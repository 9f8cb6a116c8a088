internal import CSystem
internal import Fetching

/// A file under a name that nothing else has, for as long as it is not whole.
struct TemporaryFile {
    let descriptor: Int32
    let path: String

    /// Makes one beside another, on the same file system, so that it can take the other's name (rename(2)).
    init(beside other: String) throws(SystemError) {
        var template = Array((other + ".XXXXXX").utf8CString)
        descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else { throw SystemError(code: pinctl_errno()) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Writes all of `bytes`, however many calls that takes.
    ///
    /// - Returns: 0, or the code of what went wrong.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe CSystem.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, case let error = pinctl_errno(), error != EINTR { return error }
            rest = rest.dropFirst(max(0, count))
        }
        return 0
    }
}
