"""Verifies a receipt of Standfast: that people approved this very call, once. Needs Python alone. docs/receipts.md"""
import base64, hashlib, json, os, re, time
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, cast

Point = tuple[int, int, int, int]

P, Q = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493  # Ed25519, as RFC 8032 has it
D, I = -121665 * pow(121666, -1, P) % P, pow(2, (P - 1) // 4, P)

def _add(a: Point, b: Point) -> Point:
    s, t, u, v = (a[1] - a[0]) * (b[1] - b[0]), (a[1] + a[0]) * (b[1] + b[0]), 2 * a[3] * b[3] * D, 2 * a[2] * b[2]
    return ((t - s) * (v - u) % P, (v + u) * (t + s) % P, (v - u) * (v + u) % P, (t - s) * (t + s) % P)
def _times(n: int, point: Point, result: Point = (0, 1, 1, 0)) -> Point:
    while n:
        result, point, n = (_add(result, point) if n & 1 else result), _add(point, point), n >> 1
    return result
def _point(data: bytes) -> Point:
    y, sign = int.from_bytes(data, "little") & (2**255 - 1), data[31] >> 7
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * I % P
    if y >= P or x * x % P != square or (x == 0 and sign): raise ValueError("receipt refused: no point of the curve")
    x = x if x & 1 == sign else P - x
    return (x, y, 1, x * y % P)
BASE = _point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))

def _is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    s = int.from_bytes(signature[32:], "little")
    if len(key) != 32 or len(signature) != 64 or s >= Q: return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % Q
    one, two = _times(s, BASE), _add(_point(signature[:32]), _times(k, _point(key)))
    return all((one[i] * two[2] - two[i] * one[2]) % P == 0 for i in (0, 1))
def _number(value: Any) -> str:
    is_near = value == value and abs(value) < 2**53  # beyond it integers share one double
    near = Decimal(repr(float(value))) if is_near else Decimal(0)
    _check(is_near and (isinstance(value, float) or value == near), "a double does not hold a number of the call")
    sign, digits, exponent = cast(tuple[int, tuple[int, ...], int], near.normalize().as_tuple())
    d, k = "".join(map(str, digits)), len(digits)
    n, minus = k + exponent, "-" if sign else ""
    if not any(digits): return "0"
    if k <= n <= 21: return minus + d + "0" * (n - k)
    if 0 < n <= 21: return minus + d[:n] + "." + d[n:]
    if -6 < n <= 0: return minus + "0." + "0" * -n + d
    return minus + d[0] + ("." + d[1:] if k > 1 else "") + "e" + format(n - 1, "+d")
def canonical(value: Any) -> str:
    """Canonical JSON (RFC 8785)."""
    if isinstance(value, (list, tuple)): return "[" + ",".join(map(canonical, cast(list[Any], value))) + "]"
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool): return _number(value)
    if value is None or isinstance(value, (bool, str)): return json.dumps(value, ensure_ascii=False)
    members: dict[str, Any] = cast(dict[str, Any], value) if isinstance(value, dict) else {}
    _check(isinstance(value, dict) and all(isinstance(key, str) for key in cast(Any, members)), "the call is not JSON")
    keys = sorted(members, key=lambda key: key.encode("utf-16-be"))
    return "{" + ",".join(canonical(key) + ":" + canonical(members[key]) for key in keys) + "}"
def hash_of(value: Any) -> str: return "sha256:" + hashlib.sha256(canonical(value).encode()).hexdigest()
def _check(is_so: bool, why: str) -> None:
    if not is_so: raise ValueError("receipt refused: " + why)

def verify_receipt(
    jws: str, jwks: Mapping[str, Any], agent: str, once: Callable[[str, int], bool], tool: str | None = None,
    args: Mapping[str, Any] | None = None, answer: Mapping[str, Any] | None = None, now: float | None = None,
    **expected: Any,
) -> dict[str, Any]:
    """Returns the claims, or raises ValueError; `expected` may have issuer, task, role, quorum, policy, stages, kind."""
    def bytes_of(part: str) -> bytes: return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    parts = str(jws).split(".")
    _check(len(parts) == 3 and all(re.fullmatch(r"[A-Za-z0-9_-]+", part) for part in parts), "it is not a compact JWS")
    header, now = json.loads(bytes_of(parts[0])), time.time() if now is None else now
    _check((header["alg"], header["typ"], "crit" in header) == ("EdDSA", "standfast-receipt+jwt", False), "its header")
    keys = [one for one in jwks["keys"] if one.get("kid") == header["kid"] and one.get("crv") == "Ed25519"]
    _check(len(keys) == 1, "it was signed by a key that is not known")
    signed = _is_signed(bytes_of(keys[0]["x"]), f"{parts[0]}.{parts[1]}".encode(), bytes_of(parts[2]))
    _check(signed, "its signature is wrong")
    claims: dict[str, Any] = json.loads(bytes_of(parts[1]))
    call = {"name": tool, "argsHash": hash_of({} if args is None else args)}
    _check(claims["iat"] <= now + 60 and claims["exp"] > now, "it has expired, or is of the future")
    of_call = {name: cast(dict[str, Any], claims["tool"] or {}).get(name) for name in call} == call
    is_so = of_call if tool is not None else claims["answerHash"] == hash_of(answer)
    kinds = [expected["kind"]] if isinstance(expected.get("kind"), str) else expected.get("kind", ["people"])
    _check(claims["agent"] == agent and claims["kind"] in kinds and is_so, "it is for another call, or of another kind")
    for name, claim in (("issuer", claims["iss"]), ("task", claims["task"]), ("policy", claims["policy"]["name"])):
        _check(expected.get(name, claim) == claim, "it is of another " + name)
    _check(len(claims["by"]) >= claims["quorum"] >= expected.get("quorum", 1), "too few approved")
    groups, ids = claims.get("stages", []), [one["id"] for one in claims["by"]]
    agreed = all(len(set(one["by"])) >= one["quorum"] and set(one["by"]) <= set(ids) for one in groups)
    _check(agreed and set(expected.get("stages", [])) <= {one["name"] for one in groups}, "a stage did not agree")
    _check(all(expected["role"] in one["as"] for one in claims["by"]) if "role" in expected else True, "without the role")
    _check(once(claims["jti"], claims["exp"]) is True, "it was used")
    return claims

def once_in(directory: str) -> Callable[[str, int], bool]:
    """A used-once check by files in a directory, for any number of processes."""
    os.makedirs(directory, exist_ok=True)
    def once(jti: str, exp: int) -> bool:
        try: os.close(os.open(os.path.join(directory, hashlib.sha256(jti.encode()).hexdigest()), os.O_CREAT | os.O_EXCL))
        except FileExistsError: return False
        return True
    return once
