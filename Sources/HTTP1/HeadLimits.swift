/// How much of a head is read before it is refused.
package struct HeadLimits: Sendable, Equatable {
    /// Bytes of the request line or status line, without its CRLF.
    package var requestLineBytes: Int

    /// Bytes of one field line, without its CRLF.
    package var fieldLineBytes: Int

    /// Bytes of the whole head, with the empty line that ends it.
    package var headBytes: Int

    /// Field lines of one head.
    package var fields: Int

    package init(
        requestLineBytes: Int = 8192,
        fieldLineBytes: Int = 8192,
        headBytes: Int = 32768,
        fields: Int = 100
    ) {
        self.requestLineBytes = requestLineBytes
        self.fieldLineBytes = fieldLineBytes
        self.headBytes = headBytes
        self.fields = fields
    }
}
