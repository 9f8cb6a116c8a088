package import Encodings

extension PinSetReader {
    /// Reads a text.
    ///
    /// - Throws: `PinSetError` for the first mistake.
    package static func read(_ bytes: [UInt8]) throws(PinSetError) -> PinSetDraft {
        try read(try root(of: bytes, refusesDuplicateKeys: true))
    }

    /// Reads a JSON value in which no key occurs twice in an object.
    ///
    /// - Throws: `PinSetError` for the first mistake.
    package static func read(_ root: JSONValue) throws(PinSetError) -> PinSetDraft {
        var reader = PinSetReader()
        return try reader.document(root)
    }

    /// Reads a text as far as possible.
    ///
    /// - Parameter report: receives each mistake when it is found, so that the caller can limit the number of those that it stores. There
    ///   is a mistake if and only if ``read(_:)`` or the validation of the whole set fails for this text.
    package static func tolerant(_ bytes: [UInt8], report: @escaping (PinSetDiagnostic) -> Void) -> PinSetDraft {
        var reader = PinSetReader(report)
        do throws(PinSetError) {
            return try reader.document(try root(of: bytes, refusesDuplicateKeys: false))
        } catch {
            // The text is not JSON, so no part of it can be read.
            report(PinSetDiagnostic(error: error, host: nil, pin: nil))
            return PinSetDraft()
        }
    }

    private static func root(of bytes: [UInt8], refusesDuplicateKeys: Bool) throws(PinSetError) -> JSONValue {
        do throws(JSONError) {
            return try JSONDocument(bytes, refusesDuplicateKeys: refusesDuplicateKeys).root
        } catch {
            throw PinSetError(.syntax(error), at: error.position)
        }
    }
}
