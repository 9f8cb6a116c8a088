import CertificateProbe
import HandshakeReplay
import OpenSSL
import Pinning

/// A server's first flight, read by a probe that reads only the certificates, with changes that the input determines. The first byte
/// selects the version and the level of the changes. An odd second byte replaces the flight by the rest of the input.
enum CertificateProbeTarget: FuzzTarget {
    private struct State {
        let settings: CertificateProbe.Settings
        let replays: [HandshakeReplay]

        func probe() -> CertificateProbe? {
            HandshakeReplay.withRepeatableRandom {
                CertificateProbe(settings, serverName: "localhost", random: RandomSupply())
            }
        }
    }

    // The fuzzer runs one thread.
    private nonisolated(unsafe) static let state: State = {
        do {
            guard let settings = CertificateProbe.Settings(try ClientContext(ClientContext.Settings())),
                let hello = State(settings: settings, replays: []).probe()?.clientHello
            else { fatalError("cannot make a probe") }
            let replays = try HandshakeReplay.Version.allCases.map {
                try HandshakeReplay(
                    $0, chain: ".fuzz/pki/leaf.chain.pem", key: ".fuzz/pki/leaf.key", answering: hello)
            }
            return State(settings: settings, replays: replays)
        } catch {
            fatalError("cannot record a handshake: \(error)")
        }
    }()

    static func run(_ bytes: [UInt8]) {
        guard bytes.count > 2 else { return }
        let state = unsafe state
        guard var probe = state.probe() else { return }
        let selector = Int(bytes[0])
        let replay = state.replays[selector % state.replays.count]
        let levels = HandshakeMutation.allCases
        var source = InputSource(Array(bytes.dropFirst(2)))
        let isRaw = bytes[1] % 2 == 1
        let flight =
            isRaw
            ? Array(bytes.dropFirst(2))
            : levels[selector / state.replays.count % levels.count].apply(to: replay, &source)
        var rest = flight[...]
        while !rest.isEmpty {
            let portion = isRaw ? 1 + selector : 1 + source.number(below: 600)
            guard let step = try? probe.receive(Array(rest.prefix(portion))) else { return }
            rest = rest.dropFirst(portion)
            guard case .done(let answer) = step else { continue }
            precondition(!answer.certificates.isEmpty && answer.certificates.allSatisfy { !$0.isEmpty })
            for der in answer.certificates { _ = try? Certificate(der: der) }
            return
        }
    }
}
