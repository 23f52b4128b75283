import { Alert, Button, Group, Stack, Textarea } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useBlocker } from "@tanstack/react-router";
import { CopyButton } from "../../components/copy-button.js";
import { key as texts } from "../../texts/key.js";

/**
 * The only sight of a key. Whoever draws it forgets the key when `onStored` is called, and draws it in a dialog that nothing else
 * closes; nor does the back button lead away, and the browser asks before the tab is closed.
 */
export function NewKey({ apiKey, onStored }: { apiKey: string; onStored: () => void }) {
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true });
  return (
    <Stack>
      <Alert color="yellow" icon={<IconAlertTriangle />} title={texts.shownOnce}>
        {texts.shownOnceHint}
      </Alert>
      <Textarea
        label={texts.shown}
        value={apiKey}
        readOnly
        autosize
        autoComplete="off"
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", wordBreak: "break-all" } }}
        data-autofocus
      />
      <Group justify="space-between">
        <CopyButton value={apiKey} what={texts.copy} wide />
        <Button onClick={onStored}>{texts.stored}</Button>
      </Group>
    </Stack>
  );
}

/** What makes a dialog deaf to Escape and to clicks beside it while it shows a key. */
export const stayingOpen = {
  closeOnEscape: false,
  closeOnClickOutside: false,
  withCloseButton: false,
} as const;
