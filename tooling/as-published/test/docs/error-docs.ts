import type { UploadErrorCode } from "@stowage/react";

export interface ErrorDoc {
  /** What happened, and why. Markdown. */
  cause: string;
  /** What a developer or operator does next. Markdown. */
  fix: string;
  /** A section after the two. Markdown. */
  details?: string;
}

/** What a PUT to a presigned URL can be answered. */
const ANSWERS_OF_STORAGE = `## Answers of storage to the PUT

| answer | cause | cure |
|---|---|---|
| 403 \`SignatureDoesNotMatch\` | No \`Content-Length\`: the client sent the body in chunks | Send the length. [The PUT, in your language](../put.md#clients) says how your client does it |
| 403 \`SignatureDoesNotMatch\` | The length is not the \`size\` of the upload request: the file has changed, or the client altered a text | Send bytes, not a string. If the file has changed, request a new URL |
| 403 \`SignatureDoesNotMatch\` | \`Content-Type\`, \`Content-MD5\` or \`Cache-Control\` differs or is missing. Many clients add \`; charset=…\` to the type | Send the \`headers\` of the upload's answer as they are |
| 403 \`SignatureDoesNotMatch\` | Another method, or a changed URL: its query was encoded again, or a proxy changed \`Host\` | Send a \`PUT\` to \`presigned_url\` as it is |
| 403 \`AccessDenied\` | The URL has expired, or the request has an unsigned \`x-amz-*\` header | Request a new URL right before the PUT. Leave the header out |
| 411 \`MissingContentLength\` | The client sent chunks, and the upload request had no \`size\` | Send the length, and give \`size\` |
| 400 without a code, or \`InvalidRequest\` | \`Content-Length\` and \`Transfer-Encoding: chunked\`, or two lengths: the client sets the length itself | Do not set it, or give the client bytes in place of a stream |
| 400 \`BadDigest\`, \`InvalidDigest\` | The bytes are not those of \`Content-MD5\`, or it is not base64 of 16 bytes | Compute it over the bytes that you send |
| 400 \`IncompleteBody\`, \`RequestTimeout\` | Fewer bytes arrived than the length says | Request a new URL, and send the whole file again |
| 400 \`AuthorizationQueryParametersError\` | The URL was cut at its first \`&\`, has \`&amp;\` for \`&\`, or was percent-encoded again | Put the URL between quotes in a shell, and send it as it is |

The codes are those of AWS. [dev-store](../../packages/dev-store/README.md) also names the cause in its \`Message\`: try your client against \`npm start\` first.`;

/** The texts of the pages in `docs/errors/`. A missing code is a type error. */
export const errorDocs: Readonly<Record<UploadErrorCode, ErrorDoc>> = {
  // Codes of the service.
  unauthorized: {
    cause:
      "The service got no valid API key: the `Authorization` header is missing or is not `Bearer <key>`, or no project has this key, for example because it was replaced. The helper answers this code when `tenant` returns no ID: the user is not signed in.",
    fix: 'From the service: copy the project\'s current key from the dashboard into the settings of your backend, and restart it. From the helper: check that the request contains your session cookie or token, and that `tenant` reads it. If page and helper have different origins, the widget sends cookies only with `credentials: "include"`.',
  },
  invalid_json: {
    cause: "The request body is empty, is not JSON in UTF-8, or is nested deeper than 64 levels.",
    fix: "Send one JSON object. Check that no proxy or middleware changes or removes the body.",
  },
  invalid_request: {
    cause: "A member of the request breaks a rule. `detail` names the member and the rule.",
    fix: "Change that member. [The REST API](../api.md) lists the type and the limits of each.",
  },
  filename_required: {
    cause: "`filename` is missing, null or blank.",
    fix: "Send the original name of the file, with its extension.",
  },
  tenant_id_required: {
    cause: "`tenant_id` is missing, null or blank.",
    fix: "Send the ID of the user in your own system. With the helper, `tenant` must return it.",
  },
  size_required: {
    cause:
      "The upload request has no `size`, but the project requires it, or the helper's route has a `maxSize` or a `minSize`.",
    fix: "Send the size of the file in bytes. The widget always does. If only the project requires it, you can also switch off `Require file size` in its settings.",
  },
  file_too_large: {
    cause:
      "`size` is larger than the limit: the project's maximum file size (5 GiB by default, 5 TiB at most), or the `maxSize` of the route or the widget. `detail` has the limit in bytes.",
    fix: "Upload a smaller file, or raise the limit. One PUT to S3 takes at most 5 GiB: [upload larger files by parts](../large-files.md).",
  },
  quota_exceeded: {
    cause:
      "The new file does not fit the tenant's quota. Stored files and unfinished uploads use up the quota.",
    fix: "Delete files of the tenant, or raise its quota in the dashboard or with `PUT /api/storage/quota/`. An unfinished upload uses up quota until its URL expires, one hour after the upload request. The widget offers the user to discard such uploads.",
  },
  not_found: {
    cause: "The path does not exist on this server, or the project was deleted.",
    fix: "Check the path. The base URL of the service is only its origin, such as `https://files.example.com`.",
  },
  method_not_allowed: {
    cause: "The path exists, but not with this method.",
    fix: "Use a method of the answer's `Allow` header. [The REST API](../api.md) lists the method of each call.",
  },
  file_on_hold: {
    cause:
      "The file is on hold, so it cannot be deleted. Or a tenant or project cannot be deleted, because one of its files is on hold.",
    fix: "If your rules allow it, release the file with `POST /api/storage/hold/` and `hold: false`, and repeat the request. [What a hold does](../lifecycle.md).",
  },
  tenant_being_deleted: {
    cause: "The tenant and all its files are being deleted, so it takes no new uploads and no holds.",
    fix: "Wait until `POST /api/storage/tenants/delete/` answers `remaining_files: 0`. The next upload of the same `tenant_id` creates a new tenant.",
  },
  tenant_not_found: {
    cause:
      "The project has no tenant with this `tenant_id`: it has never uploaded, or its deletion has finished.",
    fix: "Check the `tenant_id`. A job that deletes a tenant can stop here: nothing of the tenant is left.",
  },
  file_not_found: {
    cause:
      "No file has this `file_path`, it was deleted, it is in the trash, or it belongs to another tenant.",
    fix: "Use the `file_path` of the upload's answer, unchanged. If you send a `tenant_id`, it must be the file's tenant.",
  },
  file_not_scanned: {
    cause:
      "The project scans files for viruses, and this file has no verdict yet, or other bytes have replaced the scanned ones.",
    fix: "Try again in a few seconds, or wait for the webhook `file.scanned`. If the answer stays the same, the scanner may be down: check the health page of the dashboard. [Virus scanning](../scanning.md).",
  },
  file_quarantined: {
    cause:
      "The virus scan found something in the file. Or the scanner cannot read the file, because it is too large or encrypted, and the project does not allow the download of such files.",
    fix: "Delete the file. An operator can release it in the dashboard under Quarantine, for example after a false alarm.",
  },
  preset_not_found: {
    cause: "The project has no image preset with the name in `variant`.",
    fix: "Create the preset with `stowage preset set`, or use a name of `stowage preset list`. [Presets](../serving.md#image-variants).",
  },
  variant_pending: {
    cause:
      "The image variant is queued and not made yet. Or a try has failed for a reason that may pass, and the next one is due after `Retry-After`.",
    fix: "Repeat the request after the seconds in `Retry-After`. If the answer stays the same, check that a `stowage worker` is running. A preset with `eager` makes its variants as soon as a file is stored.",
  },
  variant_impossible: {
    cause:
      "The file is no image that can be decoded: another type, damaged, or more than 50 megapixels or 64 MiB.",
    fix: "Show a picture of your own. Request variants only of files whose `content_type` is an image.",
  },
  variant_failed: {
    cause:
      "The decoder gave no answer about the image for a day: each try took too much time or memory, or crashed. `detail` says which. The file may be a good image.",
    fix: "Show a picture of your own. An operator sees the reason on the file's page in the dashboard and retries it there, or with `stowage file retry-variants`. [Failures](../serving.md#failures).",
  },
  scan_outdated: {
    cause:
      "A scanner reported a verdict about an `etag` that the file does not have: other bytes replaced the scanned ones.",
    fix: "Scan the file again, and report the verdict with its new `etag`.",
  },
  upload_not_found: {
    cause:
      "The client called complete, but storage does not have the object: the PUT was not sent or failed, or storage does not show the new object yet.",
    fix: "Call complete after storage has answered the PUT. If you get this error, wait a moment and call it again. If it never succeeds, look at storage's answer to the PUT, and check that browser and service use the same bucket.",
    details: ANSWERS_OF_STORAGE,
  },
  upload_incomplete: {
    cause:
      "The upload by parts was completed before storage had all its parts. `detail` says how many it has.",
    fix: "Ask `GET /api/storage/uploads/parts/` which parts are stored, send the others, and complete the upload again. The widget and the typed client do this by themselves.",
  },
  upload_expired: {
    cause:
      "The upload by parts was not completed within 7 days, or `UPLOAD_SESSION_DAYS`. The service removed its parts and returned its reservation.",
    fix: "Open a new upload and send all parts again.",
  },
  upload_already_stored: {
    cause: "The upload was cancelled after its PUT had finished. The file is kept and counted.",
    fix: "Keep the file, or delete it with `POST /api/storage/delete/`.",
  },
  body_too_large: {
    cause:
      "The request body is larger than the limit: 64 kB, or about 2 MB for a delete with a list of paths.",
    fix: "Shorten `metadata`, or delete at most 1,000 paths per request. Send the file itself to storage, with a PUT to `presigned_url`.",
  },
  unsupported_media_type: {
    cause: "The request has a body, but its `Content-Type` is not `application/json`.",
    fix: "Send `Content-Type: application/json`.",
  },
  idempotency_key_reused: {
    cause:
      "The tenant used this `Idempotency-Key` in the last 24 hours with another request body. The first request stays valid.",
    fix: "Use a new key for each upload, such as a random UUID. Repeat a key only with the same body.",
  },
  too_many_requests: {
    cause:
      "The caller sent more requests than the rate limit allows, or more at the same time than its share of the database. Or its address sent too many requests with a missing, mistyped or unknown API key. Or an operator has too many live views or exports of the dashboard open.",
    fix: "Send the request again after the seconds in `Retry-After`. The widget does this by itself.",
  },
  internal_error: {
    cause:
      "An unexpected error in the server. The helper also answers this code when a callback other than `onComplete` fails, or when the service refuses your backend's API key.",
    fix: "From the service: search its log for the `X-Request-Id` of the answer. From the helper: read the error and its cause in `onError`.",
  },
  unavailable: {
    cause:
      "Something that the server needs does not answer: the service needs its database and the object storage, the helper needs the service. A wrong `baseUrl` of the helper has this code too.",
    fix: "Send the request again after the seconds in `Retry-After`. If it fails again, `GET /readyz` of the service names what does not answer, and `stowage doctor` checks the storage.",
  },
  // Codes of the helper.
  cross_site: {
    cause:
      "A page of another site sent the request. The helper refuses it, because the browser would send the user's cookie too (CSRF).",
    fix: "Call the helper from the same origin, or add your page's origin to `allowedOrigins`.",
  },
  route_not_found: {
    cause:
      "The widget sent a route name that the helper does not have, or no name although the helper has routes. `detail` names the routes.",
    fix: "Use a name from `routes` in `createStowage`. `createUploader<typeof stowage>()` makes a wrong name a type error.",
  },
  file_type_not_accepted: {
    cause: "Neither the extension nor the media type of the file is in `accept`.",
    fix: "Choose another file, or add its type and its extension to `accept`. Some systems do not know the type of a file.",
  },
  file_too_small: {
    cause:
      "`size` is smaller than the `minSize` of the route or the widget. `detail` has the limit in bytes.",
    fix: "Choose a larger file, or lower `minSize`.",
  },
  too_many_files: {
    cause:
      "The session already has `maxFiles` files. A session starts when the widget is mounted or `reset` is called. Failed, cancelled and removed files do not count.",
    fix: "Remove a file from the list, or raise `maxFiles`.",
  },
  upload_refused: {
    cause:
      "The route's `onBeforeUpload` threw a `StowageError` with this code. `detail` is the text of that error.",
    fix: "Find out which check of `onBeforeUpload` refused the upload. Throw the error with a `detail` that tells the user what to do: the widget shows it.",
  },
  delete_refused: {
    cause: "`allowDelete` is missing, or it does not allow this user to delete this file.",
    fix: "Set `allowDelete` in `createStowage` to true, or to a function that returns true for this user and file.",
  },
  list_refused: {
    cause: "`allowList` is missing, or it does not allow this user to list files.",
    fix: "Set `allowList` in `createStowage` to true, or to a function that returns true for the files that users may see.",
  },
  download_refused: {
    cause: "`allowDownload` is missing, or it does not allow this user to download this file.",
    fix: "Set `allowDownload` in `createStowage` to true, or to a function that returns true for this user and file.",
  },
  usage_refused: {
    cause: "`allowUsage` is missing, or it does not allow this user to read how much is stored.",
    fix: "Set `allowUsage` in `createStowage` to true, or to a function that returns true for this user.",
  },
  callback_failed: {
    cause:
      "The file is stored, but the route's `onComplete` threw an error, took too long, or returned a value that cannot be written as JSON.",
    fix: "Read the error in `onError`, and repair the callback. When the user retries, the widget does not send the file again, and the helper runs the callback again.",
  },
  // Codes of the widget.
  file_unreadable: {
    cause:
      "The browser could not read the file: it was changed, moved or deleted after the user chose it, it is a folder, or the browser has no permission.",
    fix: "Choose the file again.",
  },
  file_refused: {
    cause: "The `validate` function of the page returned a text. The widget shows this text.",
    fix: "Choose a file that `validate` accepts.",
  },
  validation_failed: {
    cause: "The `validate` function of the page threw an error, or its promise was rejected.",
    fix: "Repair `validate`. To refuse a file, it must return a text. It must not throw.",
  },
  transform_failed: {
    cause:
      "The `transform` function of the page threw an error, its promise was rejected, or it did not return a `Blob`.",
    fix: "Repair `transform`. If it does not change a file, it must return that file.",
  },
  duplicate_file: {
    cause:
      '`duplicates` is `"refuse"`, and the list already has a file with the same name, path, size, type and last-modified date. Failed and cancelled files do not count.',
    fix: 'If it is the same file, do nothing. Set `duplicates` to `"skip"` to ignore such files silently, or to `"allow"` to upload them again.',
  },
  different_file: {
    cause:
      "The user continued an unfinished upload with another file: its size, or its first, middle or last 64 KiB differ. The file may have been changed since the upload began.",
    fix: "Choose the file with which the upload began. If it was changed, discard the unfinished upload and upload the file again.",
  },
  total_size_exceeded: {
    cause:
      "With this file, the session would exceed `maxTotalSize`. A session starts when the widget is mounted or `reset` is called. Failed, cancelled and removed files do not count.",
    fix: "Remove another file from the list, or raise `maxTotalSize`.",
  },
  network_error: {
    cause:
      "A request got no answer, and the browser has no network. Most uploads wait for the network; this error ends the calls that do not wait, such as deleting a file.",
    fix: "Check the connection and retry.",
  },
  server_unreachable: {
    cause:
      "The endpoint gave no answer for five minutes, although the browser believes that there is a network. The server is stopped, its name does not resolve, it refuses the page's origin (CORS), it redirects to another origin, or the network leads nowhere. The browser does not tell the widget which.",
    fix: "Open a development build of your page and read the browser's console: the widget logs the address, and whether a server answers there. If it refuses the origin, add it to `allowedOrigins` of the helper.",
  },
  storage_unreachable: {
    cause:
      "Five PUTs got no answer from storage, although the backend answers. The bucket has no CORS rules for the page, or a Content-Security-Policy, an extension, a proxy or the network blocks the PUT.",
    fix: "Run `stowage cors apply --origin <origin of your page>`. In a development build of your page, the widget logs the rules that the bucket needs. `stowage doctor` checks the bucket too.",
  },
  timed_out: {
    cause:
      "The helper did not answer within 30 seconds, the upload made no progress for 30 seconds, or storage did not answer within 120 seconds after the last byte.",
    fix: "Check the connection and retry. If only large files fail, check whether a proxy in front of storage buffers or limits the body.",
  },
  storage_refused: {
    cause:
      "Storage refused the PUT with a 4xx status: the URL has expired, or the length, the `Content-Type` or the `Content-MD5` of the PUT is not the signed one.",
    fix: "Retry: the widget then requests a new URL. If each PUT is refused, read storage's answer in the network panel of the browser, look it up in [the table of answers](upload_not_found.md#answers-of-storage-to-the-put), and check the clock of the service.",
  },
  storage_unavailable: {
    cause: "Storage answered the PUT with a 5xx status.",
    fix: "Retry later. `GET /readyz` of the service shows whether the service can reach storage.",
  },
  request_refused: {
    cause:
      "The endpoint answered with a 4xx status other than 401, 404, 405 and 429, and without an error code. Such an answer does not come from the helper, but for example from a proxy or your own code in front of it.",
    fix: "Read the answer in the network panel of the browser.",
  },
  unexpected_answer: {
    cause:
      "Something else than the helper answered: with 404 or 405, or with a success status and a body that is not an answer of the helper, such as a page. Or your own `transport` threw an error that is not an `UploadError`.",
    fix: "Open a development build of your page and read the browser's console: the widget logs the address, the answer and the cure. Check that `endpoint` is the path of the helper. In Next's app router, the helper's file is `[...action]/route.ts`. In your own `transport`, throw an `UploadError`.",
  },
};
