import { limits } from "@stowage/schemas";
import { findProvider } from "#object-store/providers.js";
import type { Finding } from "./probe.js";

/**
 * Says what the provider of an endpoint does in another way than S3. Only information: the probes test the storage itself, and some
 * providers take every region.
 *
 * @param wanted S3_REGION and S3_MAX_PARTS
 * @returns null if the endpoint names no provider
 */
export function checkProvider(
  endpoint: string,
  wanted: { region: string; maxParts: number },
): Finding | null {
  const found = findProvider(endpoint);
  if (!found) return null;
  const { name, maxParts, deviations } = found.provider;
  const isOther = found.region !== null && found.region !== wanted.region;
  const hasFewer = maxParts !== null && maxParts < wanted.maxParts;
  const known = [
    name,
    isOther && `its region is ${found.region}, and S3_REGION is ${wanted.region}`,
    maxParts !== null && maxParts < limits.parts && `an upload has at most ${maxParts} parts`,
    deviations,
  ];
  const steps = [
    isOther && `If signatures are refused, set S3_REGION=${found.region}.`,
    hasFewer && `Set S3_MAX_PARTS=${maxParts}.`,
  ];
  return {
    name: "Provider",
    verdict: "info",
    found: known.filter(Boolean).join("; "),
    whatToDo: steps.filter(Boolean).join(" ") || null,
  };
}
