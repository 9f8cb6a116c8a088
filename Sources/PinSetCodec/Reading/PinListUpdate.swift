package import Pinning

/// The update of a list of pins in a file: which elements stay, and where new ones are inserted.
///
/// Elements of wanted pins and elements that are not pins stay in their order. A new pin comes after the pin that is before it in
/// the wanted order.
package struct PinListUpdate {
    /// An element of the list in the file.
    package enum Element: Sendable {
        /// A pin as the platform decodes it.
        case pin(Pin)
        /// A text in the place of a pin that the platform does not decode. It is removed.
        case unreadable
        /// Another element. It stays.
        case other
    }

    package enum Step: Hashable, Sendable {
        /// The index of an element in the file.
        case kept(Int)
        /// The index of a wanted pin.
        case added(Int)
    }

    package let steps: [Step]

    package init(of elements: [Element], wanted: [Pin]) {
        var present: Set<Pin> = []
        for case .pin(let pin) in elements { present.insert(pin) }
        var first: [Step] = []
        var following: [Pin: [Step]] = [:]
        var previous: Pin?
        for (index, pin) in wanted.enumerated() {
            if present.contains(pin) {
                previous = pin
            } else if let previous {
                following[previous, default: []].append(.added(index))
            } else {
                first.append(.added(index))
            }
        }
        let wanted = Set(wanted)
        var steps = first
        for (index, element) in elements.enumerated() {
            switch element {
            case .pin(let pin) where wanted.contains(pin):
                steps.append(.kept(index))
                steps += following.removeValue(forKey: pin) ?? []
            case .other: steps.append(.kept(index))
            case .pin, .unreadable: break
            }
        }
        self.steps = steps
    }
}

extension PinDecoding {
    /// The element of a list of pins with this text.
    package func element(_ text: String) -> PinListUpdate.Element {
        if let pin = try? Pin(spelling: text), pin.base64 == text { return .pin(pin) }
        return decode(text).flatMap { Pin(digest: $0) }.map { .pin($0) } ?? .unreadable
    }
}
