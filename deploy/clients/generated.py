# generated.py: the same with the generated client.
# STOWAGE_URL=https://… STOWAGE_API_KEY=… python3 generated.py FILE TENANT_ID
import os, sys

import stowage
import urllib3
from stowage.rest import ApiException

# A GET, PUT or DELETE is repeated after a broken connection, 429 and 503, after Retry-After.
http = urllib3.PoolManager(retries=urllib3.Retry(5, status_forcelist=[429, 503], backoff_factor=1), timeout=60)

def main(file, tenant):
    configuration = stowage.Configuration(host=os.environ["STOWAGE_URL"])
    configuration.access_token = os.environ["STOWAGE_API_KEY"]
    client = stowage.ApiClient(configuration)
    uploads, downloads, files = stowage.UploadsApi(client), stowage.DownloadsApi(client), stowage.FilesApi(client)

    with open(file, "rb") as opened:
        content = opened.read()
    request = stowage.UploadRequest(tenant_id=tenant, filename=os.path.basename(file), size=len(content))
    upload = uploads.request_upload(request, _request_timeout=30)
    stored = http.request("PUT", upload.presigned_url, body=content, headers=upload.headers)
    if stored.status != 200:
        raise ConnectionError(f"storage answered {stored.status}")
    path = upload.file_path
    done = uploads.complete_upload(stowage.CompleteRequest(file_path=path), _request_timeout=30)
    print(done.filename, done.size, done.status, done.stored_at.isoformat())

    download = downloads.create_download(stowage.DownloadRequest(file_path=path), _request_timeout=30)
    with open(f"{file}.copy", "wb") as copy:
        copy.write(http.request("GET", download.presigned_url).data)
    files.delete_files(stowage.DeleteRequest(file_path=path), _request_timeout=30)

try:
    main(*sys.argv[1:3])
except ApiException as error:
    sys.exit(f"{error.headers['X-Error-Code']}: {error.body}")
