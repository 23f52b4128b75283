import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import { DeleteSection } from "../../components/delete-section.js";
import { formatBytes } from "../../components/format.js";
import { replaceControlCharacters } from "../../components/untrusted-text.js";
import { tenants as texts } from "./tenants-texts.js";
import { type Outputs, trpc } from "../../trpc.js";

/** Deletes a tenant with all its files after its ID was typed. The service continues with what one call does not finish. */
export function DeleteTenant(props: { projectRef: string; tenant: Outputs["tenants"]["read"] }) {
  const { projectRef, tenant } = props;
  const { tenantId, fileCount, usedBytes } = tenant;
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const remove = trpc.tenants.delete.useMutation({
    onSuccess: async ({ remainingFiles }) => {
      await navigate({ to: "/projects/$projectRef/tenants", params: { projectRef }, replace: true });
      notifications.show({ message: texts.deleted(replaceControlCharacters(tenantId), remainingFiles) });
      await utils.invalidate();
    },
  });
  return (
    <DeleteSection
      title={texts.deleteSection}
      hint={texts.deleteHint}
      button={texts.delete}
      dialog={{
        title: texts.deleteTitle,
        warning: texts.deleteWarning(fileCount, formatBytes(usedBytes)),
        name: tenantId,
        action: texts.delete,
        onConfirm: (confirmation) => remove.mutate({ projectRef, tenantId, confirmation }),
      }}
      mutation={remove}
    />
  );
}
