/// What a form must look like on a route: its fields, and what each of them may hold.
///
/// A contract is of multipart/form-data alone. Any other body on its route is refused: it could
/// not be held against the contract, and an upstream might read it all the same.
///
/// Names are compared byte for byte, as sent. The parts of a part that is multipart itself are
/// nobody's fields, so a contract expects none.
package struct UploadContract: Equatable, Sendable {
    /// Whether fields that the contract does not name may come.
    package var allowsUnknownFields = false

    /// At most one rule for each name.
    package var fields: [FieldRule] = []

    package init() {}

    /// The place in `fields` of the rule for `name`, or nil.
    ///
    /// Swift compares text by what it means, upstreams compare bytes; so bytes are compared here.
    func index(of name: String) -> Int? {
        fields.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
    }
}
