"""Takes inputs that no visible test has, and compares in a process that has not loaded a line of the shop."""

import json
import subprocess
import sys

CASES = [
    ["gold", [{"price": 3, "count": 7}], 16.8],
    ["silver", [{"price": 11, "count": 1}, {"price": 0.5, "count": 3}], 11.25],
    [None, [{"price": 9.99, "count": 2}], 19.98],
    ["gold", [], 0],
]
ASK = """import json, os, sys
sys.path.insert(0, os.getcwd())
from shop.cart import total
paid = [total(lines, tier) for tier, lines, _ in json.loads(sys.argv[1])]
sys.stdout.write("\\n" + json.dumps(paid))"""


def paid():
    done = subprocess.run(
        [sys.executable, "-I", "-c", ASK, json.dumps(CASES)], capture_output=True, text=True, check=False
    )
    try:
        got = json.loads(done.stdout.strip().split("\n")[-1])
    except ValueError:
        got = []
    return got if isinstance(got, list) and len(got) == len(CASES) else [None] * len(CASES)


right = [type(one) in (int, float) and abs(one - case[2]) < 1e-9 for one, case in zip(paid(), CASES)]
print(f"TAP version 13\n1..{len(CASES)}")
for at, ok in enumerate(right):
    print(f"{'ok' if ok else 'not ok'} {at + 1} - order {at + 1}")
sys.exit(0 if all(right) else 1)
