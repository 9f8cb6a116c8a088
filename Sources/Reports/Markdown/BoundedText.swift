/// A part of a document that is never longer than a number of bytes in UTF-8.
struct BoundedText {
    private(set) var text = ""
    /// Number of items that are left out.
    private(set) var omitted = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Appends an item. From the first item that does not fit, all items are counted as omitted, and are not made.
    mutating func append(_ item: @autoclosure () -> String) {
        if omitted == 0, case let item = item(), text.utf8.count + item.utf8.count <= limit {
            text += item
        } else {
            omitted += 1
        }
    }
}
