import AwsS3 from "@uppy/aws-s3";
import Uppy from "@uppy/core";

/* Uppy 5 as its documentation sets it up for multipart uploads with an own backend. `?5701632` are the bytes of a part. */
const uppy = new Uppy({ autoProceed: true });
uppy.use(AwsS3, {
  shouldUseMultipart: true,
  getChunkSize: () => Number(location.search.slice(1)),
  createMultipartUpload: () => ask("create", { key: `uppy/${crypto.randomUUID()}` }),
  signPart: (_file, { key, uploadId, partNumber }) => ask("sign", { key, uploadId, partNumber }),
  listParts: (_file, { key, uploadId }) => ask("list", { key, uploadId }),
  completeMultipartUpload: (_file, { key, uploadId, parts }) => ask("complete", { key, uploadId, parts }),
  abortMultipartUpload: (_file, { key, uploadId }) => ask("abort", { key, uploadId }),
});
uppy.on("complete", ({ successful, failed }) => {
  // A person presses the button when a file has failed.
  if (failed.length > 0) setTimeout(() => uppy.retryAll());
  else window.settled = { at: performance.now(), totals: { done: successful.length } };
});
// The page has no input before it can upload.
const input = document.createElement("input");
input.type = "file";
input.addEventListener("change", () => {
  window.chosenAt = performance.now();
  for (const file of input.files) uppy.addFile({ name: file.name, type: file.type, data: file });
});
document.body.append(input);

async function ask(call, body) {
  const answer = await fetch(`/api/${call}`, { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${call}: ${answer.status}`);
  return answer.json();
}
