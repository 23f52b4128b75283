import os, sys
import requests

path, url, *rest = sys.argv[1:]
headers = dict(zip(rest[::2], rest[1::2]))

with open(path, "rb") as file:
    # For an empty file object, requests sends chunks. Empty bytes have a length.
    body = file if os.path.getsize(path) > 0 else b""
    answer = requests.put(url, data=body, headers=headers, timeout=60)
if answer.status_code != 200:
    sys.exit(f"{answer.status_code} {answer.text}")
