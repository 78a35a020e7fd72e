extension Advice {
    /// About forms that are not what a route's contract says.
    static let contract = [
        Advice(
            "contract.not_a_form",
            cause: "The client sends JSON, a bare file or another multipart type to a route for "
                + "forms.",
            remedy: "Send multipart/form-data, or give those requests a route without a contract."
        ),
        Advice(
            "contract.unexpected_field",
            cause: "The field is misspelt, in another case, or new in the client and not yet in "
                + "the contract.",
            remedy: "Send the fields of the contract, or add this one to contract.fields."
        ),
        Advice(
            "contract.missing_field",
            cause: "The client leaves a field out when it is empty, or no file was chosen.",
            remedy: "Send every required field, or take required off its rule."
        ),
        Advice(
            "contract.wrong_kind",
            cause: "A blob is sent without a filename, or text is sent as if it were a file.",
            remedy: "Give files a filename and fields none, or change the kind of the rule."
        ),
        Advice(
            "contract.too_many",
            cause: "The client repeats a field, as forms with several choices or files do.",
            remedy: "Send fewer of them, or raise maxCount of the rule."
        ),
        Advice(
            "contract.too_large",
            cause: "The file or text is larger than its rule allows.",
            remedy: "Send less, or raise maxBytes of the rule."
        ),
        Advice(
            "contract.too_small",
            cause: "The file or text is empty or cut short.",
            remedy: "Send all of it, or lower minBytes of the rule."
        ),
        Advice(
            "contract.type_denied",
            cause: "The file is of another type than agreed, was renamed, or is declared wrongly.",
            remedy: "Send an accepted type, or add it to contentTypes or sniffedTypes of the rule."
        ),
        Advice(
            "contract.extension_denied",
            cause: "The file is of another type, or its name lost its extension on the way.",
            remedy: "Send a name with an accepted extension, or add it to extensions of the rule."
        ),
        Advice(
            "contract.filename_denied",
            cause: "The client sends the name as the user has it, with spaces, accents or a path.",
            remedy: "Send a plain name, or widen filename of the rule."
        ),
    ]
}
