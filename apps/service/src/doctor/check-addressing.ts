import {
  type Addressing,
  canBeVirtual,
  describeAnswer,
  type Endpoint,
  isAtHome,
  placeOf,
  refusesPaths,
} from "#object-store/addressing.js";
import type { Finding } from "./probe.js";

/**
 * Says where the addresses of an endpoint have the bucket, and what to do if storage does not take it there.
 *
 * @returns null for an endpoint that takes the bucket in the path only, and if storage says nothing about it
 */
export async function checkAddressing(endpoint: Endpoint): Promise<Finding | null> {
  const { setting, endpoint: url, bucket, ask } = endpoint;
  if (!canBeVirtual(url, bucket)) return null;
  const addressing = await endpoint.now();
  const answer = await ask(addressing);
  const finding = (verdict: Finding["verdict"], found: string, whatToDo: string | null): Finding => ({
    name: "Addressing",
    verdict,
    found,
    whatToDo,
  });
  const place = `the bucket in the ${PLACES[addressing]} of ${setting}`;
  if (isAtHome(answer)) return finding("ok", `storage takes ${place}`, null);
  const other: Addressing = addressing === "path" ? "virtual" : "path";
  const otherAnswer = await ask(other);
  const found = `storage does not take ${place} (${describeAnswer(answer)})`;
  if (isAtHome(otherAnswer)) return finding("fail", found, `Set S3_ADDRESSING=${other}.`);
  const { host } = placeOf(url, bucket, "virtual");
  const needsName = `Let the name ${host} lead to storage: it needs a DNS record and a certificate for all buckets`;
  if (refusesPaths(answer) || refusesPaths(otherAnswer))
    return finding("fail", found, `${needsName}. Then set S3_ADDRESSING=virtual.`);
  if (addressing === "virtual" && answer.status === null)
    return finding("fail", found, `${needsName}. Or set S3_ADDRESSING=path.`);
  return null;
}

const PLACES = { path: "path", virtual: "host" } as const;
