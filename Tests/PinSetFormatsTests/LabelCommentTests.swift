import Encodings
import PinSetCodec
import PinSetFormats
import Pinning
import ServerPinFormats
import TestSupport
import Testing

/// A label can be any text, such as the name in a certificate. In a comment, it must not become a state or a date.
struct LabelCommentTests {
    private static let formats: [PinSetFormat] = [
        .okhttp, .cronet, .urlsession, .android, .tlsa, .trustkit, .trustkitSwift,
    ]

    /// The label, and the label after a comment.
    private static let labels = [
        ("Evil CA; backup", "Evil CA; backup"), ("x; notAfter 2020-01-01", "x; notAfter 2020-01-01"),
        ("x; backup; notAfter 2020-01-01", "x; backup; notAfter 2020-01-01"), ("x; active", "x; active"),
        ("x; backup; active", "x; backup; active"), ("backup", "backup"), ("active; active", "active; active"),
        ("notAfter 2020-01-01; active", "notAfter 2020-01-01; active"), ("x;\u{A0}backup", "x; backup"),
        ("x; \\ backup", "x; backup"), ("x; ba\u{200B}ckup", "x; backup"), ("x;\tbackup", "x;backup"),
        ("x; backup\u{2003}", "x; backup"), ("x; back\\up", "x; backup"), ("Good CA", "Good CA"),
        ("x; notAfter 2020\u{AD}-01-01", "x; notAfter 2020-01-01"), ("x; Backup", "x; Backup"),
    ]

    @Test(arguments: formats) func labelsStayLabels(format: PinSetFormat) throws {
        let date = try #require(Timestamp(rfc3339: "2035-06-04"))
        for (label, expected) in Self.labels {
            for state in [PinSet.State.active, .backup] {
                for notAfter in [nil, date] {
                    let key = PinSet.PinnedKey(pin: .numbered(1), state: state, label: label, notAfter: notAfter)
                    let other = PinSet.PinnedKey(pin: .numbered(2), label: "Other CA")
                    let set = try PinSet(entries: [PinSet.Entry(host: "api.example.com", pins: [key, other])])
                    let writing = try set.written(as: format)
                    let file = try #require(writing.files.first { $0.name == nil })
                    let pins = try PinSet.read(file.bytes).set.entries.flatMap(\.pins)
                    let read = try #require(pins.first { $0.pin == key.pin })
                    let comment = Comment(rawValue: String(decoding: file.bytes, as: UTF8.self))
                    #expect(read.label == expected, comment)
                    #expect(read.state == state, comment)
                    #expect(read.notAfter == notAfter, comment)
                    // A message names the label only if the comment has another one.
                    let told = writing.warnings.filter { $0.message.contains("\"label\"") }.map(\.message)
                    #expect(told.isEmpty == (label == expected), "\(told)")
                    #expect(!told.contains { $0.contains("no field") }, "\(told)")
                }
            }
        }
    }

    @Test func spelling() throws {
        let key = PinSet.PinnedKey(pin: .numbered(1), label: "Evil CA; backup")
        let dated = PinSet.PinnedKey(
            pin: .numbered(2), label: "x; backup", notAfter: Timestamp(rfc3339: "2035-06-04"))
        #expect(PinComment(key).text == "Evil CA; backup; active")
        #expect(PinComment(dated).text == "x; backup; active; notAfter 2035-06-04")
    }

    /// What people write keeps its meaning.
    @Test(
        arguments: [
            ("spare key, 2026; backup", "spare key, 2026", PinSet.State.backup), ("x; active", "x; active", .active),
            ("active", "active", .active), ("backup", nil, .backup), ("", nil, .active), ("; ", "; ", .active),
            ("a; b", "a; b", .active), ("a; backup; b", "a; backup; b", .active),
        ] as [(String, String?, PinSet.State)])
    func commentsOfPeople(comment: String, label: String?, state: PinSet.State) {
        let read = PinComment(comment)
        #expect(read.label == label)
        #expect(read.state == state)
        #expect(read.notAfter == nil)
    }
}
