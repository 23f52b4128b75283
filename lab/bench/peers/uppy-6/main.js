import AwsS3 from "@uppy/aws-s3";
import Uppy from "@uppy/core";

/* Uppy 6 as its documentation sets it up for multipart uploads with an own backend that signs. `?5701632` are the bytes of a part. */
const uppy = new Uppy({ autoProceed: true });
uppy.use(AwsS3, {
  shouldUseMultipart: true,
  getChunkSize: () => Number(location.search.slice(1)),
  generateObjectKey: () => `uppy/${crypto.randomUUID()}`,
  async signRequest(request) {
    const answer = await fetch("/api/sign-request", { method: "POST", body: JSON.stringify(request) });
    if (!answer.ok) throw new Error(`sign: ${answer.status}`);
    return answer.json();
  },
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
