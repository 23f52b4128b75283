import { describe, isSuccess, presignSample, type Probe, SAMPLE, SAMPLE_TYPE } from "../probe.js";

/** Whether a PUT can be made to store only where nothing is. Stowage does not need it; a client of yours may. */
export const ifNoneMatch: Probe = {
  name: "If-None-Match",
  async run(context) {
    const url = await presignSample(context, context.newPath());
    const headers = { "Content-Type": SAMPLE_TYPE };
    await context.send(url, { method: "PUT", headers, body: SAMPLE });
    const second = await context.send(url, {
      method: "PUT",
      headers: { ...headers, "If-None-Match": "*" },
      body: SAMPLE,
    });
    if (second.status === 412) {
      return { verdict: "ok", found: `a second PUT is refused (${describe(second)})`, whatToDo: null };
    }
    return {
      verdict: "info",
      found: isSuccess(second)
        ? "it is ignored: the second PUT wins"
        : `it is not supported (${describe(second)})`,
      whatToDo:
        "Nothing for Stowage, which counts whatever lies there; do not rely on it in a client of yours.",
    };
  },
};
