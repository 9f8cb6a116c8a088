public import Pinning

/// What checks pins in apps and tools, each by rules of its own. The names are those of `verify --as`.
public enum Platform: String, Hashable, Sendable, CaseIterable {
    /// `NSPinnedDomains` of App Transport Security.
    case apple
    /// `network_security_config.xml`.
    case android
    /// `CertificatePinner`.
    case okhttp
    /// TrustKit for Apple's platforms.
    case trustkit
    case trustkitAndroid = "trustkit-android"
    /// `ServerTrustManager` with a `PublicKeysTrustEvaluator` a host.
    case alamofire
    /// `addPublicKeyPins` of Cronet, and of Android's HttpEngine.
    case cronet
    /// A browser that obeys RFC 7469.
    case hpkp
    /// `--pinnedpubkey` of curl and wget.
    case curl
    /// WultraSSLPinning.
    case wultra
    /// Chromium's list of static pins.
    case chromium
}

extension Platform {
    /// What the platform would make of a connection.
    ///
    /// The pin set is taken as it is once it is converted to the platform with nothing added: what the platform cannot say is
    /// lost, and a retired pin is left out. The verdict is about that, and not about the set as it stands.
    public func verdict(on connection: PlatformConnection) -> PlatformVerdict {
        let ruling = ruling(on: connection)
        return PlatformVerdict(platform: self, verdict: ruling.verdict, rule: ruling.rule)
    }

    /// What the platform would make of a host that no entry of the set covers, whatever valid chain it has; nil where the chain
    /// decides all the same, for a platform that has no word for the entry's depth may take it to cover more.
    public func verdict(onUncovered host: String, set: PinSet, at now: Timestamp) -> PlatformVerdict? {
        guard set.entry(for: host) == nil else { return nil }
        let connection = PlatformConnection(host: host, chain: [], isTrusted: true, set: set, at: now)
        if let refusal = rules.refusal(of: connection) {
            return PlatformVerdict(platform: self, verdict: refusal.verdict, rule: refusal.rule)
        }
        let ruling = rules.ruling(on: connection)
        guard ruling.verdict == .notPinned else { return nil }
        return PlatformVerdict(platform: self, verdict: .notPinned, rule: ruling.rule)
    }

    private func ruling(on connection: PlatformConnection) -> PlatformRuling {
        if let refusal = rules.refusal(of: connection) { return refusal }
        guard connection.isTrusted else {
            return PlatformRuling(
                .rejects, "the chain is validated before any pin is compared, and this one does not validate")
        }
        return rules.ruling(on: connection)
    }

    private var rules: any PlatformRules.Type {
        switch self {
        case .apple: AppleRules.self
        case .android: AndroidRules.self
        case .okhttp: OkHttpRules.self
        case .trustkit: TrustKitRules.self
        case .trustkitAndroid: TrustKitAndroidRules.self
        case .alamofire: AlamofireRules.self
        case .cronet: CronetRules.self
        case .hpkp: HPKPRules.self
        case .curl: CurlRules.self
        case .wultra: WultraRules.self
        case .chromium: ChromiumRules.self
        }
    }
}
