import { Alert, Button, Group, NativeSelect, Skeleton, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { FormError } from "../../components/errors.js";
import { formatBytes } from "../../components/format.js";
import { common } from "../../components/common-texts.js";
import { Loaded } from "../../components/loaded.js";
import { TenantLimitsFields } from "../../components/tenant-limits-fields.js";
import {
  formatTenantLimits,
  parseTenantLimits,
  type TenantLimits,
  validateTenantLimits,
} from "../../components/tenant-limits-form.js";
import { tenants as texts } from "./tenants-texts.js";
import { type Outputs, trpc } from "../../trpc.js";
import { Dialog } from "../../components/dialog.js";

interface LimitsDialogProps {
  projectRef: string;
  tenant: Outputs["tenants"]["read"];
  opened: boolean;
  onClose: () => void;
}

type Plan = Outputs["plans"]["list"][number];

/** Gives a tenant a plan, and limits of its own. */
export function LimitsDialog(props: LimitsDialogProps) {
  const { projectRef, tenant, opened, onClose } = props;
  const plans = trpc.plans.list.useQuery({ projectRef });
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.setLimitsOf(tenant.tenantId)}>
      {/* A modal unmounts its content when it closes, so each opening starts with the saved limits. */}
      <Loaded query={plans} skeleton={<Skeleton height={420} />}>
        {(plans) => <Form {...props} plans={plans} />}
      </Loaded>
    </Dialog>
  );
}

function Form({ projectRef, tenant, plans, onClose }: LimitsDialogProps & { plans: Plan[] }) {
  const { tenantId, usedBytes, own, defaults } = tenant;
  const utils = trpc.useUtils();
  const setLimits = trpc.tenants.setLimits.useMutation({
    onSuccess: async () => {
      notifications.show({ message: texts.limitsSet });
      onClose();
      await utils.tenants.invalidate();
    },
  });
  const form = useForm({
    initialValues: { plan: tenant.plan ?? "", ...formatTenantLimits(own) },
    validate: validateTenantLimits,
  });
  const submit = form.onSubmit(({ plan, ...limits }) => {
    const before: Record<string, unknown> = { plan: tenant.plan, ...own };
    const after = { plan: plan || null, ...parseTenantLimits(limits) };
    // The audit log shows what is sent.
    const changed = Object.entries(after).filter(([name, value]) => value !== before[name]);
    if (changed.length === 0) onClose();
    else setLimits.mutate({ projectRef, tenantId, ...Object.fromEntries(changed) });
  });
  const inherited = withPlan(
    plans.find(({ name }) => name === form.values.plan),
    defaults,
  );
  const quotaBytes = parseTenantLimits(form.values).quotaBytes ?? inherited.quotaBytes;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {plans.length > 0 && (
          <NativeSelect
            label={texts.plan}
            data={[{ value: "", label: texts.noPlan }, ...plans.map(({ name }) => name)]}
            {...form.getInputProps("plan")}
          />
        )}
        <TenantLimitsFields form={form} defaults={inherited} />
        {quotaBytes !== null && quotaBytes < usedBytes && (
          <Alert color="orange">{texts.belowUsage(formatBytes(usedBytes))}</Alert>
        )}
        <FormError error={setLimits.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={setLimits.isPending}>
            {common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What applies to a tenant with the plan that sets no limits of its own. */
function withPlan(plan: Plan | undefined, defaults: TenantLimits): TenantLimits {
  return {
    quotaBytes: plan?.quotaBytes ?? defaults.quotaBytes,
    maxFiles: plan?.maxFiles ?? defaults.maxFiles,
    maxOpenUploads: plan?.maxOpenUploads ?? defaults.maxOpenUploads,
    uploadsPerMinute: plan?.uploadsPerMinute ?? defaults.uploadsPerMinute,
  };
}
