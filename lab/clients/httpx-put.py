import sys
import httpx

path, url, *rest = sys.argv[1:]
headers = dict(zip(rest[::2], rest[1::2]))

with open(path, "rb") as file:
    answer = httpx.put(url, content=file, headers=headers, timeout=60)
if answer.status_code != 200:
    sys.exit(f"{answer.status_code} {answer.text}")
