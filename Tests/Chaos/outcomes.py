"""What may be recorded of an exchange, by what its client and its upstream did.

An outcome is (verdict, termination, status). The blame follows from the termination: its first
letter says whose doing it was.
"""

from upstreams import HASTY, KIND

NORMAL = ("allowed", "--", 200)

# A whole request in front of each upstream that reads all of it.
OF_READERS = {
    "never": {("aborted", "sH", 504)},
    "half": {("aborted", "SL", 200)},
    "half-reset": {("aborted", "SL", 200)},
    "half-stall": {("aborted", "sL", 200)},
    "fin": {("aborted", "SH", 502)},
    "garbage": {("aborted", "SH", 502)},
    "flood": {("aborted", "SH", 502)},
    "large": {NORMAL},
}
OF_READERS.update({kind: {NORMAL} for kind in KIND})

# A client that leaves in the middle of its body.
OF_LEAVING = {
    "half-close": {("aborted", "CD", 400)},
    # It is gone when it is answered, or before.
    "leave": {("aborted", "CD", 400), ("aborted", "CD", None)},
    "reset": {("aborted", "CD", None)},
    "stall": {("aborted", "cD", 408)},
}

# A request head that never becomes whole.
OF_HEADS = {
    "head-half-close": {("aborted", "CR", 400)},
    "head-reset": {("aborted", "CR", 400)},
    "head-stall": {("aborted", "cR", 408)},
    "head-bad": {("blocked", "PR", 400)},
}

BLAME = {"C": "client", "c": "client", "P": "client", "S": "upstream", "s": "upstream",
         "K": "proxy", "-": "none"}


def of_upstream(plan):
    """What the upstream makes of a request, if the client does all it should."""
    kind, size = plan.upstream, plan.size
    if kind in OF_READERS:
        return OF_READERS[kind]
    if kind == "down":
        return {("aborted", "SC", 502)}
    if kind == "slam":
        # Whoever reads or writes first finds the connection gone.
        return {("aborted", "SH", 502), ("aborted", "SD", 502)}
    is_small = size == "none" or size == "small" and plan.mode == "enforce"
    if kind == "deaf":
        # A body that the sockets' buffers take has been sent as far as anyone can tell.
        return {("aborted", "sH", 504)} | (set() if is_small else {("aborted", "sD", 504)})
    if kind in ("early", "early-keep", "early-close"):
        status = 200 if kind == "early-keep" else 413
        found = {("allowed", "--", status)}
        if not is_small:
            found.add(("aborted", "SD", status))
        if kind == "early-close" and size != "none":
            # Its reset can overtake its answer, or cut it.
            found |= {("aborted", "SH", 502), ("aborted", "SD", 502), ("aborted", "SL", 413)}
        return found
    assert kind in ("reset", "reset-midway", "kill-midway")
    return {("aborted", "SH", 502)} | (set() if is_small else {("aborted", "SD", 502)})


def expected(plan):
    """The outcomes that are right for an exchange."""
    client = plan.client
    if client in OF_HEADS:
        return OF_HEADS[client]
    upstream = of_upstream(plan)
    if client in ("whole", "pipeline", "trickle", "expect", "half-close-whole"):
        return upstream
    if client == "no-read":
        if plan.upstream == "large":
            return {("aborted", "cL", 200)}
        return upstream
    # An upstream that does not wait for the end may act before the client does.
    sees_it = plan.size == "large" or plan.mode != "enforce"
    acts_first = plan.upstream in HASTY | {"down", "slam"} and sees_it
    if client == "bad":
        if plan.mode == "off":
            return upstream
        if plan.mode == "observe":
            return {("observed" if verdict == "allowed" else verdict, end, status)
                    for verdict, end, status in upstream}
        return {("blocked", "PD", 400)} | (upstream if acts_first else set())
    if client in OF_LEAVING:
        return OF_LEAVING[client] | (upstream if acts_first else set())
    assert client == "reset-whole"
    # It goes when its request is upstream, or, where no upstream says so, at some time.
    gone = {("aborted", "CH", None)}
    if plan.upstream in ("never",):
        return gone
    return upstream | gone | {("aborted", "CD", None), ("aborted", "CC", None)} | {
        ("aborted", "CL", status) for _, _, status in upstream}
