import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { planInput } from "@stowage/operator-schemas";
import { common } from "../../../components/common-texts.js";
import { Dialog } from "../../../components/dialog.js";
import { FormError } from "../../../components/errors.js";
import { TenantLimitsFields } from "../../../components/tenant-limits-fields.js";
import {
  formatTenantLimits,
  parseTenantLimits,
  validateTenantLimits,
} from "../../../components/tenant-limits-form.js";
import { type Outputs, trpc } from "../../../trpc.js";
import { plans as texts } from "./plans-texts.js";

export type Plan = Outputs["plans"]["list"][number];

interface SavePlanProps {
  projectRef: string;
  /** Undefined for a new one. */
  plan: Plan | undefined;
  plans: Plan[];
  opened: boolean;
  onClose: () => void;
}

/** Adds a plan, or changes the given one. */
export function SavePlan(props: SavePlanProps) {
  const { plan, opened, onClose } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={plan ? texts.changeOf(plan.name) : texts.addTitle}>
      <Form {...props} />
    </Dialog>
  );
}

const noLimits = { quotaBytes: null, maxFiles: null, maxOpenUploads: null, uploadsPerMinute: null };
const validateName = schemaResolver(planInput, { sync: true });

function Form({ projectRef, plan, plans, onClose }: SavePlanProps) {
  const utils = trpc.useUtils();
  const save = trpc.plans.save.useMutation({
    onSuccess: async () => {
      notifications.show({ message: texts.saved });
      onClose();
      await Promise.all([utils.plans.invalidate(), utils.tenants.invalidate()]);
    },
  });
  const isTaken = (name: string) => !plan && plans.some((other) => other.name === name);
  const form = useForm({
    initialValues: { name: plan?.name ?? "", ...formatTenantLimits(plan ?? noLimits) },
    validate: ({ name, ...limits }) => ({
      ...validateTenantLimits(limits),
      ...validateName({ name }),
      ...(isTaken(name) && { name: texts.nameTaken }),
    }),
  });
  const submit = form.onSubmit(({ name, ...limits }) =>
    save.mutate({ projectRef, name, ...parseTenantLimits(limits) }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {!plan && (
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            autoComplete="off"
            required
            data-autofocus
            {...form.getInputProps("name")}
          />
        )}
        <Text size="sm" c="dimmed">
          {texts.fieldsHint}
        </Text>
        <TenantLimitsFields form={form} />
        <FormError error={save.error} />
        <Group justify="flex-end">
          <Button variant="default" disabled={save.isPending} onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {plan ? common.save : texts.add}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
