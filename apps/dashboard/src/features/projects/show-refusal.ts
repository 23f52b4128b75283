import type { UseFormReturnType } from "@mantine/form";
import { refusalOf } from "../../trpc.js";
import { fieldOf } from "./limits-form.js";

/** Shows a refusal at the field that it is about. @returns whether there is such a field */
export function showRefusal<Form>(form: UseFormReturnType<Form>, error: unknown): boolean {
  const refusal = refusalOf(error);
  const field = refusal?.field === undefined ? undefined : fieldOf(refusal.field);
  if (!refusal || field === undefined || !(field in (form.getValues() as object))) return false;
  form.setErrors({ [field]: refusal.detail });
  return true;
}
