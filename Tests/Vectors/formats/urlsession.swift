import Foundation

final class PinnedRequest: NSObject, URLSessionDelegate {
    let requests = [
        Request(
            // The comment of the pin names "https://old.example.com".
            url: "https://api.example.com/v1?x=1",
            pinnedKey: "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="  // ISRG Root X1
        )
    ]
    let pins = ["other.example.com": ["diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI=", "not a pin"]]

    func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) async {}
}
