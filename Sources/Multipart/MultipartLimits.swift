/// Bounds on what a multipart body may make the parser keep, in bytes where they are sizes.
///
/// Content, preamble and epilogue are never kept and have no bound here.
public struct MultipartLimits: Equatable, Sendable {
    /// The longest boundary; RFC 2046 says 70.
    public var boundaryBytes = 70

    /// The largest header block of a part, with its line ends and its empty line.
    public var partHeaderBytes = 16 << 10

    /// The longest header line of a part, or padding after a delimiter, without its line end.
    public var partHeaderLineBytes = 4 << 10

    /// The most header lines of a part.
    public var partHeaderFields = 16

    /// The longest field name that is not reported as too long.
    public var nameBytes = 256

    /// The longest filename that is not reported as too long.
    public var filenameBytes = 512

    public init() {}
}
