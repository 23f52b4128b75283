import { notifications } from "@mantine/notifications";
import { Dialog } from "../../components/dialog.js";
import { useProjectRef } from "../../components/use-project.js";
import { common } from "../../components/common-texts.js";
import { webhooks as texts } from "./webhooks-texts.js";
import { trpc } from "../../trpc.js";
import { EndpointForm, type EndpointFields } from "./endpoint-form.js";
import type { Endpoint } from "./endpoint-state.js";

/** Changes the URL, the description and the events of an endpoint. */
export function ChangeEndpoint(props: { endpoint: Endpoint; opened: boolean; onClose: () => void }) {
  const { endpoint, opened, onClose } = props;
  const projectRef = useProjectRef();
  const utils = trpc.useUtils();
  const change = trpc.webhooks.change.useMutation({
    onSuccess: async () => {
      notifications.show({ message: texts.changed });
      onClose();
      await utils.webhooks.list.invalidate();
    },
  });
  const close = () => {
    change.reset();
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title={texts.changeTitle}>
      <EndpointForm
        initial={endpoint as EndpointFields}
        action={common.save}
        error={change.error}
        isBusy={change.isPending}
        onSubmit={({ url, description, events }) =>
          change.mutate({ projectRef, endpointRef: endpoint.ref, url, description, events })
        }
        onCancel={close}
      />
    </Dialog>
  );
}
