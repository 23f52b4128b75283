import { Stack, Switch, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { limits } from "@stowage/schemas";
import { formatSizeInput, SizeInput } from "../../components/size-input.js";
import { settings as texts } from "./settings-texts.js";
import type { LimitsForm } from "./limits-form.js";

/** Fields of the upload limits, for the forms that create and change a project. */
export function LimitsFields<Form extends LimitsForm>({ form }: { form: UseFormReturnType<Form> }) {
  return (
    <Stack>
      <SizeInput
        label={texts.defaultQuota}
        description={texts.defaultQuotaHint}
        placeholder={texts.serviceDefault}
        {...form.getInputProps("defaultQuota")}
        value={form.values.defaultQuota}
      />
      <SizeInput
        label={texts.maxFile}
        description={texts.maxFileHint({
          max: formatSizeInput(limits.multipartFileSizeBytes),
          onePut: formatSizeInput(limits.fileSizeBytes),
        })}
        {...form.getInputProps("maxFile")}
        value={form.values.maxFile}
      />
      <Switch
        label={texts.requireSize}
        description={texts.requireSizeHint}
        {...form.getInputProps("requireSize", { type: "checkbox" })}
      />
      <Switch
        label={texts.allowOverQuota}
        description={texts.allowOverQuotaHint}
        {...form.getInputProps("allowOverQuota", { type: "checkbox" })}
      />
      {/* No NumberInput: its library has 9 kB. */}
      <TextInput
        type="number"
        label={texts.trashDays}
        description={texts.trashDaysHint}
        min={0}
        max={limits.maxTrashDays}
        {...form.getInputProps("trashDays")}
      />
      <TextInput
        type="number"
        label={texts.maxVersions}
        description={texts.maxVersionsHint}
        min={0}
        max={limits.maxVersions}
        {...form.getInputProps("maxVersions")}
      />
    </Stack>
  );
}
