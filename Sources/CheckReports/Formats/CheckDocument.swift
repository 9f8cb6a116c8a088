/// Document formats that are views of a ``CheckRun``.
package enum CheckDocument: CaseIterable, Sendable {
    case junit, sarif, github, prometheus
}
