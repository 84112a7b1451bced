"""Holds what was sent over A2A against the protocol's own schemas, as the official Python SDK brings them: the proto of 1.0
(strictly, with its required fields), the JSON schema of 0.3 for JSON-RPC, and the proto of 0.3 for HTTP+JSON.

Reads a JSON list of {"what", "version", "binding", "type", "json"}; writes a list of what does not fit, a line each.
"""

import json
import sys

from a2a.compat.v0_3 import a2a_v0_3_pb2 as legacy_proto
from a2a.compat.v0_3 import types as legacy
from a2a.types import a2a_pb2 as proto
from a2a.utils.proto_utils import validate_proto_required_fields
from google.protobuf import any_pb2, json_format
from google.rpc import error_details_pb2  # noqa: F401  (what details may be)


def by_proto(module, name, value):
    message = getattr(module, name)()
    json_format.ParseDict(value, message, ignore_unknown_fields=False)
    validate_proto_required_fields(message)


def by_model(name, value):
    model = getattr(legacy, name)
    read = model.model_validate(value)
    # What the schema does not know is not read, and so not written again.
    written = read.model_dump(mode="json", by_alias=True, exclude_none=True)
    # `result: null` is the answer to a deletion.
    if written != {key: one for key, one in value.items() if one is not None}:
        raise ValueError(f"read as {json.dumps(written)}")


def detail(value):
    json_format.ParseDict(value, any_pb2.Any())


def rpc_error(value):
    if value.get("jsonrpc") != "2.0" or "result" in value or "id" not in value:
        raise ValueError("no error response of JSON-RPC 2.0")
    error = value["error"]
    if not isinstance(error["code"], int) or not isinstance(error["message"], str):
        raise ValueError("code and message are wanted")
    for one in error.get("data", []):
        detail(one)


def rest_error(value, status):
    error = value["error"]
    if error["code"] != status or not error["status"].isupper() or not isinstance(error["message"], str):
        raise ValueError(f"no error of AIP-193 for HTTP {status}")
    for one in error["details"]:
        detail(one)


def check(one):
    version, binding, name, value = one["version"], one["binding"], one["type"], one["json"]
    if name == "error" and binding == "JSONRPC" and version == "1.0":
        rpc_error(value)
    elif name == "error" and binding == "JSONRPC":
        by_model("JSONRPCErrorResponse", value)
    elif name == "error" and version == "1.0":
        rest_error(value, one["status"])
    elif version == "1.0":
        by_proto(proto, name, value)
    elif binding == "JSONRPC":
        by_model(name, value)
    else:
        by_proto(legacy_proto, name, value)


faults = []
for one in json.load(sys.stdin):
    try:
        check(one)
    except Exception as error:
        faults.append(f"{one['what']} ({one['version']} {one['binding']}): {error}\n{json.dumps(one['json'])}")
json.dump(faults, sys.stdout)
