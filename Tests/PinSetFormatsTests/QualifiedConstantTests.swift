import Testing

@testable import PinSetCodec
@testable import PinSetFormats
@testable import Pinning

/// Names with an owner, such as `Pins.ROOT`, and names that get another value.
@Suite struct QualifiedConstantTests: FormatSuite {
    private static let other = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="

    /// Source code with constants `PIN`, in which the app's pin is an expression. The second pin is always ``pin``.
    private static func text(_ format: PinSetFormat, _ declarations: String, uses name: String) -> String {
        switch format {
        case .okhttp:
            "\(declarations)\nval p = CertificatePinner.Builder().add(\"a.example\", \(name), \"sha256/\(pin)\").build()\n"
        case .trustkit:
            "\(declarations)\nlet c = [kTSKPinnedDomains: [\"a.example\": [kTSKPublicKeyHashes: [\(name), \"\(pin)\"]]]]\n"
        default:
            "\(declarations)\ninitializeSslPinning({'a.example': {publicKeyHashes: [\(name), '\(pin)']}});\n"
        }
    }

    private func pins(_ format: PinSetFormat, _ text: String) throws -> (pins: [String], hasWarning: Bool) {
        let reading = try read(text, as: format)
        let isUnread = reading.warnings.contains { warning in
            switch warning.reason {
            case .unknownPin, .valueNotLiteral: true
            default: false
            }
        }
        return (reading.set.entries.flatMap(\.pins).map(\.pin.base64), isUnread)
    }

    /// The owner is a type of this file, or the object of the code itself.
    @Test(arguments: [
        (PinSetFormat.okhttp, "object Pins { const val PIN = \"sha256/<>\" }", "Pins.PIN"),
        (.okhttp, "class Net { companion object { const val PIN = \"sha256/<>\" } }", "Net.PIN"),
        (.okhttp, "class Net { companion object { const val PIN = \"sha256/<>\" } }", "com.acme.Net.Companion.PIN"),
        (.okhttp, "final class Pins { static final String PIN = \"sha256/<>\"; }", "Pins.PIN"),
        (.okhttp, "package com.acme.pins\nconst val PIN = \"sha256/<>\"", "com.acme.pins.PIN"),
        (.okhttp, "interface Pins { String PIN = \"sha256/<>\"; }", "this.PIN"),
        (.okhttp, "object Pins { const val PIN = \"<>\" }", "\"sha256/${Pins.PIN}\""),
        (.trustkit, "enum Pins { static let pin = \"<>\" }", "Pins.pin"),
        (.trustkit, "struct A {}\nextension A { static let pin: String = \"<>\" }", "A.pin"),
        (.trustkit, "let pin = \"<>\"", "self.pin"),
        (.reactNative, "class Pins { static PIN = '<>'; }", "Pins.PIN"),
        (.reactNative, "const Pins = {};\nPins.PIN = '<>';", "Pins.PIN"),
        (.reactNative, "export namespace Pins { export const PIN = '<>'; }", "Pins.PIN"),
    ])
    func isReplaced(format: PinSetFormat, declarations: String, name: String) throws {
        let found = try pins(
            format, Self.text(format, declarations.replacing("<>", with: Self.other), uses: name))
        #expect(Set(found.pins) == [Self.other, Self.pin] && !found.hasWarning, "\(found)")
    }

    /// The owner is declared in another file, so its constant has another value.
    @Test(arguments: [
        (PinSetFormat.okhttp, "object Staging { const val PIN = \"sha256/<>\" }", "BuildConfig.PIN"),
        (.okhttp, "const val PIN = \"sha256/<>\"", "config.PIN"),
        (.okhttp, "const val PIN = \"<>\"", "\"sha256/${Prod.PIN}\""),
        (.okhttp, "val staging = PinConfig(host = \"x\", PIN = \"sha256/<>\")", "PIN"),
        (.trustkit, "enum Staging { static let pin = \"<>\" }", "Prod.pin"),
        (.trustkit, "let pin = \"<>\"", "config.pin"),
        (.reactNative, "import Config from 'c';\nconst PIN = '<>';", "Config.PIN"),
        (.reactNative, "const PIN = '<>';", "process.env.PIN"),
        // The name also has a value of another type, which is not known.
        (.okhttp, "object Prod { val PIN = \"sha256/<>\" }\nobject Dev { val PIN = BuildConfig.PIN }", "Dev.PIN"),
        (.okhttp, "object Prod { val PIN = \"sha256/<>\" }\nobject Dev { val PIN by lazy { load() } }", "Dev.PIN"),
        (.okhttp, "object Prod { val PIN = \"sha256/<>\" }\nobject Dev { val PIN: String get() = load() }", "Dev.PIN"),
        (
            .okhttp, "class Prod { static String PIN = \"sha256/<>\"; } class Dev { static String PIN = load(); }",
            "Dev.PIN"
        ),
        (.trustkit, "enum Prod { static let pin = \"<>\" }\nenum Dev { static let pin = load() }", "Dev.pin"),
        (.trustkit, "enum Prod { static let pin = \"<>\" }\nenum Dev { static var pin: String { load() } }", "Dev.pin"),
        (.reactNative, "class Prod { static PIN = '<>'; }\nclass Dev { static PIN = load(); }", "Dev.PIN"),
        // The only assignment is not the only one.
        (.okhttp, "var PIN = \"sha256/<>\"\nfun f() { if (DEBUG) PIN = debugPin() }", "PIN"),
        (.okhttp, "static String PIN = \"sha256/<>\";\nvoid f(C c) { PIN = c.get(); }", "PIN"),
        (.okhttp, "class A { String PIN = \"sha256/<>\"; A(C c) { this.PIN = c.pin; } }", "PIN"),
        (.okhttp, "var PIN = \"sha256/<>\"\nif (a) b() else PIN = c()", "PIN"),
        (.okhttp, "class A { String PIN = \"sha256/<>\"; A(String PIN) { this.PIN = PIN; } }", "PIN"),
        (.okhttp, "String PIN = \"sha256/<>\"; void f() { while ((PIN = r.readLine()) != null) {} }", "PIN"),
        (.okhttp, "String PIN = \"sha256/<>\"; void f() { if ((PIN = g()) != null) {} }", "PIN"),
        (.trustkit, "var pin = \"<>\"\nfunc configure(_ c: C) { pin = c.pin }", "pin"),
        (.trustkit, "var pin = \"<>\"\nfunc configure(_ c: C) {\n  load()\n  self.pin = c.pin\n}", "pin"),
        (.reactNative, "let PIN = '<>';\nif (__DEV__) PIN = dev();", "PIN"),
        (.reactNative, "let PIN = '<>';\nload().then((c) => {\n  PIN = c.pin;\n});", "PIN"),
        (.reactNative, "let PIN = '<>';\nload().then((c) => (PIN = c.pin));", "PIN"),
        (.reactNative, "let PIN = '<>';\nc && (PIN = f());", "PIN"),
        (.reactNative, "let PIN = '<>';\nx(() => PIN = f());", "PIN"),
        (.reactNative, "let PIN = '<>';\nif ((PIN = f())) g();", "PIN"),
    ])
    func isLeftOut(format: PinSetFormat, declarations: String, name: String) throws {
        let found = try pins(
            format, Self.text(format, declarations.replacing("<>", with: Self.other), uses: name))
        #expect(found.pins == [Self.pin] && found.hasWarning, "\(found)")
    }

    /// Other names with the same spelling: a parameter, a variable in another block, a member of another object.
    @Test(arguments: [
        (PinSetFormat.okhttp, "const val PIN = \"sha256/<>\"\nval d = f(PIN = g())\nval e = f(1, PIN = g())"),
        (.okhttp, "const val PIN = \"sha256/<>\"\nfun f() { val PIN = g() }"),
        (.okhttp, "String PIN = \"sha256/<>\"; void f(C c) { String PIN = c.get(); c.PIN = g(); }"),
        (.trustkit, "let PIN = \"<>\"\nfunc f() { let PIN = g(); c.PIN = g() }"),
        (.reactNative, "const PIN = '<>';\nfunction f(a,\n  PIN = g()) { const b = 1,\n  PIN = g(); c.PIN = g(); }"),
        (.reactNative, "const PIN = '<>';\nconst f = (PIN = g()) => 1, h = x((PIN = g()) => 1);"),
    ])
    func isNoChange(format: PinSetFormat, declarations: String) throws {
        let found = try pins(
            format, Self.text(format, declarations.replacing("<>", with: Self.other), uses: "PIN"))
        #expect(Set(found.pins) == [Self.other, Self.pin] && !found.hasWarning, "\(found)")
    }

    /// Each file has a type with the same names.
    @Test func constantsOfSeveralFiles() throws {
        let names = ["Api", "Media"]
        let files = zip(names, [Self.pin, Self.other]).map { name, pin in
            "object \(name) { const val HOST = \"\(name.lowercased()).example\"; const val PIN = \"sha256/\(pin)\" }"
        }
        func reading(_ text: String) throws -> PinSetReading {
            try PinSet.read(
                Array(text.utf8), as: .okhttp, with: ConversionInputs(sources: files.map { Array($0.utf8) }))
        }
        let both = try reading("CertificatePinner.Builder().add(Api.HOST, Api.PIN).add(Media.HOST, Media.PIN)")
        #expect(summary(both) == ["api.example any \(Self.pin)", "media.example any \(Self.other)"])
        // A constant of this file has another owner.
        let own = try reading(
            "object Staging { const val PIN = \"sha256/\(Self.other)\" }\n"
                + "CertificatePinner.Builder().add(Api.HOST, Api.PIN)")
        #expect(summary(own) == ["api.example any \(Self.pin)"])
        // A file with an unknown value of this name, of the same type.
        let flavour = PinSetFormat.okhttp
        let unknown = try? PinSet.read(
            Array("CertificatePinner.Builder().add(Api.HOST, Api.PIN)".utf8), as: flavour,
            with: ConversionInputs(
                sources: [
                    Array(files[0].utf8), Array("object Api { val PIN = load(); val HOST = \"api.example\" }".utf8),
                ]))
        #expect(unknown?.set.entries.isEmpty ?? true)
        // Without an owner, the name has two values.
        let error = #expect(throws: PinSetFormatError.self) {
            try reading("CertificatePinner.Builder().add(\"a.example\", PIN)")
        }
        #expect(error != nil)
    }
}
