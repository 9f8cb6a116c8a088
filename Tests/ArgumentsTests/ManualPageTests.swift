import SampleTool
import Testing

@testable import Arguments

struct ManualPageTests {
    private func page(_ subject: HelpSubject) -> String {
        Help.page(subject, .manualPage, of: SampleTool.tool, width: 80)
    }

    @Test func commandWithARequiredOption() {
        #expect(
            page(.command(SampleTool.keep)) == """
                .Dd June 1, 2027
                .Dt BREW-KEEP 1
                .Os
                .Sh NAME
                .Nm brew-keep
                .Nd put a tin away
                .Sh SYNOPSIS
                .Nm "brew keep"
                .Fl -tin Ar TIN
                .Op Ar OPTIONS
                .Ar SHELF...
                .Sh DESCRIPTION
                .Bl -tag -width Ds
                .It Ar SHELF...
                shelves to fill
                .El
                .Pp
                Tin options:
                .Bl -tag -width Ds
                .It Fl -tin Ar TIN
                the tin to put there (required)
                .El
                .Pp
                General options:
                .Bl -tag -width Ds
                .It Fl h , Fl -help
                show this help
                .El
                .Sh SEE ALSO
                .Xr brew 1 ,
                .Xr brew-tea-tin 5

                """)
    }

    @Test func topicIsInSectionFive() {
        #expect(
            page(.topic(SampleTool.tool.topics[0])) == """
                .Dd June 1, 2027
                .Dt BREW-TEA-TIN 5
                .Os
                .Sh NAME
                .Nm brew-tea-tin
                .Nd what a tin is
                .Sh DESCRIPTION
                A tin has a lid.
                .Sh SEE ALSO
                .Xr brew 1

                """)
    }

    @Test func eachSentenceHasItsOwnLine() {
        #expect(
            page(.command(SampleTool.make)).contains(
                ".Sh HOURS AND HARDNESS\nCold water needs hours instead of minutes.\nBoil"))
    }

    /// Text that would be markup stays text.
    @Test func charactersOfTheMarkupAreEscaped() {
        let note = Note("Description", ".Sh is a \\ macro, 'as' \"here\" ~ ^ `")
        let page = page(.topic(Topic("x", summary: "-", notes: [note])))
        #expect(page.contains("\n\\&.Sh is a \\e macro, \\(aqas\\(aq \\(dqhere\\(dq \\(ti \\(ha \\(ga\n"), "\(page)")
    }
}
