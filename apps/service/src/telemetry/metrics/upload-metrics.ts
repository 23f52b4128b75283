import { StowageError } from "@stowage/schemas";
import type { Registry } from "prom-client";
import type { MarkStored } from "#files/settle/mark-stored.js";
import type { AdmissionResult, AdmitUpload } from "#files/upload/admit-uploads.js";
import { addCounter, addHistogram } from "./families.js";

type Outcome = AdmissionResult["outcome"] | "too_many_requests" | "unavailable" | "internal_error";
const outcomes: Record<Outcome, true> = {
  admitted: true,
  unknown_project: true,
  size_required: true,
  file_too_large: true,
  quota_exceeded: true,
  file_limit_exceeded: true,
  too_many_uploads: true,
  key_reused: true,
  tenant_being_deleted: true,
  file_not_found: true,
  file_on_hold: true,
  file_being_replaced: true,
  too_many_requests: true,
  unavailable: true,
  internal_error: true,
};

const LAG_SECONDS = [1, 2, 5, 10, 30, 60, 120, 300, 900, 3600];

/** Uploads: how many are admitted, and how late storage's objects are recorded. */
export function addUploadMetrics(registry: Registry, { clock }: { clock: () => Date }) {
  const admissions = addCounter(registry, {
    name: "stowage_admissions_total",
    help: "Uploads that the database admitted or refused.",
    labelNames: ["outcome"] as const,
  });
  for (const outcome of Object.keys(outcomes)) admissions.inc({ outcome }, 0);
  const lag = addHistogram(registry, {
    name: "stowage_settle_lag_seconds",
    help: "Time from the end of an upload, by storage's clock in whole seconds, until the file was stored. From the request of the upload if storage does not say it.",
    buckets: LAG_SECONDS,
  });

  return {
    watchAdmit:
      (admit: AdmitUpload): AdmitUpload =>
      async (upload) => {
        try {
          const result = await admit(upload);
          admissions.inc({ outcome: result.outcome });
          return result;
        } catch (error) {
          admissions.inc({ outcome: outcomeOf(error) });
          throw error;
        }
      },
    watchMarkStored:
      (markStored: MarkStored): MarkStored =>
      async (upload) => {
        const isMarked = await markStored(upload);
        const endedAt = upload.object.lastModified ?? upload.seen.createdAt;
        // The clocks of storage and service differ, and storage's time has no fractions.
        if (isMarked) lag.observe(Math.max(0, (clock().getTime() - endedAt.getTime()) / 1000));
        return isMarked;
      },
  };
}

function outcomeOf(error: unknown): Outcome {
  const code = error instanceof StowageError ? error.code : undefined;
  return code === "too_many_requests" || code === "unavailable" ? code : "internal_error";
}
