package import Pinning

/// A format whose reader uses ``ConversionInputs``. The format implements ``PinSetCodec/read(_:with:)``.
package protocol InputReadingCodec: PinSetCodec {}

extension InputReadingCodec {
    package static func read(_ bytes: [UInt8]) throws(PinSetFormatError) -> PinSetReading {
        try read(bytes, with: ConversionInputs())
    }
}

/// A format whose writer uses ``ConversionInputs``. The format implements ``PinSetCodec/write(_:with:)``.
package protocol InputWritingCodec: PinSetCodec {}

extension InputWritingCodec {
    package static func write(_ set: PinSet) throws(PinSetFormatError) -> PinSetWriting {
        try write(set, with: ConversionInputs())
    }
}
