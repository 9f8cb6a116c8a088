#!/usr/bin/env python3
"""make-names.py table: prints Sources/Pinning/Host/UnicodeNFCTable.swift.
make-names.py vectors: prints Tests/Vectors/names.tsv.

It needs the packages idna 3.13 and unicodedata2 17.0.1, which contain the data of Unicode 17.
"""

import random
import sys

import idna
import unicodedata2 as unicode

LAST = 0x110000


def canonical(code):
    """Returns the canonical decomposition of one character, not applied recursively."""
    text = unicode.decomposition(chr(code))
    return [int(part, 16) for part in text.split()] if text and text[0] != "<" else []


def is_lower(code):
    return chr(code).lower() == chr(code)


def allowed(code):
    return idna.core.intranges_contain(code, idna.idnadata.codepoint_classes["PVALID"]) or code in (
        0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB, 0x200C, 0x200D, *range(0x660, 0x66A), *range(0x6F0, 0x6FA))


def useful(code):
    """Returns whether a name can contain the decomposition of this character. The table contains no other characters."""
    return is_lower(code) and all(allowed(ord(c)) for c in unicode.normalize("NFC", chr(code)))


# ---- the table ----------------------------------------------------------------------------------------------------

COMPATIBILITY = [(0xF900, 0xFAD9), (0x2F800, 0x2FA1D)]


def lines(scalars, width=76):
    text = "".join(chr(scalar) for scalar in scalars)
    return [text[start:start + width] for start in range(0, len(text), width)]


def table():
    pairs, excluded = {}, []
    for code in range(LAST):
        parts = canonical(code)
        if not parts or 0xAC00 <= code <= 0xD7A3 or any(low <= code <= high for low, high in COMPATIBILITY):
            continue
        if not useful(code):
            continue
        if len(parts) == 2 and unicode.normalize("NFC", chr(code)) == chr(code):
            pairs.setdefault(parts[1], []).append((parts[0], code))
        else:
            excluded.append((code, parts))
    print("""/// The canonical decompositions of Unicode 17 (UnicodeData.txt and CompositionExclusions.txt) that can occur in a host name, so
/// without upper-case letters.
///
/// Written by Tests/Vectors/make-names.py.
enum UnicodeNFCTable {
    /// For each mark: letters, each followed by the character that is composed of the letter and the mark.
    static let compositions: [(mark: UInt32, letters: String)] = [""")
    for mark in sorted(pairs):
        found = [scalar for pair in pairs[mark] for scalar in pair]
        rows = lines(found)
        if len(rows) == 1:
            print(f'        (0x{mark:04X}, "{rows[0]}"),')
        else:
            print(f"        (\n            0x{mark:04X},")
            print('            """\n' + "\n".join(f"            {row}\\" for row in rows[:-1]))
            print(f'            {rows[-1]}\n            """\n        ),')
    print("""    ]

    /// Characters that are always decomposed, or replaced by another character, with their decompositions.
    static let decompositions: [(whole: UInt32, parts: [UInt32])] = [""")
    row = "       "
    for code, parts in excluded:
        entry = f" (0x{code:04X}, [{', '.join(f'0x{part:04X}' for part in parts)}]),"
        if len(row + entry) > 118:
            print(row)
            row = "       "
        row += entry
    print(row + """
    ]

    /// Ranges of Han characters for compatibility with older character sets: the first of each range, and the unified character
    /// of each.
    static let compatibility: [(first: UInt32, unified: String)] = [""")
    for low, high in COMPATIBILITY:
        print(f'        (\n            0x{low:04X},\n            """')
        rows = lines([(canonical(code) or [code])[0] for code in range(low, high + 1)])
        print("\n".join(f"            {row}\\" for row in rows[:-1]))
        print(f'            {rows[-1]}\n            """\n        ),')
    print("    ]\n}")


# ---- vectors ------------------------------------------------------------------------------------------------------

DOTS = "\u3002\uff0e\uff61"
WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
for code in range(0xFF65, 0xFFA0):
    WIDE[code] = ord(unicode.normalize("NFKC", chr(code)))


def mapped(text):
    """Applies RFC 5895, section 2, in its order: case, width, composition, dots."""
    result = []
    for char in text:
        char = chr(WIDE.get(ord(char), ord(char)))
        if not allowed(ord(char)):
            # In Cherokee, case folding gives capital letters, and names contain these.
            lower = char.lower()
            char = char.upper() if 0xAB70 <= ord(char) <= 0xABBF or 0x13F8 <= ord(char) <= 0x13FD else lower
        result.append(char)
    return unicode.normalize("NFC", "".join("." if char in DOTS else char for char in result))


def expected(text):
    """Returns the A-labels of a name, or None if the package idna rejects one. The rules of RFC 5893 are not applied."""
    labels = []
    for label in mapped(text).split("."):
        try:
            if label.isascii():
                if not 1 <= len(label) <= 63 or not all(char.isalnum() or char in "-_" for char in label):
                    return None
                labels.append(label)
                continue
            if len(label) > 63 or label[2:4] == "--" or unicode.category(label[0])[0] == "M":
                return None
            for place, char in enumerate(label):
                code = ord(char)
                if idna.core.intranges_contain(code, idna.idnadata.codepoint_classes["PVALID"]) or char == "_":
                    continue
                if idna.core.intranges_contain(code, idna.idnadata.codepoint_classes["CONTEXTJ"]):
                    if not idna.valid_contextj(label, place):
                        return None
                elif idna.core.intranges_contain(code, idna.idnadata.codepoint_classes["CONTEXTO"]):
                    if not idna.valid_contexto(label, place):
                        return None
                else:
                    return None
            labels.append("xn--" + label.encode("punycode").decode())
            if len(labels[-1]) > 63:
                return None
        except (idna.IDNAError, ValueError):
            return None
    return ".".join(labels)


NAMES = """
bücher.example BÜCHER.Example bu\u0308cher.example straße.example STRASSE.example STRAẞE.example faß.de
ΣΊΣΥΦΟΣ.gr σίσυφος.gr σίσυφοσ.gr βόλος.com ΆΛΦΑ.gr ά.gr \u1f71.gr \u03b1\u0301.gr ᾳ\u0301.gr ᾧ.gr Ὠ.gr
ıstanbul.tr İstanbul.tr I\u0307stanbul.tr istanbul.tr пример.рф ПРИМЕР.РФ и\u0306.рф й.рф Ё.рф е\u0308.рф ї.ua
例え.テスト か\u3099き\u3099.jp がぎ.jp は\u309a.jp ﾊﾟﾋﾟ.jp ｶﾞ.jp ｱｲｳ.jp パ・ピ.jp ・.jp a・.jp 中国.cn 中國.台灣 \uf900\uf901.kr \ufa10.kr
\U0002f800.tw 한국.kr \u1112\u1161\u11ab\u1100\u116e\u11a8.kr \uac00\u11a8.kr \u1100\u1161\u1161.kr \u1100.kr ㄱ.kr ﾡ.kr
مثال.إختبار \u0627\u0653.com \u0648\u0654.com نامه\u200cای.ir نا\u200cنا.ir \u200cنا.ir نا\u200c.ir ن\u064b\u200c\u064bا.ir \u0661\u06f1.com \u0661\u0662.com
ไทย.com ราชอาณาจักร.ไทย उदाहरण.परीक्षा क़.भारत \u0915\u093c.भारत क्\u200dष.भारत क्\u200cष.भारत क\u200dष.भारत क\u200cष.भारत \u0928\u093c.in
ড়.bd \u09a1\u09bc.bd \u09c7\u09be.bd தமிழ்.இந்தியா \u0bc6\u0bbe.in ශ්\u200dරී.com \u0dd9\u0dcf\u0dca.lk \u1025\u102e.mm
ｅｘａｍｐｌｅ．ｃｏｍ ＥＸＡＭＰＬＥ。com example｡com １２.example ｘｎ－－bcher-kva.example MiXeD.Bücher.EXAMPLE xn--bcher-kva.example
l·l.cat paral·lel.cat l·a.cat ·l.cat α͵β.gr a͵b.gr ͵β.gr א׳.il א״ב.il ׳.il a׳.il
😀.example a😀.example i❤.ws ©.com ™.com ²x.com x².com ﬁ.com ª.com Ⅷ.com ℡.com ①.com ½.com ʰ.com ǆ.hr ǅ.hr ĳ.nl ŀ.cat
a\u00adb.com a\u200bb.com \ufeffa.com a\u2060b.com a\ufe0fb.com a\u0301.com \u0301a.com b.\u0301a ü\u0301.com a\u0323\u0302.vn a\u0302\u0323.vn ấ\u0323.vn ệ.vn e\u0323\u0302.vn e\u0302\u0323.vn
ü--x.com üx--y.com üxx--y.com xn--ü.com -ü.com ü-.com _ü.com ü_x.com ᏣᎳᎩ.com ꮳꮃꭹ.com ᏸ.com Ა.ge Ⴀ.ge ა.ge 〇.com ー.jp 々.jp ゝ\u3099.jp
\u0344.com \u0958.com \ufb1d.il \ufb2a.il \u05e9\u05c1.il \u212bngstrom.com \u2126.com \u212a.com ẛ.com ſ.com ẞ.com \u1e9b\u0323.com \u0f43.bt \u0f42\u0fb7.bt
\U00011099\U000110ba.in \U0001d400.com \U0001f1e6.com \ue000.com \U000e0001.com \uffff.com \U0001fffe.com \u0378.com \u3164.kr \u115f.kr \u061c.com \u180e.com
\u0640.com \u07fa.com \u302e.com \u3031.com \u303b.com \u06fd.com \u0f0b.com \u20d0a.com a\u20d0.com \U0001d165.com ˈ.com a\u1dca\u0300.com
""".split()


def run_of(alphabet, generator):
    return "".join(generator.choice(alphabet) for _ in range(generator.randint(1, 8)))


def random_names():
    """Returns random letters of a script with marks that compose with them. Many results are not valid names."""
    generator = random.Random(5895)
    alphabets = [
        "aeiouAEIOUnsz" + "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030c\u031b\u0323\u0327\u0328\u0331",
        "αειουωΑΕΗρς" + "\u0300\u0301\u0304\u0306\u0308\u0313\u0314\u0342\u0345\u1f71\u1fb3",
        "ийеуѣИЕ" + "\u0300\u0301\u0304\u0306\u0308", "かきはウワヲ" + "\u3099\u309aｶﾊﾞﾟ・",
        "\u1100\u1101\u1112\u1161\u1162\u1175\u11a7\u11a8\u11c2\uac00\uac01\ud788", "اويه\u0653\u0654\u0655\u0670\u064b\u200c",
        "कनर\u093c\u094d\u093f\u200d\u200c\u0958", "শড়\u09bc\u09c7\u09be\u09d7\u09cd", "ಕ\u0cc6\u0cc2\u0cbf\u0cd5\u0cd6",
        "ක\u0dd9\u0dca\u0dcf\u0ddf\u200d", "\u0f40\u0f42\u0fb7\u0f71\u0f72\u0f74\u0f80\u0f90\u0fb5", "שא\u05b7\u05bc\u05c1\u05c2\ufb2a",
        "\u1b05\u1b3a\u1b35\u1025\u102e", "aüߣ-1l·_", "漢\uf91e字\ufa46〇々",
    ]
    for alphabet in alphabets:
        for _ in range(24):
            yield run_of(alphabet, generator) + ".example"


def vectors():
    print("# name\tits A-labels, or - if it is rejected")
    print(f"# by idna {idna.__version__} and unicodedata2 {unicode.unidata_version}")
    seen = set()
    for name in [*NAMES, *random_names()]:
        if name in seen:
            continue
        seen.add(name)
        # Write code points, because an editor could otherwise compose the characters.
        spelling = "".join(char if char.isascii() else f"\\u{{{ord(char):x}}}" for char in name)
        print(f"{spelling}\t{expected(name) or '-'}")


if __name__ == "__main__":
    commands = {"table": table, "vectors": vectors}
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]]()
