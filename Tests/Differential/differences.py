"""Where parsers may differ, and why that is right; whatever is not here fails the test.

Each entry is (condition, reason). The condition sees the bytes that the client sent, what the
other one said of them, and the forwarded requests from the first on that differs.
"""

import re


STANDARD = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"}


def has_tab_around(names, data):
    """Whether the value of one of these fields has a tab next to it."""
    return re.search(rb"(?i)\r\n(%b):([ \t]*\t|[^\r\n]*\t[ \t]*\r\n)" % names, data)


# Weir forwarded a request that another parser refused, or read differently.
OTHER_READERS = [
    (lambda data, said, requests:
        said == "node: HPE_INVALID_METHOD" and requests[0].method not in STANDARD,
     "Node knows some methods only; any token is one (RFC 9110 9.1)"),
    (lambda data, said, requests:
        said == "node: HPE_INVALID_VERSION" and re.search(rb" HTTP/1\.[2-9]\r\n", data),
     "Node knows 1.0 and 1.1 only; a later minor version is read as 1.1 (RFC 9110 2.5)"),
    (lambda data, said, requests:
        said in ("node: HPE_INVALID_CONTENT_LENGTH", "node: HPE_INVALID_TRANSFER_ENCODING")
        and has_tab_around(b"content-length|transfer-encoding", data),
     "Node knows no tab around a length or coding; it is whitespace (RFC 9112 5), and not passed on"),
    (lambda data, said, requests:
        said == "h11: no request line received"
        and b"\r\n%b " % requests[0].method.encode() in data,
     "h11 knows no empty line before a request; one is to be ignored (RFC 9112 2.2)"),
]

# Weir forwarded a request that nginx did not.
NGINX_REFUSES = [
    (lambda data, said, requests: said.endswith("400") and requests[0].target == "*",
     "nginx knows no OPTIONS of the whole server (RFC 9112 3.2.4)"),
    (lambda data, said, requests:
        said.endswith("400") and not re.fullmatch("[A-Z_-]+", requests[0].method),
     "nginx knows methods of capital letters only; any token is one (RFC 9110 9.1)"),
    (lambda data, said, requests:
        said.endswith(("400", "501"))
        and has_tab_around(b"host|content-length|transfer-encoding", data),
     "nginx knows no tab around a value; it is whitespace (RFC 9112 5), and not passed on"),
    (lambda data, said, requests:
        said.endswith("400")
        and re.search("%(?![0-9A-Fa-f]{2})", requests[0].target.partition("?")[0]),
     "nginx decodes the path; it is passed on as it came, with whatever it has (RFC 9110 7.7)"),
    (lambda data, said, requests:
        said.endswith("400") and re.search(rb"(?is) HTTP/1\.0(.*\r\n)?expect:.*\r\nexpect:", data),
     "nginx wants one Expect in HTTP/1.0 too; there it means nothing (RFC 9110 10.1.1), and is dropped"),
]


def explain(table, data, said, requests):
    """The reason that the table has for a difference, or None."""
    for condition, reason in table:
        if condition(data, said, requests):
            return reason
    return None
