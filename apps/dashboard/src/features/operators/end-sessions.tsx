import { Button, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { ConfirmDialog } from "../../components/confirm-dialog.js";
import { operators as texts } from "./operators-texts.js";
import { trpc } from "../../trpc.js";

/** A button that ends all sessions of an operator, after a confirmation. */
export function EndSessions({ operator }: { operator: { operatorId: string; name: string; email: string } }) {
  const { operatorId, name, email } = operator;
  const [isOpen, setIsOpen] = useState(false);
  const end = trpc.operators.endSessions.useMutation({
    onSuccess: ({ count }) => {
      setIsOpen(false);
      notifications.show({ message: texts.endedSessions(count) });
    },
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={texts.endSessionsOf(name)}
        onClick={() => setIsOpen(true)}
      >
        {texts.end}
      </Button>
      <ConfirmDialog
        title={texts.endSessionsOf(name)}
        action={texts.endSessions}
        opened={isOpen}
        isBusy={end.isPending}
        error={end.error}
        onConfirm={() => end.mutate({ operatorId })}
        onClose={() => setIsOpen(false)}
      >
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {texts.endSessionsHint(email)}
        </Text>
      </ConfirmDialog>
    </>
  );
}
