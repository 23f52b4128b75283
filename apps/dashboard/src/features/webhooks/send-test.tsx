import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconSend } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { errorMessage } from "../../components/errors.js";
import { useProjectRef } from "../../components/use-project.js";
import { webhooks as texts } from "./webhooks-texts.js";
import { trpc } from "../../trpc.js";
import type { Endpoint } from "./endpoint-state.js";

/** Sends a test event, and opens its delivery, which shows the answer as soon as it arrives. */
export function SendTest({ endpoint }: { endpoint: Endpoint }) {
  const projectRef = useProjectRef();
  const navigate = useNavigate({ from: "/projects/$projectRef/webhooks/$endpointRef" });
  const utils = trpc.useUtils();
  const send = trpc.webhooks.sendTest.useMutation({
    onSuccess: async ({ eventId }) => {
      await navigate({ search: { event: eventId } });
      // Not awaited: the button would ignore a click until the log is loaded again.
      void utils.webhooks.deliveries.invalidate();
    },
    onError: (error) => notifications.show({ color: "red", message: errorMessage(error) }),
  });
  return (
    <Button
      leftSection={<IconSend size={16} />}
      disabled={endpoint.disabledAt !== null}
      // Mantine's `loading` disables the button. It would lose the focus, and could not get it back from the dialog.
      aria-busy={send.isPending}
      onClick={() => send.isPending || send.mutate({ projectRef, endpointRef: endpoint.ref })}
    >
      {texts.test}
    </Button>
  );
}
