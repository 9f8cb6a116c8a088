#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// The methods of Docs/scaling.md with a short list. Only Linux has enough loopback addresses.
    /// Spark is a large download, so only `make scale` tests it.
    @Suite(.blocking) struct ScalingTests {
        @Test func everyMethodGivesTheSameResults() throws {
            let folder = try TemporaryFolder("scaling")
            let pki = try TestPKI.shared()
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("pki"), withDestinationPath: pki.folder.path)
            let run = try ChildProcess.run(
                [
                    Repository.python("check-jsonschema"), Repository.path("Tests/Scaling/scaling.py"), folder.path,
                    PinctlRun.executable, "300", "shards", "parallel", "kubernetes",
                ], environment: TestEnvironment.base)
            #expect(run.end == .exit(0), "\(run.text)\(run.errors)")
            let lines = run.text.split(separator: "\n")
            let same = lines.filter { $0.contains("300 results") && $0.hasSuffix(", equal") }
            #expect(same.count == 3, "\(run.text)")
        }
    }
#endif
