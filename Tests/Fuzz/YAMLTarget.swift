// Seeds: *.yaml *.yml
internal import PinSetCodec

/// YAML. No value has more levels than the limit.
enum YAMLTarget: FuzzTarget {
    static func run(_ bytes: [UInt8]) {
        for document in (try? YAMLReader.documents(bytes)) ?? [] {
            precondition(depth(of: document) <= YAMLReader.maximumDepth + 1)
        }
    }

    private static func depth(of value: YAMLValue) -> Int {
        let children = value.sequence ?? value.members?.map(\.value) ?? []
        return 1 + (children.map(depth(of:)).max() ?? 0)
    }
}
