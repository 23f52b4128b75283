import {
  describe,
  isAccepted,
  isSuccess,
  ok,
  presignSample,
  type Probe,
  SAMPLE,
  SAMPLE_BYTES,
  SAMPLE_HEADERS,
  uploadSample,
  warn,
} from "../probe.js";

/** curl and many other clients ask before they send a large body: https://www.rfc-editor.org/rfc/rfc9110#name-expect */
export const expectContinue: Probe = {
  name: "Expect: 100-continue",
  async run(context) {
    await uploadSample(context);
    const path = context.newPath();
    const url = await presignSample(context, path, { sizeBytes: SAMPLE_BYTES });
    const headers = { ...SAMPLE_HEADERS, Expect: "100-continue" };
    const put = await context
      .send(url, { method: "PUT", headers, body: SAMPLE })
      .catch((error: Error) => error);
    const found =
      put instanceof Error
        ? `a PUT with Expect: 100-continue gets no answer (${put.message})`
        : `storage does not take a PUT with Expect: 100-continue (${describe(put)})`;
    if (
      put instanceof Error ||
      !isSuccess(put) ||
      (await context.store.head(path))?.sizeBytes !== SAMPLE_BYTES
    )
      return warn(
        found,
        "Let the proxy in front of storage pass the header Expect, or tell clients to leave it out (curl -H 'Expect:'). Browsers never send it.",
      );
    return ok("storage takes a PUT whose client asks first, as curl does");
  },
};

const CHUNKED = { ...SAMPLE_HEADERS, "Transfer-Encoding": "chunked" };

/** A body without a length cannot be compared with the signed length before it is stored. */
export const chunkedPut: Probe = {
  name: "Chunked PUT",
  async run(context) {
    await uploadSample(context);
    const put = async (sizeBytes: number | undefined, body: string) => {
      const path = context.newPath();
      const url = await presignSample(context, path, { sizeBytes });
      const answer = await context.send(url, { method: "PUT", headers: CHUNKED, body });
      // Storage that does not implement chunks says 501: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
      if (answer.status !== 501) isAccepted(answer);
      return { answer, stored: (await context.store.head(path))?.sizeBytes };
    };
    const larger = await put(SAMPLE_BYTES, `${SAMPLE}and more`);
    if ((larger.stored ?? 0) > SAMPLE_BYTES)
      return warn(
        "storage accepts a chunked PUT that is larger than the signed size",
        "Refuse requests without Content-Length in a proxy in front of storage. Until then uploads that are already running can exceed a quota.",
      );
    const { answer, stored } = await put(undefined, SAMPLE);
    const isAnswered = isSuccess(answer);
    if (isAnswered && stored !== SAMPLE_BYTES)
      return warn(
        `a chunked PUT is answered HTTP ${answer.status}, but ${stored ?? 0} of its ${SAMPLE_BYTES} bytes are stored`,
        "Let the proxy in front of storage pass bodies without a length, or refuse them with 411. Let clients send Content-Length: docs/put.md.",
      );
    return ok(
      isAnswered
        ? "storage takes a chunked PUT if the URL signs no size, and none that is larger than the signed size"
        : `storage refuses a PUT without Content-Length (${describe(answer)})`,
    );
  },
};
