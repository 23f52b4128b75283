import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconTrash } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { lazy } from "react";
import { formatBytes } from "../../components/format.js";
import { MountOnOpen } from "../../components/mount-on-open.js";
import { Section } from "../../components/section.js";
import { replaceControlCharacters } from "../../components/untrusted-text.js";
import { loadChunk } from "../../load-chunk.js";
import { tenants as texts } from "../../texts/tenants.js";
import { type Outputs, trpc } from "../../trpc.js";

const ConfirmByNameDialog = lazy(async () => ({
  default: (await loadChunk(() => import("../../components/confirm-by-name-dialog.js"))).ConfirmByNameDialog,
}));

/** Deletes a tenant with all its files after its ID was typed. The service goes on with what one call does not finish. */
export function DeleteTenant(props: { projectRef: string; tenant: Outputs["tenants"]["read"] }) {
  const { projectRef, tenant } = props;
  const { tenantId, fileCount, usedBytes } = tenant;
  const [isOpen, dialog] = useDisclosure();
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const remove = trpc.tenants.delete.useMutation({
    onSuccess: async ({ remainingFiles }) => {
      dialog.close();
      await navigate({ to: "/projects/$projectRef/tenants", params: { projectRef }, replace: true });
      notifications.show({ message: texts.deleted(replaceControlCharacters(tenantId), remainingFiles) });
      await utils.invalidate();
    },
  });
  const close = () => {
    if (remove.isPending) return;
    dialog.close();
    remove.reset();
  };
  return (
    <Section isForm title={texts.deleteSection} hint={texts.deleteHint}>
      <Button
        color="red"
        variant="outline"
        leftSection={<IconTrash size={16} />}
        style={{ alignSelf: "flex-start" }}
        onClick={dialog.open}
      >
        {texts.delete}
      </Button>
      <MountOnOpen opened={isOpen}>
        <ConfirmByNameDialog
          title={texts.deleteTitle}
          warning={texts.deleteWarning(fileCount, formatBytes(usedBytes))}
          name={tenantId}
          action={texts.delete}
          opened={isOpen}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={(confirmation) => remove.mutate({ projectRef, tenantId, confirmation })}
          onClose={close}
        />
      </MountOnOpen>
    </Section>
  );
}
