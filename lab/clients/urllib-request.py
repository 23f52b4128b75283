import os, sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

path, url, *rest = sys.argv[1:]
headers = dict(zip(rest[::2], rest[1::2]))
headers["Content-Length"] = str(os.path.getsize(path))

try:
    with open(path, "rb") as file:
        urlopen(Request(url, file, headers, method="PUT"), timeout=60).close()
except HTTPError as error:
    sys.exit(f"{error.code} {error.read().decode()}")
