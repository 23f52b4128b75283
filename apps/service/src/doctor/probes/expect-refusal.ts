import {
  describe,
  isAccepted,
  isSuccess,
  NotChecked,
  ok,
  type ProbeContext,
  type ProbeRequest,
  type ProbeResult,
  warn,
} from "../probe.js";

/**
 * Sends a PUT that differs from the signed one in a single respect. Storage must refuse it and keep nothing. Then the signed one shows
 * that the difference was the reason.
 */
export async function expectRefusal(
  { send }: ProbeContext,
  attempt: {
    url: string;
    wrong: ProbeRequest;
    right: ProbeRequest;
    isStored(): Promise<boolean>;
    ifAccepted: { found: string; whatToDo: string };
  },
): Promise<ProbeResult> {
  const { url, wrong, right, isStored, ifAccepted } = attempt;
  const answer = await send(url, { method: "PUT", ...wrong });
  const isKept = await isStored().catch(() => {
    throw new NotChecked("the service cannot see whether storage kept it");
  });
  if (isSuccess(answer)) {
    if (!isKept) throw new NotChecked(`storage answers ${describe(answer)} and stores nothing`);
    return warn(ifAccepted.found, ifAccepted.whatToDo);
  }
  if (isKept)
    return warn(`${ifAccepted.found}, although it answers ${describe(answer)}`, ifAccepted.whatToDo);
  isAccepted(answer);
  const control = await send(url, { method: "PUT", ...right });
  if (!isSuccess(control)) throw new NotChecked(`storage refuses the right value too (${describe(control)})`);
  return ok(`storage refuses a different value (${describe(answer)})`);
}
