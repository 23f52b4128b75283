# upload.py: sends a file by parts. Run it again after a break: it sends only what is missing.
# STOWAGE_URL=https://… STOWAGE_API_KEY=… python3 upload.py FILE TENANT_ID
import base64, hashlib, http.client, json, os, random, sys, time, uuid
from concurrent.futures import ThreadPoolExecutor
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen

API = os.environ["STOWAGE_URL"].rstrip("/") + "/api/storage/"
KEY = os.environ["STOWAGE_API_KEY"]
PARTS_AT_A_TIME = 4
TRIES = 6
CHUNK_BYTES = 1024 * 1024

def upload(file, tenant):
    """Uploads a file, or continues its open upload. Returns the stored file."""
    status = os.stat(file)
    # Finds the upload of this file again, also on another machine that has the same file.
    name = os.path.basename(file)
    fingerprint = f"{hashlib.sha256(name.encode()).hexdigest()} {status.st_size} {status.st_mtime_ns}"
    opened = find_open(tenant, fingerprint) or call(
        "POST",
        "uploads/",
        {"tenant_id": tenant, "filename": name, "size": status.st_size, "fingerprint": fingerprint},
    )
    path, part_size, count = opened["file_path"], opened["part_size"], opened["part_count"]
    stored = {
        part["number"]: part["etag"]
        for page in pages("uploads/parts/", file_path=path)
        for part in page["parts"]
    }

    def send_if_missing(number):
        part = (file, (number - 1) * part_size, min(part_size, status.st_size - (number - 1) * part_size))
        md5 = hashlib.md5()
        for chunk in read(*part):
            md5.update(chunk)
        if stored.get(number) != md5.hexdigest():
            send(path, number, base64.b64encode(md5.digest()).decode(), part)
            print(f"part {number} of {count}", file=sys.stderr)

    with ThreadPoolExecutor(PARTS_AT_A_TIME) as pool:
        for _ in pool.map(send_if_missing, range(1, count + 1)):
            pass
    return call("POST", "complete/", {"file_path": path})

def find_open(tenant, fingerprint):
    for page in pages("uploads/", tenant_id=tenant):
        for opened in page["uploads"]:
            if opened["fingerprint"] == fingerprint:
                return opened
    return None

def send(path, number, content_md5, part):
    """Sends one part. Each try has a new URL, because the old one may have expired."""

    def put():
        answer = call(
            "POST",
            "uploads/parts/",
            {"file_path": path, "parts": [{"number": number, "content_md5": content_md5}]},
        )
        signed = answer["parts"][0]
        url = urlsplit(signed["presigned_url"])
        connect = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        connection = connect(url.netloc, timeout=60)
        try:
            headers = {**signed["headers"], "Content-Length": str(signed["size"])}
            connection.request("PUT", f"{url.path}?{url.query}", read(*part), headers)
            response = connection.getresponse()
            response.read()
            if response.status != 200:
                raise ConnectionError(f"storage answered part {number} with {response.status}")
        finally:
            connection.close()

    retry(put)

def read(file, start, size):
    with open(file, "rb") as opened:
        opened.seek(start)
        while size > 0:
            chunk = opened.read(min(CHUNK_BYTES, size))
            if not chunk:
                raise EOFError(f"{file} has become shorter")
            size -= len(chunk)
            yield chunk

def pages(path, **query):
    while True:
        page = call("GET", f"{path}?{urlencode(query)}")
        yield page
        if page["next_cursor"] is None:
            return
        query["cursor"] = page["next_cursor"]

def call(method, path, body=None):
    """Calls the service with the API key."""
    headers = {
        "Authorization": f"Bearer {KEY}",
        "Content-Type": "application/json",
        # The same for each try, so that a retry does not open a second upload.
        "Idempotency-Key": str(uuid.uuid4()),
    }
    data = None if body is None else json.dumps(body).encode()

    def attempt():
        with urlopen(Request(API + path, data, headers, method=method), timeout=30) as response:
            return json.load(response)

    try:
        return retry(attempt)
    except HTTPError as error:
        sys.exit(f"{path}: {error.code} {error.headers['X-Error-Code']}: {error.read().decode()}")

def retry(action):
    """Repeats what may succeed the next time: a broken connection, 429 and 5xx."""
    for tries_left in reversed(range(TRIES)):
        try:
            return action()
        except (OSError, http.client.HTTPException) as error:
            is_final = isinstance(error, HTTPError) and error.code < 500 and error.code != 429
            if is_final or tries_left == 0:
                raise
            retry_after = error.headers["Retry-After"] if isinstance(error, HTTPError) else None
            time.sleep(float(retry_after or 2 ** (TRIES - tries_left - 1)) + random.random())

if __name__ == "__main__":
    print(json.dumps(upload(*sys.argv[1:3])))
