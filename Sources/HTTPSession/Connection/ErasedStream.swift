internal import Fetching

/// A byte stream whose type is erased, so that direct connections and connections through proxies have one type.
struct ErasedStream: ByteStream {
    private let box: any ByteStream

    init<Stream: ByteStream & ~Copyable>(_ stream: consuming Stream) { box = TypedStreamBox(stream) }

    var endpoint: Endpoint { box.endpoint }

    func receive(
        atMost count: Int, until deadline: MonotonicTime, on loop: isolated EventLoop
    ) async throws(StreamError) -> [UInt8] {
        try await box.receive(atMost: count, until: deadline, on: loop)
    }

    func send(
        _ bytes: [UInt8], until deadline: MonotonicTime, on loop: isolated EventLoop
    ) async throws(StreamError) {
        try await box.send(bytes, until: deadline, on: loop)
    }

    func sendWithoutWaiting(_ bytes: [UInt8]) { box.sendWithoutWaiting(bytes) }
}

/// Owns a stream. A class, because existential types cannot contain noncopyable values.
private final class TypedStreamBox<Stream: ByteStream & ~Copyable>: ByteStream {
    private let stream: Stream

    init(_ stream: consuming Stream) { self.stream = stream }

    var endpoint: Endpoint { stream.endpoint }

    func receive(
        atMost count: Int, until deadline: MonotonicTime, on loop: isolated EventLoop
    ) async throws(StreamError) -> [UInt8] {
        try await stream.receive(atMost: count, until: deadline, on: loop)
    }

    func send(
        _ bytes: [UInt8], until deadline: MonotonicTime, on loop: isolated EventLoop
    ) async throws(StreamError) {
        try await stream.send(bytes, until: deadline, on: loop)
    }

    func sendWithoutWaiting(_ bytes: [UInt8]) { stream.sendWithoutWaiting(bytes) }
}
