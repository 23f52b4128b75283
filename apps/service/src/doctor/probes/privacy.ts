import { describe, isSuccess, presignSample, type Probe, SAMPLE, SAMPLE_TYPE } from "../probe.js";

/** Whether somebody without a signature is kept out. */
export const privacy: Probe = {
  name: "Private",
  async run(context) {
    const path = context.newPath();
    const signed = await presignSample(context, path);
    await context.send(signed, { method: "PUT", headers: { "Content-Type": SAMPLE_TYPE }, body: SAMPLE });
    const { origin, pathname } = new URL(signed);
    const answer = await context.send(origin + pathname);
    if (isSuccess(answer)) {
      return {
        verdict: "warn",
        found: "anybody may read the bucket's objects",
        whatToDo: "Take public read access away (bucket policy, ACL, public access block).",
      };
    }
    return { verdict: "ok", found: `unsigned reads are refused (${describe(answer)})`, whatToDo: null };
  },
};
