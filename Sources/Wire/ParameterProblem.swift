/// One place where a field value with parameters leaves its grammar, or reads in two ways.
public struct ParameterProblem: Equatable, Sendable {
    /// What is wrong there.
    public enum Kind: CaseIterable, Sendable {
        /// The leading value holds a byte that is neither `tchar` nor "/".
        case leadingValueByte
        /// After OWS comes another byte than ";": two values without a semicolon between them.
        case missingSemicolon
        /// A semicolon that no parameter follows, as in "a;;b=c" or "a;".
        case emptyParameter
        /// A byte of a parameter name, or the "=" of an empty one, is not `tchar`.
        case nameByte
        /// A parameter name that no "=" follows; it is not listed as a parameter.
        case missingEquals
        /// OWS before or after "=".
        case spaceAroundEquals
        /// Nothing after "=".
        case emptyValue
        /// A byte of an unquoted value is not `tchar`.
        case valueByte
        /// A quoted-string without an end; the offset is that of its opening quote.
        case unterminatedQuote
        /// A backslash directly before a quote: an escaped quote for some, the end for others.
        case escapedQuote
        /// Bytes that follow the closing quote directly.
        case bytesAfterQuote
    }

    public let kind: Kind

    /// The first offending byte, counted from the first byte of the field value.
    public let offset: Int

    /// The index in the list of the parameter whose value or "=" it concerns, or nil.
    public let parameter: Int?

    public init(_ kind: Kind, at offset: Int, parameter: Int? = nil) {
        self.kind = kind
        self.offset = offset
        self.parameter = parameter
    }
}
