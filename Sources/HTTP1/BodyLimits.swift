/// How much a chunked body may have that is neither content nor chunk size.
package struct BodyLimits: Sendable, Equatable {
    /// Bytes of all chunk extensions of one message together.
    package var chunkExtensionBytes: Int

    /// Bytes of the trailer section, with its empty line.
    package var trailerBytes: Int

    /// Field lines in the trailer section.
    package var trailerFields: Int

    package init(
        chunkExtensionBytes: Int = 1024,
        trailerBytes: Int = 8192,
        trailerFields: Int = 100
    ) {
        self.chunkExtensionBytes = chunkExtensionBytes
        self.trailerBytes = trailerBytes
        self.trailerFields = trailerFields
    }
}
