/// One thing that is wrong with how Weir was called or configured, as a sentence that says where.
package struct UsageProblem: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// All that is wrong with how Weir was called; never empty.
package struct UsageProblems: Error, Equatable {
    package let all: [UsageProblem]

    package init(_ all: [UsageProblem]) {
        self.all = all
    }
}
