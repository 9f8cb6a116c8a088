internal import Encodings
package import Pinning

/// How a platform decodes the text of a pin (``PlatformBase64``), and how it treats a text that does not decode to 32 bytes.
package enum PinDecoding: Sendable {
    /// An invalid pin makes the platform reject the whole file (XmlConfigSource.java, `parsePin`).
    case android
    /// A pin can have any number of bytes, but only 32 bytes can match (SecPolicy.c).
    case apple
    /// An invalid pin makes TrustKit stop the app (parse_configuration.m).
    case trustKit
    /// OkHttp stops the app if the text is not base64. A pin can have any number of bytes, but only 32 bytes can match
    /// (CertificatePinner.kt, `Pin`).
    case okHttp

    /// The decoded bytes; nil if the platform rejects the text.
    package func decode(_ text: String) -> [UInt8]? {
        switch self {
        case .android: PlatformBase64.android(text)
        case .apple: PlatformBase64.apple(text)
        case .trustKit: PlatformBase64.foundation(text)
        case .okHttp: PlatformBase64.okio(text)
        }
    }

    /// How the platform treats a text that it decodes to these bytes.
    package func effect(of bytes: [UInt8]?) -> ConversionWarning.PinEffect {
        switch self {
        case .android, .trustKit: .rejectsFile
        case .apple: bytes?.isEmpty ?? true ? .isIgnored : .neverMatches
        case .okHttp: bytes == nil ? .rejectsFile : .neverMatches
        }
    }
}

extension ConversionWarnings {
    /// Reads the text of a pin as its platform does. If the text is not a pin, returns nil and adds a warning with its line.
    ///
    /// - Parameters:
    ///   - prefix: the text before the base64, which the platform requires.
    ///   - line: evaluated only for a warning, because it can take time.
    package mutating func pin(
        _ spelling: String, after prefix: String = "", by decoding: PinDecoding, of host: String?,
        line: @autoclosure () -> Int?
    ) -> Pin? {
        var read: Pin?
        var problem: PinSpellingError?
        do throws(PinSpellingError) {
            read = try Pin(spelling: spelling)
        } catch {
            problem = error
        }
        if let read, prefix + read.base64 == spelling { return read }
        let hasPrefix = spelling.hasPrefix(prefix)
        let bytes = hasPrefix ? decoding.decode(String(spelling.dropFirst(prefix.count))) : nil
        if let bytes, let pin = Pin(digest: bytes) {
            do throws(PinSpellingError) {
                _ = try Pin(spelling: pin.base64)
            } catch {
                // The SHA-256 of the empty input is never the pin of a key.
                add(.pinLeftOut(error, line: line(), .neverMatches), of: host)
                return nil
            }
            add(.pinSpelling(spelling, pin, prefix: prefix, line: line(), nil), of: host)
            return pin
        }
        let effect = decoding.effect(of: bytes)
        if let read {
            add(.pinSpelling(spelling, read, prefix: prefix, line: line(), effect), of: host)
            return read
        }
        if let problem { add(.pinLeftOut(problem, line: line(), effect), of: host) }
        return nil
    }
}
