import type { UploadErrorCode } from "@stowage/react";

export interface ErrorDoc {
  /** What happened, and why. Markdown. */
  cause: string;
  /** What a developer or operator does next. Markdown. */
  fix: string;
}

/** The texts of `docs/errors/`. A code without an entry here is a type error. */
export const errorDocs: Readonly<Record<UploadErrorCode, ErrorDoc>> = {
  // Of the service.
  unauthorized: {
    cause:
      "The service did not get a valid API key: the `Authorization` header is missing, is not `Bearer <key>`, or the key was replaced. From the helper, the code means that `tenant` returned null, because the user is not signed in.",
    fix: 'Service: copy the project\'s current key from the dashboard into the settings of your backend, and restart it. Helper: check that the request carries your session cookie or token, and that `tenant` reads it. Another origin needs `credentials: "include"` in the widget.',
  },
  invalid_json: {
    cause: "The request body is empty or is not JSON.",
    fix: "Send one JSON object. Check that nothing between the client and the server changes or removes the body.",
  },
  invalid_request: {
    cause: "A member of the request breaks a rule. `detail` names the member and the rule.",
    fix: "Change the member that `detail` names. [The REST API](../api.md) lists the type and the limits of each member.",
  },
  filename_required: {
    cause: "`filename` is missing, null or blank.",
    fix: "Send the original name of the file, with its extension.",
  },
  tenant_id_required: {
    cause: "`tenant_id` is missing, null or blank.",
    fix: "Send the ID of the user in your own system. With the helper, `tenant` must return that ID.",
  },
  size_required: {
    cause:
      "The upload request has no `size`, but the project requires it, or the route of the helper has a `maxSize` or a `minSize`.",
    fix: "Send the size of the file in bytes; the widget always does. Or switch off `Require the size` in the settings of the project.",
  },
  file_too_large: {
    cause:
      "`size` is larger than the limit: the project's maximum file size (5 GB at most), the route's `maxSize`, or the widget's `maxSize`. `detail` has the limit in bytes.",
    fix: "Upload a smaller file, or raise the limit where it is set. One PUT to S3 cannot be larger than 5 GB.",
  },
  quota_exceeded: {
    cause:
      "The tenant's stored bytes, the bytes reserved by its open uploads and the new file together exceed its quota.",
    fix: "Delete files of the tenant, or raise its quota in the dashboard or with `PUT /api/storage/quota/`. An upload that was never finished releases its reservation when its URL expires, after one hour.",
  },
  not_found: {
    cause: "The path does not exist on this server, or the project was deleted.",
    fix: "Check the path. The base URL of the service has no path.",
  },
  method_not_allowed: {
    cause: "The path exists, but not with this method.",
    fix: "Use a method that the `Allow` header of the answer names. [The REST API](../api.md) lists the method of each call.",
  },
  file_not_found: {
    cause: "There is no file with this `file_path`, it was deleted, or it belongs to another tenant.",
    fix: "Use the `file_path` of the upload answer, unchanged. If you send a `tenant_id`, it must be the file's own.",
  },
  upload_not_found: {
    cause:
      "The upload was completed, but storage does not have the object: the PUT failed, was never sent, or is not visible yet.",
    fix: "Send the PUT first and complete it after its answer. Call complete again after a moment. If it never succeeds, check that the browser and the service use the same bucket.",
  },
  upload_already_stored: {
    cause:
      "The upload was cancelled, but its bytes are in storage already: the PUT had finished before. The file is kept and counted.",
    fix: "Keep the file, or delete it with `POST /api/storage/delete/`.",
  },
  body_too_large: {
    cause:
      "The request body is larger than the limit: 64 kB, or about 2 MB for a delete with a list of paths.",
    fix: "Send less: shorten `metadata`, or delete at most 1,000 paths per request. Bytes of files never go through this API.",
  },
  unsupported_media_type: {
    cause: "The request has a body, but its `Content-Type` is not `application/json`.",
    fix: "Send `Content-Type: application/json`.",
  },
  too_many_requests: {
    cause:
      "The caller sent more requests than the rate limit allows, or opened too many streams at the same time.",
    fix: "Wait for the seconds of the `Retry-After` header, then send the request again. The widget does this by itself.",
  },
  internal_error: {
    cause:
      "The server failed in a way that it did not expect. From the helper, it can also mean that the service refused the API key of your backend.",
    fix: "Look for the `X-Request-Id` of the answer in the log of the service. In your backend, the error and its cause go to `onError`.",
  },
  unavailable: {
    cause:
      "The server is up, but something that it needs does not answer: the database, the object storage or, for the helper, the service. A wrong `baseUrl` of the helper has the same code.",
    fix: "Send the request again later; `Retry-After` says when. `GET /readyz` of the service names what is missing, and `stowage doctor` checks the storage.",
  },
  // Of the helper.
  cross_site: {
    cause:
      "A page of another site sent the request. The helper refuses it, because the user's cookie would be sent with it (CSRF).",
    fix: "Call the helper from the same origin. If your page has another origin, add that origin to `allowedOrigins`.",
  },
  route_not_found: {
    cause:
      "The widget named a route that the helper does not have, or named none although the helper has routes.",
    fix: "Use a name from `routes` in `createStowage`. `createUploader<typeof stowage>()` makes a wrong name a type error.",
  },
  file_type_not_accepted: {
    cause: "Neither the extension nor the media type of the file is in `accept`.",
    fix: "Choose another file, or add the type or the extension to `accept`. Some systems report no type for a file: add its extension too.",
  },
  file_too_small: {
    cause:
      "`size` is smaller than the `minSize` of the route or of the widget. `detail` has the limit in bytes.",
    fix: "Choose a larger file, or lower `minSize`.",
  },
  too_many_files: {
    cause:
      "The widget's session already has as many files as `maxFiles` allows. Failed and cancelled files do not count.",
    fix: "Remove a file from the list first, or raise `maxFiles`.",
  },
  upload_refused: {
    cause:
      "The route's `onBeforeUpload` threw a `StowageError` with the code `upload_refused`. `detail` is the text that it gave.",
    fix: "Read what `onBeforeUpload` checks. Give a `detail` that tells the user what to do: the widget shows it.",
  },
  delete_refused: {
    cause:
      "The helper does not allow this user to delete this file. Without `allowDelete`, users cannot delete files.",
    fix: "Set `allowDelete` in `createStowage` to true, or to a function that returns true for this user and file.",
  },
  callback_failed: {
    cause: "The file is stored, but the `onComplete` of the route threw an error or took too long.",
    fix: "Read the error in `onError` and repair the callback. The file stays stored: when the user retries, only the callback runs again.",
  },
  // Of the widget.
  file_unreadable: {
    cause:
      "The browser could not read the file: it was changed, moved or deleted after it was chosen, or it is a folder without read permission.",
    fix: "Choose the file again.",
  },
  file_refused: {
    cause: "The `validate` function of the page returned a text. The widget shows this text.",
    fix: "Choose a file that `validate` accepts.",
  },
  validation_failed: {
    cause: "The `validate` function of the page threw an error or rejected.",
    fix: "Repair `validate`: it returns a text to refuse a file, and must not throw.",
  },
  transform_failed: {
    cause: "The `transform` function of the page threw an error, rejected, or did not return a `Blob`.",
    fix: "Repair `transform`. Return the file itself for files that you do not change.",
  },
  duplicate_file: {
    cause:
      '`duplicates` is `"refuse"`, and the list has a file of the same name, path, size, type and date of change.',
    fix: 'Nothing, if the file is the same. Set `duplicates` to `"skip"` to ignore such files silently, or to `"allow"` to upload them again.',
  },
  total_size_exceeded: {
    cause: "The files of the session would together be larger than `maxTotalSize`.",
    fix: "Remove another file from the list first, or raise `maxTotalSize`.",
  },
  network_error: {
    cause:
      "A request got no answer. Either the connection was lost, or the browser blocked the request: a missing CORS rule of the bucket, a Content-Security-Policy or an extension. The browser does not tell these apart.",
    fix: "If only PUTs to storage fail, read the warning in the browser's console: it lists the CORS rules that the bucket needs. `stowage doctor` checks the bucket too.",
  },
  timed_out: {
    cause:
      "No bytes were sent for 30 seconds, or no answer came within 30 seconds (within 120 seconds after the last byte of a file).",
    fix: "Check the connection and retry. If only large files fail, a proxy between the browser and storage may buffer or limit the body.",
  },
  storage_refused: {
    cause:
      "Storage refused the PUT with a 4xx status. The URL expired, or the request differs from what was signed: its length, its `Content-Type` or its `Content-MD5`.",
    fix: "Retry: the widget asks for a new URL. If it happens each time, read storage's answer in the network panel of the browser, and check the clock of the service.",
  },
  storage_unavailable: {
    cause: "Storage answered the PUT with a 5xx status.",
    fix: "Retry later. Check the state of the storage; the dashboard and `GET /readyz` show whether the service reaches it.",
  },
  request_refused: {
    cause:
      "The endpoint answered a 4xx status without a code of this catalogue. The answer came from something else than the helper, such as a proxy or a login page.",
    fix: "Check `endpoint`, and where the helper is mounted. Look at the answer in the network panel of the browser.",
  },
  unexpected_answer: {
    cause:
      "The endpoint answered a success status with a body that is not an answer of the helper, or a custom `transport` threw an unknown error.",
    fix: "Check `endpoint`: a single-page application often answers unknown paths with its HTML page. In a `transport` of your own, throw `UploadError`.",
  },
};
