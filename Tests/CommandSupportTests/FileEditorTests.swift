import Foundation
import TestSupport
import Testing

@testable import CommandSupport
@testable import Commands
@testable import StagedFiles

/// Changes of an existing file, as `--write` and `--into` make them.
@Suite struct FileEditorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("editor") }

    private func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: target)
    }

    /// Replaces a file as some editors do: it writes a new file and renames it.
    private func replace(_ name: String, with text: String) throws {
        try folder.write(text, to: "editor's")
        try #require(unsafe rename(folder.path("editor's"), folder.path(name)) == 0)
    }

    /// Writes into a file as `echo >>` does.
    private func append(_ text: String, to name: String) throws {
        let file = try FileHandle(forUpdating: URL(filePath: folder.path(name)))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    #if os(Linux)
        /// Without its access control list, the file could be read by its whole group: the group bits of the mode are the mask of the
        /// list (acl(5)).
        @Test func keepsExtendedAttributes() throws {
            defer { folder.remove() }
            let path = try folder.write("old", to: "file")
            // Version 2, then tag, permissions and identifier of each entry (linux/posix_acl_xattr.h).
            let script = """
                import os, struct, sys
                entries = [(1, 6, -1), (2, 6, 65534), (4, 0, -1), (16, 6, -1), (32, 0, -1)]
                acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
                if len(sys.argv) > 2:
                    os.setxattr(sys.argv[1], "user.note", b"by hand")
                    os.setxattr(sys.argv[1], "system.posix_acl_access", acl)
                print(os.getxattr(sys.argv[1], "user.note"), os.getxattr(sys.argv[1], "system.posix_acl_access") == acl)
                """
            let before = try ChildProcess.output(of: ["python3", "-c", script, path, "set"])
            try FileEditor.change(path) { _ in Array("new".utf8) }
            try #expect(folder.text("file") == "new")
            let after = try ChildProcess.output(of: ["python3", "-c", script, path])
            #expect(String(decoding: after, as: UTF8.self) == "b'by hand' True\n")
            #expect(after == before)
        }

        /// Only the system sets attributes outside the class "user", and it may not permit this user to set them (xattr(7)).
        @Test func attributesThatCanBeLost() {
            #expect(ExtendedAttributes.canBeLost("security.selinux", EPERM))
            #expect(ExtendedAttributes.canBeLost("trusted.note", ENOTSUP))
            #expect(!ExtendedAttributes.canBeLost("security.selinux", ENOSPC))
            for name in ["user.note", "system.posix_acl_access", "system.nfs4_acl"] {
                #expect(!ExtendedAttributes.canBeLost(name, EPERM), "\(name)")
            }
        }
    #endif

    @Test(arguments: [0o600, 0o640, 0o755, 0o4711]) func keepsPermissions(mode: Int) throws {
        defer { folder.remove() }
        let path = try folder.write("old and longer", to: "file")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        try FileEditor.change(path) { _ in Array("new".utf8) }
        #expect(try folder.text("file") == "new")
        #expect(try self.mode(of: path) == mode)
        #expect(try folder.names() == ["file"])
    }

    @Test func keepsLinks() throws {
        defer { folder.remove() }
        try folder.write("old", to: "real/file")
        try link("link", to: "real/file")
        try link("second", to: "link")
        try FileEditor.change(folder.path("second")) { _ in Array("new".utf8) }
        #expect(try folder.text("real/file") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("second")) == "link")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "real/file")
    }

    @Test(arguments: ["missing", "folder/", "dangling", "pipe"]) func rejectsFilesThatItCannotChange(name: String)
        throws
    {
        defer { folder.remove() }
        try folder.write("x", to: "folder/file")
        try link("dangling", to: "nowhere")
        try #require(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
        #expect(throws: CommandError.self) { try FileEditor.change(folder.path(name)) { _ in [1] } }
        #expect(try folder.names() == ["dangling", "folder", "pipe"])
    }

    /// rename(2): EBUSY for a mount point. chown(2): EPERM for a file of another owner.
    @Test func saysWhatToDoIfAFileCannotBeReplaced() {
        for (code, hint) in [(EBUSY, "mount the folder"), (EPERM, "as the owner of the file"), (ENOSPC, nil)] {
            for error in [LockedFile.failure("a", code), OutputFile.failure("a", code)] {
                let contains = hint.map { error.hint?.contains($0) == true } ?? (error.hint == nil)
                #expect(contains, "\(error)")
            }
        }
    }

    @Test func doesNotWriteAnUnchangedFile() throws {
        defer { folder.remove() }
        let path = try folder.write("same", to: "file")
        let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        try FileEditor.change(path) { $0 }
        try FileEditor.change(path) { _ in nil }
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int == before)
    }

    /// An editor replaces the file by a rename while pinctl computes the new contents.
    @Test func retriesAfterAReplacement() throws {
        defer { folder.remove() }
        let path = try folder.write("a", to: "file")
        var calls = 0
        try FileEditor.change(path) { contents throws(CommandError) in
            calls += 1
            if calls == 1 { try? replace("file", with: "person's ") }
            return contents + Array("ours".utf8)
        }
        #expect(calls == 2)
        #expect(try folder.text("file") == "person's ours")
        #expect(try folder.names() == ["file"])
    }

    /// An editor writes into the file before pinctl takes the lease. Later, on a system with leases, the editor would have to wait.
    @Test func replacesOnlyTheExpectedContents() throws {
        defer { folder.remove() }
        let path = try folder.write("a", to: "file")
        try append("b", to: "file")
        func replace(expecting expected: String) throws -> Bool {
            try StagedChange.make { [FileEditor.stage(path, expecting: Array(expected.utf8), with: Array("new".utf8))] }
        }
        #expect(try !replace(expecting: "a"))
        #expect(try folder.text("file") == "ab")
        #expect(try replace(expecting: "ab"))
        #expect(try folder.text("file") == "new" && folder.names() == ["file"])
    }

    // MARK: --output

    @Test func anOutputFileKeepsItsPermissions() throws {
        defer { folder.remove() }
        let path = try folder.write("old", to: "file")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try OutputFile(path).write(Array("new".utf8))
        #expect(try folder.text("file") == "new")
        #expect(try mode(of: path) == 0o600)
    }

    @Test func anOutputFileFollowsADanglingLink() throws {
        defer { folder.remove() }
        try folder.write("x", to: "real/other")
        try link("link", to: "second")
        try link("second", to: "real/file")
        try OutputFile(folder.path("link")).write(Array("new".utf8))
        #expect(try folder.text("real/file") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "second")
        try link("far", to: "no-folder/file")
        #expect(throws: CommandError.self) { _ = try OutputFile(folder.path("far")) }
    }

    /// The contents that the other program wrote stay. pinctl stores its output in a file next to them.
    @Test(arguments: [true, false]) func anOutputFileIsNotOverwrittenAfterAChange(isReplaced: Bool) throws {
        defer { folder.remove() }
        let path = try folder.write("old", to: "file")
        let output = try OutputFile(path)
        if isReplaced { try replace("file", with: "OLD") } else { try append("!", to: "file") }
        let error = #expect(throws: CommandError.self) { try output.write(Array("new".utf8)) }
        #expect(error?.status == .undecided)
        #expect(try folder.text("file") == (isReplaced ? "OLD" : "old!"))
        let kept = try folder.names().filter { $0 != "file" }
        #expect(kept.count == 1 && kept[0].hasPrefix("file."))
        #expect(try folder.text(kept[0]) == "new")
        #expect(error?.hint?.contains(kept[0]) == true)
    }

    @Test func anOutputFileThatAppearsIsNotOverwritten() throws {
        defer { folder.remove() }
        let output = try OutputFile(folder.path("file"))
        try folder.write("theirs", to: "file")
        #expect(throws: CommandError.self) { try output.write(Array("new".utf8)) }
        #expect(try folder.text("file") == "theirs")
    }

    // MARK: New files

    @Test func onlyTheOwnerCanReadASecretFile() throws {
        defer { folder.remove() }
        try NewFile.create(secret: (folder.path("key"), Array("k".utf8)), (folder.path("request"), Array("r".utf8)))
        #expect(try folder.text("key") == "k")
        #expect(try mode(of: folder.path("key")) == 0o600)
        #expect(try folder.text("request") == "r")
        #expect(try folder.names() == ["key", "request"])
    }

    @Test(arguments: ["key", "request"]) func createsBothFilesOrNeither(existing: String) throws {
        defer { folder.remove() }
        try folder.write("mine", to: existing)
        #expect(throws: CommandError.self) {
            try NewFile.create(secret: (folder.path("key"), [1]), (folder.path("request"), [2]))
        }
        #expect(try folder.text(existing) == "mine")
        #expect(try folder.names() == [existing])
    }

    /// The permissions that another process sets during a change are kept.
    @Test func keepsAttributesThatChangeMeanwhile() throws {
        try folder.write("a", to: "set")
        var calls = 0
        try FileEditor.change(folder.path("set")) { _ in
            calls += 1
            if calls == 1 { #expect(unsafe chmod(folder.path("set"), 0o640) == 0) }
            return Array("b".utf8)
        }
        #expect(calls == 2)
        #expect(try mode(of: folder.path("set")) == 0o640)
        #expect(try folder.text("set") == "b")
    }
}
