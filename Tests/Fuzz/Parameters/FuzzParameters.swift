import FuzzHarness
import Multipart
import TestSupport
import Wire

/// Field values with parameters: what the grammar allows is read as the grammar says and reported
/// as right, anything else is reported, and what was read can be written and read again.
enum FuzzParameters: FuzzTarget {
    static let seeds = [
        "form-data; name=\"a\"; filename=\"b.c\"",
        "form-data; name=a; filename*=UTF-8''%e2%82%ac",
        "multipart/form-data; boundary=b0Und; charset=utf-8",
        "multipart/form-data; boundary=\"a b\"",
        #"form-data; name="a\"b"; filename="C:\dir\f\\""#,
        " a/b\t;\tc = d ;; e; \"f\"=g \"h\"i",
    ]

    static let tokens = [
        ";", "; ", "=", "\"", "\\", "\\\"", "\\\\", " ", "\t", ",", "/", "''", "*=", "*0=", "%00",
        "name=", "filename=", "boundary=", "boundary=x", "charset=", "UTF-8''", "(", "\r", "\n",
        "\0", "\u{FF}", "é", "=?utf-8?q?x?=",
    ]

    static func judge(
        _ input: [UInt8],
        _ random: inout SplitMix64
    ) throws(Disagreement) -> [UInt8] {
        let parameters = Parameters(parsing: input.span)
        try checkRanges(parameters, in: input)
        let naive = NaiveParameters(input)
        let isRight = parameters.problems.allSatisfy { $0.kind == .escapedQuote }
        try require(
            isRight == (naive != nil),
            "the grammar says \(naive != nil), the reader \(parameters.problems)"
        )
        if let naive {
            let list = parameters.list.map { [input[$0.name], input[$0.value]].map(text) }
            try require(
                text(input[parameters.value]) == naive.value && list == naive.list
                    && parameters.problems.isEmpty == !naive.hasEscapes,
                "the twin reads otherwise"
            )
            try writeAgain(parameters, of: input)
        }
        let type = MultipartContentType(parsing: input.span)
        for problem in type.problems {
            try require((0...input.count).contains(problem.offset), "a problem lies outside")
        }
        return sketch(parameters, type)
    }

    /// What is listed lies in the field, in order, and does not overlap.
    private static func checkRanges(
        _ parameters: Parameters,
        in input: [UInt8]
    ) throws(Disagreement) {
        var end = parameters.value.upperBound
        for parameter in parameters.list {
            try require(
                parameter.name.lowerBound >= end
                    && parameter.value.lowerBound > parameter.name.upperBound,
                "ranges overlap"
            )
            end = parameter.value.upperBound
        }
        try require(end <= input.count, "a range ends outside")
        for problem in parameters.problems {
            try require((0...input.count).contains(problem.offset), "a problem lies outside")
        }
    }

    private static func writeAgain(
        _ parameters: Parameters,
        of input: [UInt8]
    ) throws(Disagreement) {
        var written = Array(input[parameters.value])
        for parameter in parameters.list {
            written += Array("; ".utf8) + input[parameter.name] + Array("=\"".utf8)
            written += input[parameter.value] + Array("\"".utf8)
        }
        let again = Parameters(parsing: written.span)
        try require(
            again.problems.allSatisfy { $0.kind == .escapedQuote }
                && again.list.map { [written[$0.name], written[$0.value]] }
                    == parameters.list.map { [input[$0.name], input[$0.value]] },
            "written again it reads otherwise"
        )
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    private static func sketch(_ parameters: Parameters, _ type: MultipartContentType) -> [UInt8] {
        let kinds = ParameterProblem.Kind.allCases
        let reasons = MultipartReason.allCases
        return [UInt8(min(parameters.list.count, 6)), type.boundary == nil ? 0 : 1]
            + parameters.problems.prefix(8).map { UInt8(kinds.firstIndex(of: $0.kind) ?? 0) }
            + type.problems.prefix(8).map { UInt8(128 + (reasons.firstIndex(of: $0.reason) ?? 0)) }
    }
}
#if FUZZING
/// What libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // SAFETY: libFuzzer lends `count` bytes for the time of the call; they are copied at once.
    FuzzParameters.run(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
#else
@main private enum Main {
    static func main() { FuzzRun<FuzzParameters>.main() }
}
#endif
