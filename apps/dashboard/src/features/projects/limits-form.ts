import { schemaResolver } from "@mantine/form";
import { limits } from "@stowage/schemas";
import { createProjectInput, settingsInput } from "@stowage/schemas/dashboard";
import { readSize, writeSize } from "../../components/size-input.js";
import { settings as texts } from "../../texts/settings.js";
import type { Outputs } from "../../trpc.js";

/** The limits of a project's uploads as they stand in a form: sizes as people write them, and nothing for no quota. */
export interface LimitsForm {
  defaultQuota: string;
  maxFile: string;
  requireSize: boolean;
}

type Limits = Pick<Outputs["projects"]["read"], "defaultQuotaBytes" | "maxFileBytes" | "requireSize">;

export const usualLimits: LimitsForm = {
  defaultQuota: "",
  maxFile: writeSize(limits.fileSizeBytes),
  requireSize: false,
};

export function writeLimits({ defaultQuotaBytes, maxFileBytes, requireSize }: Limits): LimitsForm {
  return {
    defaultQuota: defaultQuotaBytes === null ? "" : writeSize(defaultQuotaBytes),
    maxFile: writeSize(maxFileBytes),
    requireSize,
  };
}

/** What the service is told; NaN for what is no size, which no schema lets through. */
export function readLimits({ defaultQuota, maxFile, requireSize }: LimitsForm): Limits {
  return {
    defaultQuotaBytes: defaultQuota.trim() === "" ? null : (readSize(defaultQuota) ?? NaN),
    maxFileBytes: readSize(maxFile) ?? NaN,
    requireSize,
  };
}

/** The service's name of a member, and the form's. */
const fields: Record<string, string> = { defaultQuotaBytes: "defaultQuota", maxFileBytes: "maxFile" };
export const fieldOf = (member: string): string => fields[member] ?? member;

const judge = {
  create: schemaResolver(createProjectInput, { sync: true }),
  settings: schemaResolver(settingsInput, { sync: true }),
};

/** Judges a form by the schema that the service judges the call by, and says it at the form's fields. */
export function judgeLimits(schema: keyof typeof judge) {
  return (form: LimitsForm): Record<string, string> => {
    const input = { ...form, ...readLimits(form) };
    const said = Object.entries(judge[schema](input)).map(([member, sentence]) => {
      const isNoSize = Number.isNaN(input[member as keyof Limits]);
      return [fieldOf(member), isNoSize ? texts.noSize : String(sentence)] as const;
    });
    return Object.fromEntries(said);
  };
}
