import { Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { limits } from "@stowage/schemas";
import { common } from "./common-texts.js";
import { formatBytes, formatCount } from "./format.js";
import { SizeInput } from "./size-input.js";
import { counts, type TenantLimits, type TenantLimitsForm } from "./tenant-limits-form.js";
import { tenantLimits as texts } from "./tenant-limits-texts.js";

/**
 * The fields of the limits of a tenant or a plan.
 *
 * @param defaults what applies where a field is empty, if it is known
 */
export function TenantLimitsFields<Form extends TenantLimitsForm>(props: {
  form: UseFormReturnType<Form>;
  defaults?: TenantLimits;
}) {
  const { form, defaults } = props;
  const shownDefault = (limit: number | null, format: (limit: number) => string) =>
    texts.byDefault(limit === null ? common.noLimit : format(limit));
  return (
    <Stack>
      <SizeInput
        label={texts.quotaBytes}
        {...(defaults && { placeholder: shownDefault(defaults.quotaBytes, formatBytes) })}
        {...form.getInputProps("quotaBytes")}
        value={form.values.quotaBytes}
      />
      {counts.map((name) => (
        <TextInput
          key={name}
          type="number"
          label={texts[name]}
          description={texts[`${name}Hint`]}
          {...(defaults && { placeholder: shownDefault(defaults[name], formatCount) })}
          min={0}
          max={limits.countLimit}
          {...form.getInputProps(name)}
        />
      ))}
    </Stack>
  );
}
