import type { Probe } from "../probe.js";

/** S3 servers refuse a signature that is further off (RequestTimeTooSkewed). */
const REFUSED_SECONDS = 15 * 60;
/** A skew this small changes the lifetime of a URL too little to matter. */
const TOLERATED_SECONDS = 30;

/** Compares this machine's clock with the Date header of a response. Any response has one, so the status does not matter. */
export const clockSkew: Probe = {
  name: "Clock",
  async run({ send, publicEndpoint, clock }) {
    const before = clock().getTime();
    const { headers } = await send(publicEndpoint);
    const midway = (before + clock().getTime()) / 2;
    const storageTime = Date.parse(headers.get("date") ?? "");
    if (Number.isNaN(storageTime)) {
      return { verdict: "info", found: "storage sends no Date header, so not checked", whatToDo: null };
    }
    // The Date header has whole seconds, so on average it is half a second behind.
    const skew = Math.round((storageTime + 500 - midway) / 1000);
    const skewSeconds = Math.abs(skew);
    const found =
      skewSeconds === 0
        ? "storage and this machine have the same time"
        : `storage's clock is ${skewSeconds} s ${skew > 0 ? "ahead of" : "behind"} this machine's`;
    if (skewSeconds <= TOLERATED_SECONDS) return { verdict: "ok", found, whatToDo: null };
    return {
      verdict: skewSeconds >= REFUSED_SECONDS ? "fail" : "warn",
      found,
      whatToDo:
        "Synchronize both clocks with NTP: storage refuses signatures that are more than 15 minutes off.",
    };
  },
};
