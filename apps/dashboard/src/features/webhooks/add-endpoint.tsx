import { useNavigate } from "@tanstack/react-router";
import { Dialog } from "../../components/dialog.js";
import { modalStaysOpen, ShownOnce } from "../../components/shown-once.js";
import { useProjectRef } from "../../components/use-project.js";
import { webhooks as texts } from "./webhooks-texts.js";
import { trpc } from "../../trpc.js";
import { EndpointForm } from "./endpoint-form.js";

/** Adds an endpoint, shows its secret once, and opens its page. */
export function AddEndpoint({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const projectRef = useProjectRef();
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const create = trpc.webhooks.create.useMutation({ gcTime: 0 });
  const { data: created } = create;
  const close = () => {
    onClose();
    // The mutation is the only place that holds the secret.
    create.reset();
  };
  const finish = async () => {
    const endpointRef = created!.ref;
    close();
    await utils.webhooks.list.invalidate();
    await navigate({
      to: "/projects/$projectRef/webhooks/$endpointRef",
      params: { projectRef, endpointRef },
      ignoreBlocker: true,
    });
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={created ? texts.secretTitle : texts.addTitle}
      {...(created || create.isPending ? modalStaysOpen : {})}
    >
      {created ? (
        <ShownOnce value={created.secret} texts={texts.newSecret} onSaved={() => void finish()} />
      ) : (
        <EndpointForm
          initial={{ url: "", description: "", events: ["file.stored"] }}
          action={texts.add}
          error={create.error}
          isBusy={create.isPending}
          onSubmit={(fields) => create.mutate({ projectRef, ...fields })}
          onCancel={close}
        />
      )}
    </Dialog>
  );
}
