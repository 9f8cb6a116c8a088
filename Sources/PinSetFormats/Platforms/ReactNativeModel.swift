internal import Encodings
public import PinSetCodec
internal import Pinning

/// The options of a React Native library that pins with TrustKit on iOS and with OkHttp on Android.
///
/// The verdict is the worse one of the two systems. The rule explains both.
struct ReactNativeModel: PlatformModel {
    enum Library {
        /// react-native-ssl-public-key-pinning 1.2.6 (ios/SslPublicKeyPinning.mm, android/…/SslPublicKeyPinningModule.java).
        case publicKeyPinning
        /// react-native-ssl-manager 2.2.0 (ios/SharedLogic.swift, android/…/PinningClientConfigurator.kt,
        /// AuditPinningInterceptor.kt, SslConfigStore.kt).
        case sslManager
    }

    struct Host {
        let name: String
        let includesSubdomains: Bool
        let enforces: Bool
        /// Midnight UTC at the start of the day.
        let expires: Timestamp?
        let pins: Set<Pin>
        let position: SourcePosition?
    }

    let library: Library
    let hosts: [Host]
    /// The indices in ``hosts`` of each name.
    private let indices: [String: [Int]]
    private let iOS: TrustKitModel

    init(_ library: Library, _ hosts: [Host]) {
        (self.library, self.hosts) = (library, hosts)
        indices = Dictionary(grouping: hosts.indices) { hosts[$0].name }
        iOS = TrustKitModel(
            hosts.map { host in
                var policy = TrustKitModel.Policy(key: host.name, position: host.position)
                policy.includesSubdomains = host.includesSubdomains
                (policy.enforces, policy.expires, policy.pins) = (host.enforces, host.expires, host.pins)
                return policy
            })
    }

    func refusal(of connection: PlatformConnection) -> PlatformRuling? {
        guard library == .sslManager, let refusal = iOS.refusal(of: connection) else { return nil }
        return PlatformRuling(.refusesConfig, "iOS: \(refusal.rule)")
    }

    func ruling(on connection: PlatformConnection) -> PlatformRuling {
        let (first, second) = (rulingOnIOS(connection), rulingOnAndroid(connection))
        let severity: [PlatformVerdict.Verdict] = [.refusesConfig, .rejects, .notPinned, .accepts]
        let worst = severity.first { [first.verdict, second.verdict].contains($0) } ?? .rejects
        let (one, other) = (first.verdict.rawValue, second.verdict.rawValue)
        return PlatformRuling(worst, "iOS \(one): \(first.rule); Android \(other): \(second.rule)")
    }

    private func rulingOnIOS(_ connection: PlatformConnection) -> PlatformRuling {
        if let failure = iOS.failure {
            // This applies only to react-native-ssl-public-key-pinning, which catches TrustKit's exception.
            return PlatformRuling(
                .notPinned, "\(failure.message), so TrustKit does not start, and the library rejects its promise")
        }
        return iOS.ruling(on: connection)
    }

    private func rulingOnAndroid(_ connection: PlatformConnection) -> PlatformRuling {
        let covering = hosts(covering: connection)
        var pinner = OkHttpModel()
        for host in covering where host.enforces && !isExpiredOnAndroid(host, at: connection.now) {
            pinner.add((host.includesSubdomains ? "**." : "") + host.name, host.pins)
        }
        let ruling = pinner.ruling(on: connection)
        guard ruling.verdict == .notPinned else { return ruling }
        if covering.contains(where: { !$0.enforces && !isExpiredOnAndroid($0, at: connection.now) }) {
            return PlatformRuling(.accepts, "\"enforcePinning\": false only reports a mismatch")
        }
        guard let expired = covering.first(where: { isExpiredOnAndroid($0, at: connection.now) })?.expires else {
            return ruling
        }
        return PlatformRuling(
            .notPinned, "the library leaves out hosts whose \"expirationDate\", \(expired.date), has passed")
    }

    /// The hosts whose pins apply to a connection, in the order of the file.
    private func hosts(covering connection: PlatformConnection) -> [Host] {
        let above = connection.parents.flatMap { indices[$0, default: []] }.filter { hosts[$0].includesSubdomains }
        return (indices[connection.host, default: []] + above).sorted().map { hosts[$0] }
    }

    /// Whether the pins have expired: for react-native-ssl-public-key-pinning at the start of the day, for react-native-ssl-manager
    /// at its end.
    private func isExpiredOnAndroid(_ host: Host, at now: Timestamp) -> Bool {
        guard let day = host.expires else { return false }
        guard library == .sslManager else { return now > day }
        let (end, overflows) = day.secondsSince1970.addingReportingOverflow(CalendarTime.secondsPerDay)
        return !overflows && now.secondsSince1970 >= end
    }

    var traps: [PlatformTrap] {
        iOS.traps.map { trap in
            guard trap.kind == .stopsApp, library == .publicKeyPinning else { return trap }
            return PlatformTrap(
                .unpinned, host: trap.host, "on iOS nothing is pinned: \(trap.message)", hint: trap.hint,
                at: trap.position)
        }
    }
}

/// react-native-ssl-public-key-pinning.
enum ReactNativeRules: PlatformRules {
    static func model(of set: PinSet) -> any PlatformModel {
        ReactNativeModel.written(set, as: .reactNative) { try? model(ofOptions: $0) }
    }

    static func model(ofFile file: PlatformFile) throws(PinSetFormatError) -> (any PlatformModel)? {
        file.format == .reactNative ? try model(ofOptions: file.bytes) : nil
    }

    private static func model(ofOptions bytes: [UInt8]) throws(PinSetFormatError) -> ReactNativeModel {
        ReactNativeModel(
            .publicKeyPinning, try ReactNativeFormat.read(bytes).set.entries.map(ReactNativeModel.Host.init))
    }
}

/// react-native-ssl-manager.
enum ReactNativeSSLManagerRules: PlatformRules {
    static func model(of set: PinSet) -> any PlatformModel {
        ReactNativeModel.written(set, as: .reactNativeSSLManager) { try? model(ofConfiguration: $0) }
    }

    static func model(ofFile file: PlatformFile) throws(PinSetFormatError) -> (any PlatformModel)? {
        file.format == .reactNativeSSLManager ? try model(ofConfiguration: file.bytes) : nil
    }

    private static func model(ofConfiguration bytes: [UInt8]) throws(PinSetFormatError) -> ReactNativeModel {
        let set = try ReactNativeSSLManagerFormat.read(bytes).set
        return ReactNativeModel(.sslManager, set.entries.map(ReactNativeModel.Host.init))
    }
}

extension ReactNativeModel {
    /// The options that `convert` writes for a set.
    fileprivate static func written(
        _ set: PinSet, as format: PinSetFormat, _ read: ([UInt8]) -> ReactNativeModel?
    ) -> any PlatformModel {
        if let ruling = set.retiredEntry(takesAddresses: false) { return UnwritableModel(ruling) }
        guard let writing = try? set.written(as: format), let model = read(writing.main) else {
            return UnwritableModel(PlatformRuling(.notPinned, "the library does not support IP addresses"))
        }
        return model
    }
}

extension ReactNativeModel.Host {
    /// Both libraries compare hosts as they are written.
    fileprivate init(_ entry: PinSet.Entry) {
        self.init(
            name: entry.host, includesSubdomains: entry.subdomains != .none, enforces: entry.enforce,
            expires: entry.expires, pins: Set(entry.pins.map(\.pin)), position: entry.position)
    }
}

extension Platform {
    /// react-native-ssl-public-key-pinning.
    public static let reactNative = Platform("react-native", ReactNativeRules.self)

    /// react-native-ssl-manager, from version 2.1.
    public static let reactNativeSSLManager = Platform("react-native-ssl-manager", ReactNativeSSLManagerRules.self)
}
