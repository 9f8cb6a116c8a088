import Foundation
import TestSupport
import Testing

@testable import Commands

/// Changing a file in its place, as `--into` does.
@Suite struct ConvertReplacingTests {
    private func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test(arguments: [0o600, 0o640, 0o755]) func keepsPermissions(mode: Int) throws {
        let folder = try TemporaryFolder("replacing")
        let path = try folder.write("old and longer", to: "file")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        try OutputFile.replace(path, with: Array("new".utf8))
        #expect(try folder.text("file") == "new")
        #expect(try self.mode(of: path) == mode)
        #expect(try folder.names() == ["file"])
    }

    @Test func aLinkStaysALink() throws {
        let folder = try TemporaryFolder("replacing")
        try folder.write("old", to: "real/file")
        for (link, target) in [("link", "real/file"), ("second", "link")] {
            try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
        }
        try OutputFile.replace(folder.path("second"), with: Array("new".utf8))
        #expect(try folder.text("real/file") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("second")) == "link")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "real/file")
    }

    @Test(arguments: ["missing", "folder/", "dangling"]) func saysWhatCannotBeChanged(name: String) throws {
        let folder = try TemporaryFolder("replacing")
        try folder.write("x", to: "folder/file")
        try FileManager.default.createSymbolicLink(atPath: folder.path("dangling"), withDestinationPath: "nowhere")
        #expect(throws: CommandError.self) { try OutputFile.replace(folder.path(name), with: [1]) }
        #expect(try folder.names() == ["dangling", "folder"])
    }
}
