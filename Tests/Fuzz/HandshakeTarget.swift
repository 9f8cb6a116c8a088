import HandshakeReplay
import Pinning

/// A server's first flight with changes that the input determines. The first byte selects the version and the level of the changes.
enum HandshakeTarget: FuzzTarget {
    // The fuzzer runs one thread.
    private nonisolated(unsafe) static let replays: [HandshakeReplay] = {
        do {
            return try HandshakeReplay.Version.allCases.map {
                try HandshakeReplay($0, chain: ".fuzz/pki/leaf.chain.pem", key: ".fuzz/pki/leaf.key")
            }
        } catch {
            fatalError("cannot record a handshake: \(error)")
        }
    }()

    static func run(_ bytes: [UInt8]) {
        let selector = Int(bytes.first ?? 0)
        let replays = unsafe replays
        let replay = replays[selector % replays.count]
        let levels = HandshakeMutation.allCases
        var source = InputSource(Array(bytes.dropFirst()))
        let flight = levels[selector / replays.count % levels.count].apply(to: replay, &source)
        guard let result = try? replay.replay(flight, &source) else { return }
        precondition(result.outcome != .done || result.certificates == replay.certificates)
        for der in result.certificates { _ = try? Certificate(der: der) }
    }
}
