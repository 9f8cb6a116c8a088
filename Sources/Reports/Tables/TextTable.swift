internal import Encodings

/// A table with aligned columns.
package struct TextTable {
    package let titles: [String]
    /// The index of a column that is never cut; nil without one.
    private let whole: Int?
    private var rows: [[String]] = []

    package init(_ titles: [String], whole: Int? = nil) { (self.titles, self.whole) = (titles, whole) }

    /// Adds a row with one text for each column.
    package mutating func add(_ cells: [String]) { rows.append(cells.map(\.escaped)) }

    package var isEmpty: Bool { rows.isEmpty }

    /// The table, with two spaces between columns.
    ///
    /// - Parameters:
    ///   - width: maximum width in columns; nil for no limit.
    ///   - essential: number of columns at the start that are complete if possible. If the table is too wide, columns after them are
    ///     left out from the last one on; the last one that remains can be cut. Without essential columns, the widest columns are cut.
    package func text(width: Int?, essential: Int = 0) -> String {
        var columns = titles.indices.map { index in
            ([titles] + rows).map { $0.indices.contains(index) ? $0[index].columns : 0 }.max() ?? 0
        }
        if let width {
            func excess() -> Int { columns.reduce(2 * max(0, columns.count - 1), +) - width }
            if essential > 0 {
                while columns.count > essential, excess() > 0, let last = columns.last {
                    columns.removeLast()
                    let room = -excess() - 2
                    if room >= min(last, Self.minimumTextColumns) { columns.append(min(last, room)) }
                }
            }
            let others = columns.indices.filter { $0 != whole }
            while excess() > 0, let widest = others.max(by: { columns[$0] < columns[$1] }),
                columns[widest] > Self.minimumColumns
            {
                columns[widest] -= 1
            }
        }
        return ([titles] + rows).map { row in
            let cells = zip(row, columns).enumerated().map { offset, item in
                let cell = item.0.cut(to: item.1)
                return offset == columns.count - 1 ? cell : cell.padded(to: item.1)
            }
            return cells.joined(separator: "  ").trimmingEnd + "\n"
        }.joined()
    }

    /// Columns are not cut below this width.
    private static let minimumColumns = 8
    /// The last of several columns is not cut below this width, so that dates and numbers are complete.
    private static let minimumTextColumns = 12
}

extension String {
    fileprivate var trimmingEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
