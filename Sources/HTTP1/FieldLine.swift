/// One field line of a head or trailer section, as offsets into `FieldSection.bytes`.
package struct FieldLine: Sendable, Equatable {
    package let name: Range<Int>

    /// The value without the whitespace around it.
    package let value: Range<Int>

    package let known: KnownField

    package init(name: Range<Int>, value: Range<Int>, known: KnownField) {
        self.name = name
        self.value = value
        self.known = known
    }
}
