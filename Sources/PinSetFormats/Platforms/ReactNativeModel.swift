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
        let host: ReactNativeHost
        /// The pattern and the pins that the library gives to OkHttp.
        let pattern: String
        let list: OkHttpModel.PinList
    }

    let library: Library
    let hosts: [Host]
    /// The indices in ``hosts`` of each name.
    private let indices: [String: [Int]]
    private let iOS: TrustKitModel
    /// The first host because of which react-native-ssl-manager does not start TrustKit, with the reason.
    private let rejection: (host: ReactNativeHost, reason: String)?
    /// Whether react-native-ssl-manager rejects a configuration on Android by the rules of iOS: the function `setSSLConfig` of
    /// JavaScript does (src/config.ts), and the reader of the file `ssl_config.json` does not.
    private let isRejectedOnAndroid: Bool
    /// The hosts that OkHttp does not accept, by their indices in ``hosts``, with the reasons.
    private let failures: [(index: Int, reason: String)]

    /// - Parameter isIncomplete: whether the app can have more pins than the source shows, because only its compiler knows some
    ///   values.
    init(_ library: Library, _ given: [ReactNativeHost], isCode: Bool, isIncomplete: Bool) {
        self.library = library
        let isManager = library == .sslManager
        let hosts = given.map { host in
            Host(
                host: host, pattern: (host.includesSubdomains ? "**." : "") + host.name,
                list: OkHttpModel.PinList(host.pins.map { isManager ? $0 : "sha256/" + $0 }))
        }
        self.hosts = hosts
        indices = Dictionary(grouping: hosts.indices) { hosts[$0].host.name }
        rejection =
            isManager ? given.lazy.compactMap { host in Self.rejection(of: host).map { (host, $0) } }.first : nil
        isRejectedOnAndroid = isCode && rejection != nil
        failures = hosts.indices.compactMap { index in
            // OkHttp does not read the pattern of a call without pins.
            guard !given[index].pins.isEmpty else { return nil }
            var pinner = OkHttpModel()
            pinner.add(hosts[index].pattern, hosts[index].list)
            return pinner.failure.map { (index, $0.message) }
        }
        iOS = TrustKitModel(
            given.map { host in
                var policy = TrustKitModel.Policy(key: host.name, position: host.position)
                policy.includesSubdomains = host.includesSubdomains
                (policy.enforces, policy.expires) = (host.enforces, host.expires)
                for text in host.pins { policy.addPin(isManager ? Self.cleaned(text) : text) }
                return policy
            }, isIncomplete: isIncomplete)
    }

    /// The text of a pin that react-native-ssl-manager passes to TrustKit.
    private static func cleaned(_ text: String) -> String {
        let trimmed = String(decoding: Array(text.utf8)[...].trimmed, as: UTF8.self)
        return trimmed.replacing(bytes: "sha256/", with: "")
    }

    /// The reason why react-native-ssl-manager does not start TrustKit; nil if it accepts the pins of the host
    /// (ios/SharedLogic.swift, `validateAndCleanPins`).
    private static func rejection(of host: ReactNativeHost) -> String? {
        guard !host.pins.isEmpty else { return "the list of pins of \(host.name.nameExcerpt) is empty" }
        let rejected = host.pins.first { text in
            let digits = cleaned(text).utf8
            return !Array(text.utf8)[...].trimmed.starts(with: "sha256/".utf8) || digits.count != 44
                || !digits.allSatisfy { $0.isBase64 }
        }
        return rejected.map { text in
            "the pin \(text.quotedExcerpt) of \(host.name.nameExcerpt) is not \"sha256/\" and 44 characters of base64"
        }
    }

    /// The result if the app stops, or if react-native-ssl-manager does not use the configuration on a system. The app gets no error.
    /// react-native-ssl-public-key-pinning rejects its promise, which is no refusal: the app can go on without pins.
    func refusal(of connection: PlatformConnection) -> PlatformRuling? {
        guard library == .sslManager else { return nil }
        var refusals: [String] = []
        if let rejection {
            refusals.append("iOS: \(rejection.reason), so the library does not start TrustKit and pins no host")
        } else if let refusal = iOS.refusal(of: connection) {
            refusals.append("iOS: \(refusal.rule)")
        }
        if isRejectedOnAndroid {
            refusals.append("Android: the library does not use the configuration either")
        } else if let failure = failure(at: connection.now) {
            refusals.append("Android: \(failure), so the library pins no host")
        }
        return refusals.isEmpty ? nil : PlatformRuling(.refusesConfig, refusals.joined(separator: "; "))
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
        if let failure = failure(at: connection.now) {
            return PlatformRuling(.notPinned, "\(failure), so the library rejects its promise and pins no host")
        }
        let covering = hosts(covering: connection)
        var pinner = OkHttpModel()
        for host in covering where isGiven(host, at: connection.now) { pinner.add(host.pattern, host.list) }
        let ruling = pinner.ruling(on: connection)
        guard ruling.verdict == .notPinned else { return ruling }
        if covering.contains(where: { !$0.host.enforces && !isExpiredOnAndroid($0, at: connection.now) }) {
            return PlatformRuling(.accepts, "\"enforcePinning\": false only reports a mismatch")
        }
        guard let expired = covering.first(where: { isExpiredOnAndroid($0, at: connection.now) })?.host.expires else {
            return ruling
        }
        return PlatformRuling(
            .notPinned, "the library leaves out hosts whose \"expirationDate\", \(expired.date), has passed")
    }

    /// The reason why OkHttp raises an exception, which both libraries catch.
    private func failure(at now: Timestamp) -> String? {
        failures.first { isGiven(hosts[$0.index], at: now) }?.reason
    }

    /// The hosts whose pins apply to a connection, in the order of the file.
    private func hosts(covering connection: PlatformConnection) -> [Host] {
        let above = connection.parents.flatMap { indices[$0, default: []] }.filter { hosts[$0].host.includesSubdomains }
        return (indices[connection.host, default: []] + above).sorted().map { hosts[$0] }
    }

    /// Whether the library gives the pins of a host to OkHttp.
    private func isGiven(_ host: Host, at now: Timestamp) -> Bool {
        host.host.enforces && !isExpiredOnAndroid(host, at: now)
    }

    /// Whether the pins have expired: for react-native-ssl-public-key-pinning at the start of the day, for react-native-ssl-manager
    /// at its end.
    private func isExpiredOnAndroid(_ host: Host, at now: Timestamp) -> Bool {
        guard let day = host.host.expires else { return false }
        guard library == .sslManager else { return now > day }
        let (end, overflows) = day.secondsSince1970.addingReportingOverflow(CalendarTime.secondsPerDay)
        return !overflows && now.secondsSince1970 >= end
    }

    var traps: [PlatformTrap] {
        guard !hosts.isEmpty else { return [] }
        var traps = iOS.traps.compactMap { trap -> PlatformTrap? in
            guard trap.kind == .stopsApp else { return trap }
            guard rejection == nil else { return nil }
            guard library == .publicKeyPinning else { return trap }
            return Self.trap(on: "iOS", trap.host, trap.message, hint: trap.hint, at: trap.position)
        }
        // The reader of the format reports an empty list.
        if let rejection, !rejection.host.pins.isEmpty {
            let system = isRejectedOnAndroid ? "iOS and Android" : "iOS"
            traps.append(Self.trap(on: system, rejection.host.name, rejection.reason, at: rejection.host.position))
        }
        if !isRejectedOnAndroid, let failure = failures.first(where: { hosts[$0.index].host.enforces }) {
            let host = hosts[failure.index].host
            traps.append(Self.trap(on: "Android", host.name, failure.reason, at: host.position))
        }
        return traps
    }

    private static func trap(
        on system: String, _ host: String?, _ reason: String, hint: String? = nil, at position: SourcePosition?
    ) -> PlatformTrap {
        PlatformTrap(.unpinned, host: host, "on \(system) nothing is pinned: \(reason)", hint: hint, at: position)
    }
}

extension UInt8 {
    fileprivate var isBase64: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
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
        var warnings = ConversionWarnings()
        let hosts = try ReactNativeFormat.hosts(in: bytes, &warnings).hosts.given(warnings)
        return ReactNativeModel(
            .publicKeyPinning, hosts, isCode: false, isIncomplete: warnings.list.contains(where: \.isUnread))
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
        var warnings = ConversionWarnings()
        let hosts = try ReactNativeSSLManagerFormat.hosts(in: bytes, &warnings).hosts.given(warnings)
        return ReactNativeModel(
            .sslManager, hosts, isCode: JSONOutline(bytes) == nil,
            isIncomplete: warnings.list.contains(where: \.isUnread))
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

extension Platform {
    /// react-native-ssl-public-key-pinning.
    public static let reactNative = Platform("react-native", ReactNativeRules.self)

    /// react-native-ssl-manager, from version 2.1.
    public static let reactNativeSSLManager = Platform("react-native-ssl-manager", ReactNativeSSLManagerRules.self)
}
