internal import Multipart

extension MultipartContentType {
    /// True for multipart/mixed, multipart/related and every other multipart type than a form.
    ///
    /// What only begins like multipart/form-data is taken for a form, as half of the parsers do.
    var isOtherMultipart: Bool {
        mediaType.hasPrefix("multipart/") && !mediaType.hasPrefix("multipart/form-data")
    }
}

extension Profile {
    /// How much a fact matters in a multipart body that is no form, where that differs.
    ///
    /// The framing is that of RFC 2046 for every multipart type, and judged alike. What RFC 7578
    /// asks of the parts of a form, a disposition with a name above all, is nothing to the others;
    /// a transfer encoding is legal in them, but it hides the content from those who look at it.
    func severityOutsideForms(of reason: MultipartReason) -> Severity? {
        switch reason {
        case .dispositionMissing, .dispositionNotFormData, .dispositionNameMissing: .info
        case .dispositionExtendedFilename, .partTransferEncoding:
            switch self {
            case .strict: nil
            case .balanced: .warn
            }
        default: nil
        }
    }
}
