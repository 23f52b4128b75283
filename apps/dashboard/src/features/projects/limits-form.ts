import { schemaResolver, type UseFormReturnType } from "@mantine/form";
import { limits } from "@stowage/schemas";
import { createProjectInput, settingsInput } from "@stowage/operator-schemas";
import { formatSizeInput, parseSizeInput } from "../../components/size-input.js";
import { settings as texts } from "./settings-texts.js";
import { type Outputs, serviceErrorOf } from "../../trpc.js";

/** The values of the form fields. Sizes are text such as "5 GB"; an empty quota means the service's default. */
export interface LimitsForm {
  defaultQuota: string;
  maxFile: string;
  requireSize: boolean;
  allowOverQuota: boolean;
  /** A number as text, as `maxVersions`. */
  trashDays: string;
  maxVersions: string;
}

type Limits = Pick<
  Outputs["projects"]["read"],
  "defaultQuotaBytes" | "maxFileBytes" | "requireSize" | "allowOverQuota" | "trashDays" | "maxVersions"
>;

/** The limits of a new project. */
export const defaultLimits: LimitsForm = {
  defaultQuota: "",
  maxFile: formatSizeInput(limits.fileSizeBytes),
  requireSize: false,
  allowOverQuota: false,
  trashDays: String(limits.newProjectTrashDays),
  maxVersions: "0",
};

export function formatLimits({
  defaultQuotaBytes,
  maxFileBytes,
  requireSize,
  allowOverQuota,
  trashDays,
  maxVersions,
}: Limits): LimitsForm {
  return {
    defaultQuota: defaultQuotaBytes === null ? "" : formatSizeInput(defaultQuotaBytes),
    maxFile: formatSizeInput(maxFileBytes),
    requireSize,
    allowOverQuota,
    trashDays: String(trashDays),
    maxVersions: String(maxVersions),
  };
}

/** Returns the input of the service's calls. A text that is not a size becomes NaN, which the schemas reject. */
export function parseLimits({
  defaultQuota,
  maxFile,
  requireSize,
  allowOverQuota,
  trashDays,
  maxVersions,
}: LimitsForm): Limits {
  return {
    defaultQuotaBytes: defaultQuota.trim() === "" ? null : (parseSizeInput(defaultQuota) ?? NaN),
    maxFileBytes: parseSizeInput(maxFile) ?? NaN,
    requireSize,
    allowOverQuota,
    trashDays: toNumber(trashDays),
    maxVersions: toNumber(maxVersions),
  };
}

const toNumber = (text: string) => (text.trim() === "" ? NaN : Number(text));

/** The members that are sizes. */
const SIZES = new Set(["defaultQuotaBytes", "maxFileBytes"]);

const resolvers = {
  create: schemaResolver(createProjectInput, { sync: true }),
  settings: schemaResolver(settingsInput, { sync: true }),
};

/** Validates the form with the schema of the service's call. Returns the errors by form field. */
export function validateLimits(schema: keyof typeof resolvers) {
  return (form: LimitsForm): Record<string, string> => {
    const input = { ...form, ...parseLimits(form) };
    const errors = Object.entries(resolvers[schema](input)).map(([member, message]) => {
      const isNotASize = SIZES.has(member) && Number.isNaN(input[member as keyof Limits]);
      return [formFieldOf(member), isNotASize ? texts.notASize : String(message)] as const;
    });
    return Object.fromEntries(errors);
  };
}

/** Shows the service's error at the form field that it is about. Returns false if there is no such field. */
export function showFieldError<Form>(form: UseFormReturnType<Form>, error: unknown): boolean {
  const serviceError = serviceErrorOf(error);
  if (serviceError?.field === undefined) return false;
  const field = formFieldOf(serviceError.field);
  if (!(field in (form.getValues() as object))) return false;
  form.setErrors({ [field]: serviceError.detail });
  return true;
}

/** Form fields whose names differ from those in the service's calls. */
const formFields: Record<string, string> = { defaultQuotaBytes: "defaultQuota", maxFileBytes: "maxFile" };

function formFieldOf(member: string): string {
  return formFields[member] ?? member;
}
