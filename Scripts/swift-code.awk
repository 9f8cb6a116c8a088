# Separates the code of a Swift source file from comments and string literals.
#   awk -v view=code      prints file:line:code, without comments and with empty string literals
#   awk -v view=endings   prints file:line:text, the end of each string literal (with "\()" for an interpolation)
#   awk -v view=words     prints file:line:text, the text of comments and string literals
# Interpolations count as code. Literals of regular expressions are not supported.
function flush() {
    if (view == "code" && code !~ /^[ \t]*$/) print FILENAME ":" FNR ":" code
    if (view == "words" && words !~ /^[ \t]*$/) print FILENAME ":" FNR ":" words
    code = ""
    words = ""
}
# The state is a stack of open strings: the delimiter, the number signs, and the count of open parentheses in the interpolation.
FNR == 1 { depth = 0; comment = 0; inside = 0; code = ""; text = ""; words = "" }
{
    line = $0
    n = length(line)
    i = 1
    while (i <= n) {
        rest = substr(line, i)
        c = substr(rest, 1, 1)
        if (comment) {
            if (substr(rest, 1, 2) == "*/") { comment--; i += 2 }
            else if (substr(rest, 1, 2) == "/*") { comment++; i += 2 }
            else { words = words c; i++ }
        } else if (inside) {
            escape = "\\" hashes[depth]
            if (substr(rest, 1, length(quote[depth]) + length(hashes[depth])) == quote[depth] hashes[depth]) {
                if (view == "endings") { sub(/[ \t]+$/, "", text); print FILENAME ":" FNR ":" text }
                i += length(quote[depth]) + length(hashes[depth])
                code = code "\""
                depth--
                inside = 0
            } else if (substr(rest, 1, length(escape)) == escape) {
                if (substr(rest, length(escape) + 1, 1) == "(") {
                    parentheses[depth] = 1
                    inside = 0
                    code = code " "
                    i += length(escape) + 1
                } else {
                    text = text substr(rest, 1, length(escape) + 1)
                    words = words " "
                    i += length(escape) + 1
                }
            } else { text = text c; words = words c; i++ }
        } else if (substr(rest, 1, 2) == "//") {
            words = words " " substr(rest, 3)
            break
        } else if (substr(rest, 1, 2) == "/*") {
            comment = 1
            i += 2
        } else if (match(rest, /^#*"/)) {
            depth++
            hashes[depth] = substr(rest, 1, RLENGTH - 1)
            quote[depth] = substr(rest, RLENGTH, 3) == "\"\"\"" ? "\"\"\"" : "\""
            i += RLENGTH - 1 + length(quote[depth])
            code = code "\""
            inside = 1
            text = ""
            words = words " "
        } else {
            if (depth > 0 && c == "(") parentheses[depth]++
            if (depth > 0 && c == ")" && --parentheses[depth] == 0) { inside = 1; text = "\\()"; c = " " }
            code = code c
            i++
        }
    }
    # Only a string with three quotes continues on the next line.
    if (inside && quote[depth] == "\"") { depth--; inside = 0 }
    flush()
}
