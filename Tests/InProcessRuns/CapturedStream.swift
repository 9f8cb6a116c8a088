import CommandSupport
import Synchronization

/// A standard stream that stores the written bytes.
package final class CapturedStream: ConsoleStream, Sendable {
    private let contents = Mutex<[UInt8]>([])
    package let isTerminal: Bool
    package let columns: Int

    /// - Parameter columns: the width of the terminal; nil for a stream that is not a terminal.
    package init(columns: Int? = nil) {
        isTerminal = columns != nil
        self.columns = columns ?? 80
    }

    package func write(_ bytes: ArraySlice<UInt8>) -> Int32 {
        contents.withLock { $0 += bytes }
        return 0
    }

    package var bytes: [UInt8] { contents.withLock { $0 } }
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
