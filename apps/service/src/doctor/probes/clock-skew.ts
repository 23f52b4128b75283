import type { Probe } from "../probe.js";

/** Beyond it every S3 server refuses a signature (RequestTimeTooSkewed). */
const REFUSED_SECONDS = 15 * 60;
/** A URL lives shorter or longer by so much: nobody notices this little. */
const TOLERATED_SECONDS = 30;

/** Compares this machine's clock with the Date of an answer; which answer does not matter, so none is asked for in particular. */
export const clockSkew: Probe = {
  name: "Clock",
  async run({ send, publicEndpoint, clock }) {
    const before = clock().getTime();
    const { headers } = await send(publicEndpoint);
    const midway = (before + clock().getTime()) / 2;
    const theirs = Date.parse(headers.get("date") ?? "");
    if (Number.isNaN(theirs)) {
      return { verdict: "info", found: "storage does not tell its time", whatToDo: null };
    }
    // The Date header has whole seconds, so on average it is half a second behind.
    const skew = Math.round((theirs + 500 - midway) / 1000);
    const apart = Math.abs(skew);
    const found =
      apart === 0
        ? "the same as storage's"
        : `storage's is ${apart} s ${skew > 0 ? "ahead of" : "behind"} this machine's`;
    if (apart <= TOLERATED_SECONDS) return { verdict: "ok", found, whatToDo: null };
    return {
      verdict: apart >= REFUSED_SECONDS ? "fail" : "warn",
      found,
      whatToDo: "Keep both clocks right with NTP: signatures more than 15 minutes off are refused.",
    };
  },
};
