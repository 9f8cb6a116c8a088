#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// What happens to a file, its attributes and the exit status if another process or a signal comes at the moment at which pinctl
    /// replaces or creates a file (Tests/FaultInjection/moments.c).
    @Suite(.blocking) struct ReplacementTests {
        private static let library = Result<String, any Error> {
            let folder = try TemporaryFolder("moments")
            let source = Repository.path("Tests/FaultInjection/moments.c")
            let library = folder.path("moments.so")
            _ = try ChildProcess.output(of: ["clang", "-shared", "-fPIC", "-o", library, source, "-ldl"])
            return library
        }

        private static let pins = [
            "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=", "hUcFFip1z0GOioWs8QmYV5gIdp2/HK7UBvar+BfuTNU=",
        ]
        private static let add = ["add", "--pins", "pins.json", "--pin", pins[1], "api.example.com"]

        private let folder: TemporaryFolder
        private let old: String

        init() throws {
            folder = try TemporaryFolder("replacement")
            old = #"{"version":1,"hosts":{"api.example.com":{"pins":["\#(Self.pins[0])"]}}}"# + "\n"
            try folder.write(old, to: "pins.json")
        }

        private func run(_ arguments: [String], _ variables: [String: String]) throws -> ChildProcess.Outcome {
            let environment = TestEnvironment.base.merging(["LD_PRELOAD": try Self.library.get()]) { $1 }
            return try ChildProcess.run(
                [PinctlRun.executable] + arguments, environment: environment.merging(variables) { $1 },
                folder: folder.url)
        }

        private func python(_ line: String) -> String { "python3 -c 'import os, struct; \(line)'" }

        /// The access control list of version 2 with one named user: tag, permissions and identifier of each entry
        /// (linux/posix_acl_xattr.h).
        private static let list =
            #"struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *e) for e in [(1, 6, -1), (2, 6, 65534), (4, 4, -1), (16, 6, -1), (32, 4, -1)])"#

        // MARK: Attributes

        enum Change: CaseIterable {
            case mode, attribute, removedAttribute, accessControlList, removedList
        }

        /// Another process changes an attribute after the last check of pinctl, before the file is replaced.
        @Test(arguments: Change.allCases, [true, false])
        func keepsAChangeBeforeTheReplacement(change: Change, canExchange: Bool) throws {
            defer { folder.remove() }
            let set = #"os.setxattr("pins.json", "user.note", b"1")"#
            let setList = #"os.setxattr("pins.json", "system.posix_acl_access", \#(Self.list))"#
            let (before, command, shown, expected) =
                switch change {
                case .mode:
                    ("pass", #"os.chmod("pins.json", 0o640)"#, #"oct(os.stat("pins.json").st_mode)"#, "0o100640")
                case .attribute: ("pass", set, #"os.getxattr("pins.json", "user.note")"#, "b'1'")
                case .removedAttribute:
                    (set, #"os.removexattr("pins.json", "user.note")"#, #"os.listxattr("pins.json")"#, "[]")
                case .accessControlList:
                    (
                        "pass", setList, #"os.getxattr("pins.json", "system.posix_acl_access") == \#(Self.list)"#,
                        "True"
                    )
                case .removedList:
                    (
                        setList, #"os.removexattr("pins.json", "system.posix_acl_access")"#,
                        #"os.listxattr("pins.json")"#,
                        "[]"
                    )
                }
            _ = try ChildProcess.output(of: ["sh", "-c", python(before)], folder: folder.url)
            var variables = ["MOMENT": "replace", "MOMENT_BEFORE": python(command)]
            if !canExchange { variables["NO_EXCHANGE"] = "1" }
            let run = try run(Self.add, variables)
            #expect(run.end == .exit(0), "\(run.errors)")
            let result = try ChildProcess.output(of: ["sh", "-c", python("print(\(shown))")], folder: folder.url)
            #expect(String(decoding: result, as: UTF8.self) == "\(expected)\n")
            try #expect(folder.text("pins.json").contains(Self.pins[1]) && folder.names() == ["pins.json"])
        }

        /// The system removes the set-group-ID bit without an error, if the process is not in the group and has no right to set the bit.
        @Test(.enabled(if: geteuid() == 0, "only root can give up the right"), arguments: [true, false])
        func keepsTheFileIfTheSetGroupIDBitWouldBeLost(mayKeepIt: Bool) throws {
            defer { folder.remove() }
            let path = folder.path("pins.json")
            let isPrepared = unsafe chown(path, 0, 1000) == 0 && chmod(path, 0o2775) == 0
            try #require(isPrepared)
            let drop = mayKeepIt ? [] : ["setpriv", "--bounding-set=-fsetid", "--inh-caps=-fsetid"]
            let outcome = try ChildProcess.run(
                drop + [PinctlRun.executable] + Self.add, environment: TestEnvironment.base, folder: folder.url)
            #expect(outcome.end == .exit(mayKeepIt ? 0 : 2), "\(outcome.errors)")
            if !mayKeepIt {
                #expect(outcome.errors.contains("cannot change \"pins.json\""), "\(outcome.errors)")
                try #expect(folder.text("pins.json") == old)
            }
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o2775)
            #expect(attributes[.groupOwnerAccountID] as? Int == 1000)
            try #expect(folder.names() == ["pins.json"])
        }

        /// The system has no space for an attribute, or cannot read it: the old file stays. Output that is complete has another name,
        /// and permissions for the owner only.
        @Test(arguments: [
            ("fsetxattr", ENOSPC), ("fsetxattr", EDQUOT), ("fsetxattr", EIO), ("fsetxattr", EPERM), ("fgetxattr", EIO),
            ("flistxattr", EIO),
        ]) func refusesToLoseAnAttribute(call: String, code: Int32) throws {
            defer { folder.remove() }
            let set = #"os.setxattr("pins.json", "user.note", b"1")"#
            _ = try ChildProcess.output(of: ["sh", "-c", python(set)], folder: folder.url)
            try folder.write("old", to: "Pins.kt")
            _ = try ChildProcess.output(
                of: ["sh", "-c", python(set.replacing("pins.json", with: "Pins.kt"))], folder: folder.url)
            for arguments in [Self.add, ["convert", "--to", "okhttp", "-o", "Pins.kt", "pins.json"]] {
                let run = try run(arguments, ["ATTRIBUTE_CALL": call, "ATTRIBUTE_ERROR": "\(code)"])
                #expect(run.end == .exit(2), "\(run.errors)")
                #expect(run.errors.contains("user.note") == (call != "flistxattr"), "\(run.errors)")
                #expect(run.errors.hasPrefix("pinctl: error: cannot change "), "\(run.errors)")
                let keeps = call != "flistxattr" && arguments[0] == "convert"
                #expect(run.errors.contains("hint: use the output in ") == keeps, "\(run.errors)")
            }
            try #expect(folder.text("pins.json") == old && folder.text("Pins.kt") == "old")
            let kept = try folder.names().filter { !["Pins.kt", "pins.json"].contains($0) }
            #expect(kept.count == (call == "flistxattr" ? 0 : 1))
            for name in kept {
                let mode = try ChildProcess.output(of: ["stat", "-c", "%a", name], folder: folder.url)
                try #expect(folder.text(name).contains("CertificatePinner"))
                #expect(name.hasPrefix("Pins.kt.") && String(decoding: mode, as: UTF8.self) == "600\n")
            }
        }

        @Test func namesAnAttributeThatOnlyTheSystemSets() throws {
            defer { folder.remove() }
            let run = try run(Self.add, ["ATTRIBUTE_OF_SYSTEM": "1"])
            #expect(run.end == .exit(0), "\(run.errors)")
            let warning =
                #"pinctl: warning: "pins.json" lost the extended attribute "security.test": operation not permitted"#
            #expect(run.errors.contains(warning), "\(run.errors)")
        }

        // MARK: Versions of other processes

        private func replace(_ mark: String) throws -> String {
            try folder.write(old.replacing("api.example.com", with: "\(mark).example"), to: mark)
            return "mv \(mark) pins.json"
        }

        /// One editor replaces the file just before pinctl does, and another one just after.
        @Test func keepsTheVersionsOfTwoEditors() throws {
            defer { folder.remove() }
            let variables = try ["MOMENT": "replace", "MOMENT_BEFORE": replace("one"), "MOMENT_AFTER": replace("two")]
            let run = try run(Self.add, variables)
            #expect(run.end == .exit(3), "\(run.errors)")
            try #expect(folder.text("pins.json").contains("two.example"))
            let kept = try folder.names().filter { $0 != "pins.json" }
            #expect(
                kept.count == 1
                    && kept.allSatisfy { run.errors.contains("/\($0)\" contains the version of one of them") },
                "\(run.errors)")
            for name in kept { try #expect(folder.text(name).contains("one.example")) }
        }

        /// One editor replaces the file just before pinctl does, and another one just after removes it or moves it away.
        @Test(arguments: ["rm pins.json", "mv pins.json pins.json~"]) func keepsTheVersionIfTheFileIsRemoved(
            after: String
        ) throws {
            defer { folder.remove() }
            let run = try run(
                Self.add, ["MOMENT": "replace", "MOMENT_BEFORE": replace("one"), "MOMENT_AFTER": after])
            #expect(run.end == .exit(3), "\(run.errors)")
            let kept = try folder.names().filter { !["pins.json", "pins.json~"].contains($0) }
            #expect(kept.count == 1, "\(kept)")
            for name in kept {
                #expect(run.errors.contains("/\(name)\" contains the version of one of them"), "\(run.errors)")
                try #expect(folder.text(name).contains("one.example"))
            }
        }

        /// The signal comes while the version of an editor has a temporary name.
        @Test(arguments: [SIGTERM, SIGHUP, SIGINT]) func aSignalLosesNoVersion(signal: Int32) throws {
            defer { folder.remove() }
            let edit = try replace("one") + "; sed -i s/one.example/api.example.com/ pins.json"
            let run = try run(
                Self.add,
                ["MOMENT": "replace", "MOMENT_BEFORE": edit + "; echo >> pins.json", "MOMENT_SIGNALS": "\(signal)"])
            #expect(run.end == (signal == SIGINT ? .exit(0) : .signal(signal)), "\(run.errors)")
            let text = try folder.text("pins.json")
            #expect(text.hasSuffix("\n\n") && text.contains(Self.pins[1]) == (signal == SIGINT), "\(text)")
            // pinctl's own version may remain.
            for name in try folder.names() where name.hasPrefix("pins.json.") {
                try #expect(signal != SIGINT && folder.text(name).contains(Self.pins[1]))
            }
        }

        // MARK: Ctrl-C

        /// Commands that write, with the files that exist afterwards, and the call that gives the first file its name.
        private static let commands: [(arguments: [String], moment: String, written: [String])] = [
            (add, "replace", []),
            (["convert", "--to", "okhttp", "-o", "new", "pins.json"], "name", ["new"]),
            (["keygen", "--no-encrypt", "k.key"], "name", ["k.csr", "k.key"]),
            (["sync", "--write", "sync.json"], "name", ["a.kt", "b.kt", "c.kt"]),
            (["lint", "--html", "new.html", "pins.json"], "name", ["new.html"]),
            (["convert", "--to", "chromium", "-o", ".", "pins.json"], "name", chromium),
        ]

        private static let chromium = [
            "transport_security_state_static.pins", "transport_security_state_static_pins.json",
        ]

        private func prepare() throws -> [String] {
            let copies = ["a", "b", "c"].map { #"{"file":"\#($0).kt"}"# }.joined(separator: ",")
            try folder.write(#"{"version":1,"set":"pins.json","copies":[\#(copies)]}"#, to: "sync.json")
            return try folder.names()
        }

        /// Status 130 means that pinctl wrote nothing. A run that has begun to write finishes.
        @Test(arguments: commands.indices) func anInterruptedRunFinishesWriting(index: Int) throws {
            defer { folder.remove() }
            let command = Self.commands[index]
            let before = try prepare()
            let expected = try run(command.arguments, [:])
            let after = try folder.names()
            #expect(after == (before + command.written).sorted(), "\(expected.errors)")
            for name in command.written { _ = unsafe unlink(folder.path(name)) }
            try folder.write(old, to: "pins.json")
            let run = try run(command.arguments, ["MOMENT": command.moment, "MOMENT_SIGNALS": "\(SIGINT)"])
            #expect(run.end == expected.end, "\(run.errors)")
            try #expect(folder.names() == after)
            if command.written.isEmpty { try #expect(folder.text("pins.json") != old) }
        }

        /// The signal comes after the first of two files has its name.
        @Test(arguments: [SIGTERM, SIGHUP]) func aSignalComesAfterAllFiles(signal: Int32) throws {
            defer { folder.remove() }
            let run = try run(
                ["convert", "--to", "chromium", "-o", ".", "pins.json"],
                ["MOMENT": "name", "MOMENT_SIGNALS": "\(signal)"])
            #expect(run.end == .signal(signal), "\(run.errors)")
            try #expect(folder.names() == (["pins.json"] + Self.chromium).sorted())
        }

        /// The signal comes when the first of two new versions is complete, or while another process has locked the file.
        @Test(arguments: [SIGTERM, SIGHUP, SIGINT], [false, true])
        func aSignalBeforeTheFirstOfSeveralFilesWritesNothing(signal: Int32, isLocked: Bool) throws {
            defer { folder.remove() }
            let convert = ["convert", "--to", "chromium", "-o", ".", "pins.json"]
            try #expect(run(convert, [:]).end == .exit(0))
            let before = try Self.chromium.map { try folder.text($0) }
            try folder.write(old.replacing(Self.pins[0], with: Self.pins[1]), to: "pins.json")
            // The lock ends with pinctl, which is the parent of the shell.
            let file = Self.chromium[0]
            let holder = #"flock \#(file) sh -c "while kill -0 $PPID; do sleep 0.05; done" 2>/dev/null"#
            let lock = isLocked ? "\(holder) & while flock -n \(file) true; do :; done" : ""
            let run = try run(convert, ["MOMENT": "lock", "MOMENT_BEFORE": lock, "MOMENT_SIGNALS": "\(signal)"])
            #expect(run.end == .signal(signal), "\(run.errors)")
            try #expect(Self.chromium.map { try folder.text($0) } == before)
            try #expect(folder.names() == (["pins.json"] + Self.chromium).sorted())
        }

        @Test func anInterruptionBeforeTheFirstFileWritesNothing() throws {
            defer { folder.remove() }
            let run = try run(Self.add, ["MOMENT": "lock", "MOMENT_SIGNALS": "\(SIGINT)"])
            #expect(run.end == .signal(SIGINT), "\(run.errors)")
            try #expect(folder.text("pins.json") == old && folder.names() == ["pins.json"])
        }

        /// The second one ends a run that cannot finish, for example because the reader of its output does not read.
        @Test func aSecondInterruptionEndsTheRun() throws {
            defer { folder.remove() }
            let run = try run(Self.add, ["MOMENT": "replace", "MOMENT_SIGNALS": "\(SIGINT) \(SIGINT)"])
            #expect(run.end == .signal(SIGINT), "\(run.errors)")
        }
    }
#endif
