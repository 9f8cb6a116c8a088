package import Arguments
internal import Encodings
internal import PinSetFormats
internal import PinSetMaintenance
package import Pinning

/// Options for keys that a person adds to a pin set or retires: certificates, requests, keys and pins.
package enum PinFlags {
    package static let certificate = Option.repeated(
        "from-cert", takes: Value.path("FILE"),
        help: "use the key of this certificate; its role is root or intermediate for a CA certificate, otherwise leaf"
    )
    package static let pin = Option.repeated(
        "pin",
        takes: Value<Pin>("PIN", expected: "a pin such as sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=") {
            text throws(ValueError) in
            do throws(PinSpellingError) {
                return try Pin(spelling: text)
            } catch {
                throw ValueError(error.message, hint: error.hint)
            }
        },
        help: "use this pin; for a public CA, pinctl adds the role, the name and the end of validity"
    )

    package static let declared: [any AnyOption] = [certificate, pin] + BackupFlags.declared

    /// These options as declared by the command that retires pins.
    package static let declaredForRetiring: [any AnyOption] = [
        certificate, pin,
        Option.repeated(
            BackupFlags.key.declaration.name, takes: Value.path("FILE"), help: "use this private or public key"),
        Option.repeated(
            BackupFlags.request.declaration.name, takes: Value.path("FILE"),
            help: "use the key of this certificate request"),
        Option.repeated(
            BackupFlags.authority.declaration.name, takes: Value.text("CA|FILE"),
            help: "use the key of this CA: the name of a public CA, or a certificate file"),
        BackupFlags.passwordFile,
    ]

    /// The files that these options name.
    package static func files(in values: Values) -> [(option: String?, paths: [String?])] {
        [("--from-cert", values[certificate])] + BackupFlags.files(in: values)
    }

    /// Reads the keys of all options, without duplicates. Every key has the state backup.
    ///
    /// - Parameter acceptsExpired: whether the certificates of a backup CA may have expired.
    package static func keys(
        in values: Values, at now: Timestamp, acceptsExpired: Bool = false, _ console: Console
    ) throws(CommandError) -> [PinSet.PinnedKey] {
        var keys: [PinSet.PinnedKey] = []
        for path in values[certificate] {
            keys.append(key(of: try certificate(at: path, option: "from-cert", console), at: now))
        }
        for pin in values[pin] {
            keys.append(
                key(ofAuthority: pin, at: now) ?? PinSet.PinnedKey(pin: pin, state: .backup, added: now.startOfDay))
        }
        keys += try BackupFlags.keys(in: values, at: now, acceptsExpired: acceptsExpired, console)
        var known: Set<Pin> = []
        return keys.filter { known.insert($0.pin).inserted }
    }

    /// Reads the only certificate of a file.
    static func certificate(at path: String, option: String, _ console: Console) throws(CommandError) -> Certificate {
        let certificates = try CertificateFile.certificates(at: path, each: "certificate", console)
        guard let certificate = certificates.first, certificates.count == 1 else {
            throw CommandError(
                "\(InputFile.name(of: path)) contains \(certificates.count) certificates: \"--\(option)\" needs exactly one"
            )
        }
        return certificate
    }

    /// The pin of a certificate's key. The basic constraints determine the role; the name and the end of validity are those of the
    /// certificate.
    static func key(of certificate: Certificate, at now: Timestamp) -> PinSet.PinnedKey {
        let pin = certificate.pin
        let role: PinSet.AllowedRole = !certificate.isCA ? .leaf : certificate.isSelfIssued ? .root : .intermediate
        let name = certificate.isCA ? KnownAuthorities.name(of: pin) ?? certificate.subject?.displayName : nil
        return PinSet.PinnedKey(
            pin: pin, role: role, state: .backup, label: name ?? certificate.subject?.displayName,
            notAfter: certificate.notAfter?.startOfDay, added: now.startOfDay)
    }

    /// The key of a public CA; nil if pinctl does not know it.
    static func key(ofAuthority pin: Pin, at now: Timestamp) -> PinSet.PinnedKey? {
        guard let name = KnownAuthorities.name(of: pin), let details = KnownAuthorities.details(of: pin) else {
            return nil
        }
        return PinSet.PinnedKey(
            pin: pin, role: details.isRoot ? .root : .intermediate, state: .backup, label: name,
            notAfter: details.notAfter.startOfDay, added: now.startOfDay)
    }
}
