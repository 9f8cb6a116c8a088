/// The rules for platforms whose own file is the pin set.
extension ConclusionRules {
    /// A trusted chain that the platform rejects although it has a key of the set, or although no pin of the set can be read. Nil if the
    /// platform accepts the chain, or if the chain has none of the pins.
    ///
    /// - Parameter start: What the program did, as the start of the sentence.
    func onRefusal(_ start: String = "") -> Conclusion? {
        guard onApple, let live, let refusal = evidence.refusal, expected.isEmpty || !expected.isDisjoint(with: live)
        else { return nil }
        let sentence = "\(start)Apple's systems reject the host's chain, which is trusted here: \(refusal.rule)"
        return switch refusal.cause {
        case .set(let reason): Conclusion(.wrongSet, .verify, "\(sentence); \(reason)")
        case .keys: Conclusion(.rotation, .verify, sentence + cause)
        case .unknown: Conclusion(.undecided, .verify, sentence)
        }
    }
}
