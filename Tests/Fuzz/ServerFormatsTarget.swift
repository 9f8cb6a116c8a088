// Seeds: kubeadm* openconnect* envoy* stubby* elastic* certificate*
internal import PinSetCodec
internal import PinSetFormats
internal import Pinning
internal import ServerPinFormats

/// Configurations of servers and tools, and certificate files.
enum ServerFormatsTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        let inputs = ConversionInputs(host: "h.example")
        for format in [
            PinSetFormat.kubeadm, .openconnect, .envoy, .stubby, .elastic, .openfortivpn, .certificates,
        ] {
            guard let reading = try? PinSet.read(bytes, as: format, with: inputs) else { continue }
            FormatPromises.check(reading)
        }
    }
}
