import { Alert, Button, Group, Radio, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { type FormEvent, useState } from "react";
import { FormError } from "../../components/errors.js";
import { formatBytes } from "../../components/format.js";
import { parseSizeInput, SizeInput, formatSizeInput } from "../../components/size-input.js";
import { common } from "../../components/common-texts.js";
import { tenants as texts } from "./tenants-texts.js";
import { type Outputs, trpc } from "../../trpc.js";
import { Dialog } from "../../components/dialog.js";

interface QuotaDialogProps {
  projectRef: string;
  tenant: Outputs["tenants"]["read"];
  opened: boolean;
  onClose: () => void;
}

/** Sets a tenant's own quota, or returns to the default. */
export function QuotaDialog(props: QuotaDialogProps) {
  const { tenant, opened, onClose } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.setQuotaOf(tenant.tenantId)}>
      {/* A modal unmounts its content when it closes, so each opening starts with the saved quota. */}
      <Form {...props} />
    </Dialog>
  );
}

function Form({ projectRef, tenant, onClose }: QuotaDialogProps) {
  const { tenantId, usedBytes, quotaBytes, quotaSource, defaultQuotaBytes } = tenant;
  const [kind, setKind] = useState(quotaSource === "tenant" ? "own" : "default");
  const [size, setSize] = useState(quotaBytes === null ? "" : formatSizeInput(quotaBytes));
  const utils = trpc.useUtils();
  const setQuota = trpc.tenants.setQuota.useMutation({
    onSuccess: async () => {
      notifications.show({ message: texts.quotaSet });
      onClose();
      await utils.tenants.invalidate();
    },
  });
  const ownBytes = parseSizeInput(size);
  const chosenBytes = kind === "own" ? ownBytes : defaultQuotaBytes;
  const isComplete = kind === "default" || ownBytes !== null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete && !setQuota.isPending)
      setQuota.mutate({ projectRef, tenantId, quotaBytes: kind === "own" ? ownBytes : null });
  };
  const defaultQuota = defaultQuotaBytes === null ? common.noLimit : formatBytes(defaultQuotaBytes);
  return (
    <form onSubmit={submit}>
      <Stack>
        <Radio.Group aria-label={texts.quota} value={kind} onChange={setKind}>
          <Stack gap="xs">
            <Radio value="default" label={texts.useDefault(defaultQuota)} />
            <Radio value="own" label={texts.ownQuota} />
          </Stack>
        </Radio.Group>
        {kind === "own" && (
          <SizeInput
            label={texts.ownQuotaSize}
            value={size}
            onChange={setSize}
            error={size !== "" && ownBytes === null}
            data-autofocus
          />
        )}
        {chosenBytes !== null && chosenBytes < usedBytes && (
          <Alert color="orange">{texts.belowUsage(formatBytes(usedBytes))}</Alert>
        )}
        <FormError error={setQuota.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" disabled={!isComplete} loading={setQuota.isPending}>
            {common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
