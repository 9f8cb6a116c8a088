/// One type of input. No bytes may cause a trap.
protocol FuzzTarget: SendableMetatype {
    /// Parses `bytes` with the code under test, and traps if the result breaks a promise.
    static func run(_ bytes: [UInt8])
}

private let targets: [String: any FuzzTarget.Type] = [
    "Android": AndroidTarget.self,
    "AnyFormat": AnyFormatTarget.self,
    "Apple": AppleTarget.self,
    "Certificate": CertificateTarget.self,
    "CertificateProbe": CertificateProbeTarget.self,
    "Chromium": ChromiumTarget.self,
    "FailureLog": FailureLogTarget.self,
    "Handshake": HandshakeTarget.self,
    "Host": HostTarget.self,
    "HPKP": HPKPTarget.self,
    "HTTPChallenge": HTTPChallengeTarget.self,
    "HTTPResponse": HTTPResponseTarget.self,
    "Lint": LintTarget.self,
    "KeyFile": KeyFileTarget.self,
    "Masking": MaskingTarget.self,
    "MessageText": MessageTextTarget.self,
    "Netrc": NetrcTarget.self,
    "OkHttp": OkHttpTarget.self,
    "PEM": PEMTarget.self,
    "PinSet": PinSetTarget.self,
    "PinsJSON": PinsJSONTarget.self,
    "PropertyList": PropertyListTarget.self,
    "Proxy": ProxyTarget.self,
    "Resume": ResumeTarget.self,
    "RevocationList": RevocationListTarget.self,
    "ServerFormats": ServerFormatsTarget.self,
    "Source": SourceTarget.self,
    "StapledResponse": StapledResponseTarget.self,
    "StartTLS": StartTLSTarget.self,
    "Sync": SyncTarget.self,
    "TLSA": TLSATarget.self,
    "TrustKit": TrustKitTarget.self,
    "XML": XMLTarget.self,
    "XMLList": XMLListTarget.self,
    "YAML": YAMLTarget.self,
]

/// The target of `--target=NAME`. libFuzzer ignores arguments with two dashes.
private let target: any FuzzTarget.Type = {
    let option = "--target="
    let name = CommandLine.arguments.last { $0.hasPrefix(option) }?.dropFirst(option.count) ?? ""
    guard let target = targets[String(name)] else {
        fatalError("there is no fuzz target \"\(name)\": there are \(targets.keys.sorted().joined(separator: ", "))")
    }
    return target
}()

/// The function that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.run(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
