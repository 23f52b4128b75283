import {
  describe,
  isSuccess,
  NotChecked,
  ok,
  presignRead,
  type Probe,
  uploadSample,
  warn,
} from "../probe.js";

/** Whether storage says that it encrypted an object as S3_ENCRYPTION asks. */
export const encryption: Probe = {
  name: "Encryption",
  async run(context) {
    const { path } = await uploadSample(context);
    const answer = await context.send(await presignRead(context, path));
    if (!isSuccess(answer)) throw new NotChecked(`storage refuses a presigned GET (${describe(answer)})`);
    const name = "x-amz-server-side-encryption";
    const [asked, found] = [context.store.encryptionHeaders[name], answer.headers.get(name)];
    if (asked === found) return ok(`storage encrypts with ${asked}`);
    return warn(
      `S3_ENCRYPTION asks for ${asked}, and storage says ${found ?? "nothing"} of the object`,
      "Use storage that encrypts as asked, or remove S3_ENCRYPTION: the bucket may encrypt by itself.",
    );
  },
};
