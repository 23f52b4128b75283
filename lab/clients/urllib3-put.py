import os, sys
import urllib3

path, url, *rest = sys.argv[1:]
headers = dict(zip(rest[::2], rest[1::2]))
headers["Content-Length"] = str(os.path.getsize(path))

with open(path, "rb") as file:
    answer = urllib3.PoolManager().request("PUT", url, body=file, headers=headers, timeout=60)
if answer.status != 200:
    sys.exit(f"{answer.status} {answer.data.decode()}")
