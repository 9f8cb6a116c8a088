package import Arguments
internal import PinSetCodec

/// Options for inputs that some pin-set formats need in addition to the file.
package enum ConversionFlags {
    package static var certificates: Option<[String]> {
        Option.repeated(
            "certificates", takes: Value.path("FILE|DIR"),
            help: "pinned certificates, for formats without SPKI pins (\(PinSetFormat.names(using: .certificates)))"
        )
    }
}
