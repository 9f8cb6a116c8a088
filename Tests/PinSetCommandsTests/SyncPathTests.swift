import Foundation
import TestSupport
import Testing

/// The paths of a manifest for `pinctl sync`: which files can be copies.
@Suite(.blocking) struct SyncPathTests: SyncSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("sync") }

    /// The set is recognized by any spelling of its path and through symbolic links.
    @Test(arguments: ["./pins.json", "sub/../pins.json", "link.json"])
    func neverWritesTheSetItself(name: String) throws {
        try write(set: SyncTests.x1, SyncTests.x2)
        try FileManager.default.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.json"), withDestinationPath: "pins.json")
        try write(copies: "{\"file\":\"\(name)\",\"format\":\"pins\"}")
        let before = try folder.text("pins.json")
        let run = try sync("--write")
        #expect(run.status == 2 && run.errors.contains("is the set itself"), "\(run)")
        try #expect(folder.text("pins.json") == before)
        try write(copies: #"{"file":"sub/../sync.json","format":"okhttp","overwrite":true}"#)
        let manifest = try sync("--write")
        #expect(manifest.status == 2 && manifest.errors.contains("is the manifest itself"), "\(manifest)")
        try write(copies: #"{"file":"Pins.kt"},{"file":"sub/../Pins.kt","format":"okhttp"}"#)
        let twice = try sync("--write")
        #expect(twice.status == 2 && twice.errors.contains("is the same file as"), "\(twice)")
        try write(copies: #"{"file":"a.plist","format":"apple"},{"file":"./a.plist","format":"trustkit"}"#)
        try #expect(!sync("--check").errors.contains("is the same file as"))
    }

    /// Two names of a file that does not exist yet.
    @Test(arguments: ["y.yml", "z.yml", "way/y.yml", "far.yml", "sub/../x.yml"])
    func linksToANewFileAreTheSameFile(name: String) throws {
        try write(set: SyncTests.x1, SyncTests.x2)
        try FileManager.default.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: true)
        for (link, target) in [
            "y.yml": "x.yml", "z.yml": "sub/y.yml", "sub/y.yml": "../x.yml", "way": "sub",
            "far.yml": folder.path("x.yml"),
        ] {
            try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
        }
        let new = #"{"file":"x.yml","format":"stubby","overwrite":true}"#
        let link = #"{"file":"\#(name)","format":"envoy","overwrite":true}"#
        for copies in ["\(new),\(link)", "\(link),\(new)"] {
            try write(copies: copies)
            for action in ["--check", "--write"] {
                let run = try sync(action)
                #expect(run.status == 2 && run.errors.contains("is the same file as"), "\(run)")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("x.yml")))
    }

    /// A copy that cannot be read or written is not one to edit.
    @Test(arguments: ["--check", "--write"]) func theStepAfterAFailureOfTheSystem(action: String) throws {
        try write(set: SyncTests.x1, SyncTests.x2)
        try FileManager.default.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: true)
        try write(copies: #"{"file":"sub","format":"okhttp"}"#)
        let run = try sync(action)
        #expect(run.status == 2 && run.errors.contains("next: fix the cause, then run sync again"), "\(run)")
    }

    /// Only formats that change nothing but their own pins can be in one file.
    @Test(arguments: [
        #"{"file":"a.txt","format":"okhttp","overwrite":true},{"file":"a.txt","format":"hpkp","overwrite":true}"#,
        #"{"file":"a.json","format":"pins"},{"file":"./a.json","format":"react-native"}"#,
        #"{"file":"a.plist","format":"apple"},{"file":"a.plist","format":"trustkit","overwrite":true}"#,
        #"{"file":"a.plist"},{"file":"a.plist","format":"trustkit"}"#,
    ])
    func refusesTwoFormatsInOneFile(copies: String) throws {
        try write(set: SyncTests.x1, SyncTests.x2)
        try write(copies: copies)
        for action in ["--check", "--write"] {
            let run = try sync(action)
            #expect(run.status == 2 && run.errors.contains("is the same file as"), "\(run)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("a.txt")))
    }

    /// A copy never replaces a key, a certificate or a list of names that sync reads, also through links.
    @Test(arguments: [
        #"{"file":"k.pem","format":"wultra","certificates":["c.pem"],"sign":"k.pem","overwrite":true}"#,
        #"{"file":"link.pem","format":"okhttp","overwrite":true},{"file":"w.json","format":"wultra","certificates":["c.pem"],"sign":"k.pem"}"#,
        #"{"file":"c.pem","format":"certificates-pem","certificates":["c.pem"]}"#,
        #"{"file":"in/c.pem","format":"certificates-pem","certificates":["in"]}"#,
        #"{"file":"in/new.pem","format":"certificates-pem","certificates":["in/"]}"#,
    ])
    func refusesCopiesThatAreInputs(copies: String) throws {
        try write(set: SyncTests.x1, SyncTests.x2)
        try write(copies: copies)
        try folder.write("key\n", to: "k.pem")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.pem"), withDestinationPath: "k.pem")
        try folder.write("certificate\n", to: "c.pem")
        try folder.write("certificate\n", to: "in/c.pem")
        for action in ["--check", "--write"] {
            let run = try sync(action)
            #expect(run.status == 2 && run.errors.contains("is also an input"), "\(run)")
        }
        try #expect(folder.text("k.pem") == "key\n")
        try #expect(folder.text("c.pem") == "certificate\n")
        try #expect(folder.text("in/c.pem") == "certificate\n")
    }

    /// Two folders that do not exist are not one.
    @Test func copiesInMissingFoldersAreSeparate() throws {
        try write(set: SyncTests.x1, SyncTests.x2)
        try write(copies: #"{"file":"a/Pins.kt"},{"file":"b/Pins.kt"},{"file":"Pins.kt"}"#)
        let run = try sync("--write")
        #expect(run.status == 2 && run.errors.contains(#"there is no folder "a""#), "\(run)")
        #expect(run.errors.contains(#"there is no folder "b""#) && !run.errors.contains("same file"), "\(run)")
        try #expect(folder.text("Pins.kt").contains(SyncTests.x1))
    }

    /// A named pipe without a writer never ends. The manifest names it, and no person at a shell.
    @Test func aSetThatIsAPipeIsAnError() throws {
        try #require(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
        try folder.write(#"{"version":1,"set":"pipe","copies":[{"file":"c.kt"}]}"#, to: "sync.json")
        let run = try sync("--check")
        #expect(run.status == 2 && run.errors.contains("it is not a regular file"), "\(run)")
    }

    /// A system call would use the path up to this character.
    @Test(arguments: [
        #"{"version":1,"set":"pins.json\u0000","copies":[{"file":"Pins.kt"}]}"#,
        #"{"version":1,"set":"pins.json","copies":[{"file":"Pins.kt\u0000.txt","format":"okhttp"}]}"#,
        #"{"version":1,"set":"pins.json","copies":[{"file":"Pins.kt","certificates":["a\u0000"]}]}"#,
    ]) func pathsWithNULAreErrors(manifest: String) throws {
        try write(set: SyncTests.x1, SyncTests.x2)
        try folder.write(manifest, to: "sync.json")
        let run = try sync("--write")
        #expect(run.status == 2 && run.errors.contains("contains the character NUL"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("Pins.kt")))
    }
}
