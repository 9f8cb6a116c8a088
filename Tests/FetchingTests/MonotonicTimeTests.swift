import Testing

@testable import Fetching

@Suite struct MonotonicTimeTests {
    private func at(_ nanoseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }

    @Test func neverDecreases() {
        let first = MonotonicTime.now
        #expect(MonotonicTime.now >= first)
        #expect(first.nanoseconds > 0)
    }

    @Test func adds() {
        #expect(at(5) + .seconds(2) == at(2_000_000_005))
        #expect(at(5) + .nanoseconds(-3) == at(2))
        #expect(at(0) + .milliseconds(1500) == at(1_500_000_000))
        // Fractions of a nanosecond are dropped.
        #expect(at(0) + Duration(secondsComponent: 0, attosecondsComponent: 999_999_999) == at(0))
    }

    @Test func clampsToItsRange() {
        #expect(at(1) + .seconds(Int64.max) == at(.max))
        #expect(at(.max - 1) + .nanoseconds(1) == at(.max))
        #expect(at(.max) + .nanoseconds(1) == at(.max))
        #expect(at(.max) + .zero == at(.max))
        #expect(at(.max - 10) + Duration(secondsComponent: 9_223_372_036, attosecondsComponent: 0) == at(.max))
        #expect(at(-1) + .seconds(Int64.min) == at(.min))
        #expect(at(.min) + .nanoseconds(-1) == at(.min))
        #expect(at(.min) + .seconds(1) < at(.min) + .seconds(2))
    }

    @Test func roundsMillisecondsUp() {
        #expect(at(0).milliseconds(until: at(0)) == 0)
        #expect(at(5).milliseconds(until: at(4)) == 0)
        #expect(at(0).milliseconds(until: at(1)) == 1)
        #expect(at(0).milliseconds(until: at(1_000_000)) == 1)
        #expect(at(0).milliseconds(until: at(1_000_001)) == 2)
        #expect(at(0).milliseconds(until: at(.max)) == .max)
        #expect(at(.min).milliseconds(until: at(.max)) == .max)
        #expect(at(.max).milliseconds(until: at(.min)) == 0)
        #expect(at(0).milliseconds(until: at(Int64(Int32.max) * 1_000_000)) == .max)
        #expect(at(0).milliseconds(until: at(Int64(Int32.max) * 1_000_000 - 1_000_000)) == Int32.max - 1)
    }

    @Test(arguments: [
        (Duration.seconds(10), "10 s"), (.milliseconds(500), "0.5 s"), (.milliseconds(1), "0.001 s"),
        (.milliseconds(1250), "1.25 s"), (.milliseconds(2010), "2.01 s"), (.seconds(86_400), "86400 s"),
        (.milliseconds(86_399_999), "86399.999 s"), (.zero, "0 s"),
    ])
    func printsSeconds(duration: Duration, text: String) {
        #expect(duration.inSeconds == text)
    }
}
