import Foundation
import TestSupport
import Testing

@testable import Encodings
@testable import Pinning

@Suite struct TimestampTests {
    /// The examples of RFC 3339, section 5.8, with their values in UTC, and the limits of months and years.
    @Test(arguments: [
        ("1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50Z"),
        ("1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57Z"),
        ("1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27Z"),
        ("2026-11-21", "2026-11-21T00:00:00Z"),
        ("2026-11-21t02:00:00z", "2026-11-21T02:00:00Z"),
        ("2026-11-21T02:00:00-00:00", "2026-11-21T02:00:00Z"),
        ("2000-02-29", "2000-02-29T00:00:00Z"),
        ("2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"),
        ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"),
        ("0000-01-01", "0000-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
        ("0000-01-01T00:00:00+00:01", "-0001-12-31T23:59:00Z"),
        ("9999-12-31T23:59:59-00:01", "+10000-01-01T00:00:59Z"),
    ])
    func readsAndWrites(text: String, utc: String) throws {
        let timestamp = try #require(Timestamp(rfc3339: text))
        #expect(timestamp.description == utc)
    }

    @Test(arguments: [
        "", "2026", "2026-11", "2026-11-", "2026-1-21", "26-11-21", "2026-11-211", "2026/11/21", "21.11.2026",
        "2026-00-10", "2026-13-10", "2026-11-00", "2026-11-31", "2026-02-29", "1900-02-29", "2100-02-29",
        "2026-11-21T", "2026-11-21T02:00", "2026-11-21T02:00Z", "2026-11-21T02:00:00", "2026-11-21 02:00:00Z",
        "2026-11-21T24:00:00Z", "2026-11-21T23:60:00Z", "2026-11-21T23:59:60Z", "2026-11-21T02:00:00.Z",
        "2026-11-21T02:00:00+1:00", "2026-11-21T02:00:00+0100", "2026-11-21T02:00:00+24:00",
        "2026-11-21T02:00:00+01:60", "2026-11-21T02:00:00ZZ", "2026-11-21T02:00:00Z ", " 2026-11-21", "-026-11-21",
        "2026-11-2\u{0663}", "٢٠٢٦-11-21",
    ])
    func refuses(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func equalsFoundationsCalendar() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        var generator = SeededGenerator(seed: 3339)
        // Foundation uses the Julian calendar before October 1582, so the comparison starts later.
        let first: Int64 = -12_200_000_000
        let last: Int64 = 253_402_300_799
        var moments = (0..<3000).map { _ in Int64.random(in: first...last, using: &generator) }
        // Every day of the years around the present, also one second before and after midnight.
        for day: Int64 in 20_000..<21_500 {
            let midnight = day * 86_400
            moments += [midnight - 1, midnight, midnight + 1]
        }
        for moment in moments {
            let date = Date(timeIntervalSince1970: TimeInterval(moment))
            let expected = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
            let timestamp = Timestamp(secondsSince1970: moment)
            let found = timestamp.components
            #expect(
                found.year == expected.year && found.month == expected.month && found.day == expected.day
                    && found.hour == expected.hour && found.minute == expected.minute
                    && found.second == expected.second,
                "\(moment): \(found)"
            )
            let back = Timestamp(
                year: found.year, month: found.month, day: found.day,
                hour: found.hour, minute: found.minute, second: found.second)
            #expect(back == timestamp)
            #expect(Timestamp(rfc3339: timestamp.description) == timestamp)
        }
    }

    /// Seconds from `python3 -c "import calendar; print(calendar.timegm((y, m, d, 0, 0, 0)))"`.
    @Test(
        arguments: [
            (1, 1, 1, -62_135_596_800), (4, 2, 29, -62_035_891_200), (1000, 3, 1, -30_605_126_400),
            (1582, 10, 10, -12_219_724_800),
            (1600, 2, 29, -11_670_998_400), (1970, 1, 1, 0), (2038, 1, 19, 2_147_472_000),
            (9999, 12, 31, 253_402_214_400),
        ] as [(Int, Int, Int, Int64)])
    func agreesWithPythonsCalendar(year: Int, month: Int, day: Int, seconds: Int64) throws {
        let timestamp = try #require(Timestamp(year: year, month: month, day: day))
        #expect(timestamp.secondsSince1970 == seconds)
        #expect(timestamp.components == .init(year: year, month: month, day: day, hour: 0, minute: 0, second: 0))
    }

    @Test func acceptsEverySecond() {
        for seconds in [Int64.min, .min + 1, .max - 1, .max] {
            let timestamp = Timestamp(secondsSince1970: seconds)
            #expect((1...12).contains(timestamp.components.month))
            #expect((1...31).contains(timestamp.components.day))
            #expect(timestamp.description.hasSuffix("Z"))
        }
        #expect(Timestamp(year: .max, month: 1, day: 1) == nil)
        #expect(Timestamp(year: .min, month: 1, day: 1) == nil)
        #expect(Timestamp(year: 2026, month: .max, day: .min, hour: .max) == nil)
    }

    @Test func countsWholeDays() throws {
        let noon = try #require(Timestamp(rfc3339: "2026-11-21T12:00:00Z"))
        let days: [(String, Int64)] = [
            ("2026-11-21T12:00:00Z", 0), ("2026-11-22T11:59:59Z", 0), ("2026-11-22T12:00:00Z", 1),
            ("2026-11-21T11:59:59Z", -1), ("2026-11-20T12:00:00Z", -1), ("2027-11-21T12:00:00Z", 365),
        ]
        for (text, count) in days { #expect(noon.days(until: try #require(Timestamp(rfc3339: text))) == count) }
        let first = Timestamp(secondsSince1970: .min)
        let last = Timestamp(secondsSince1970: .max)
        #expect(first.days(until: last) > 0)
        #expect(last.days(until: first) < 0)
    }
}
