/// Why a host may have addresses that name resolution did not return.
struct LookUpProblem {
    enum Cause {
        /// The look-up failed, or its answer is incomplete.
        case failure
        /// A setting of the machine hides addresses.
        case setting
    }

    /// A clause.
    let reason: String
    var cause = Cause.failure
}
