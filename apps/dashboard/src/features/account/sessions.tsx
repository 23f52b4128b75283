import { Badge, Box, Button, Group, Stack, Text, VisuallyHidden } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useRef, useState } from "react";
import { browserName } from "../../components/browser-name.js";
import { ConfirmDialog } from "../../components/confirm-dialog.js";
import { type Column, DataList } from "../../components/data-list.js";
import { errorMessage } from "../../components/errors.js";
import { Loaded } from "../../components/loaded.js";
import { RelativeTime } from "../../components/relative-time.js";
import { sessions as texts } from "./sessions-texts.js";
import { type Outputs, trpc } from "../../trpc.js";

type Session = Outputs["session"]["list"][number];

/** The browsers in which the operator is signed in. The operator can sign out each of the others, or all of them. */
export function Sessions() {
  const utils = trpc.useUtils();
  const list = useRef<HTMLDivElement>(null);
  const sessions = trpc.session.list.useQuery();
  const end = trpc.session.end.useMutation({
    onError: (error) => notifications.show({ color: "red", message: errorMessage(error) }),
    onSuccess: () => {
      notifications.show({ message: texts.ended });
      // The button that had the focus disappears with its session.
      list.current?.focus();
    },
    onSettled: () => utils.session.invalidate(),
  });
  return (
    <Loaded query={sessions}>
      {(rows) => (
        <Stack gap="sm" ref={list} tabIndex={-1} style={{ outline: "none" }}>
          <DataList
            label={texts.title}
            rows={rows}
            rowKey="sessionId"
            columns={columnsFor((session) => end.mutate({ sessionId: session.sessionId }), end.isPending)}
          />
          {rows.some(({ isCurrent }) => !isCurrent) && <EndOthers onEnded={() => list.current?.focus()} />}
        </Stack>
      )}
    </Loaded>
  );
}

/** On phones only the first column and the button are shown. The first column then contains the other columns' texts too. */
function columnsFor(onEnd: (session: Session) => void, isBusy: boolean): Column<Session>[] {
  return [
    {
      id: "userAgent",
      title: texts.browser,
      render: ({ userAgent, isCurrent, ipAddress, lastUsedAt }) => (
        <Box style={{ overflowWrap: "anywhere" }}>
          <Group gap="xs">
            <Text size="sm" lineClamp={2} title={userAgent}>
              {browserName(userAgent) || texts.unknownBrowser}
            </Text>
            {isCurrent && <Badge variant="light">{texts.current}</Badge>}
          </Group>
          <Text hiddenFrom="sm" size="xs" c="dimmed">
            {ipAddress} · <RelativeTime at={lastUsedAt} />
          </Text>
        </Box>
      ),
    },
    {
      isHiddenOnPhones: true,
      id: "ipAddress",
      title: texts.address,
      width: 180,
      render: ({ ipAddress }) => ipAddress,
    },
    {
      isHiddenOnPhones: true,
      id: "createdAt",
      title: texts.signedIn,
      width: 140,
      render: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    {
      isHiddenOnPhones: true,
      id: "lastUsedAt",
      title: texts.lastUsed,
      width: 140,
      render: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} />,
    },
    {
      id: "isCurrent",
      title: <VisuallyHidden>{texts.action}</VisuallyHidden>,
      width: 110,
      textAlign: "right",
      render: (session) =>
        session.isCurrent ? null : (
          <Button
            size="compact-sm"
            variant="default"
            disabled={isBusy}
            aria-label={texts.endOne(browserName(session.userAgent) || texts.unknownBrowser)}
            onClick={() => onEnd(session)}
          >
            {texts.end}
          </Button>
        ),
    },
  ];
}

function EndOthers({ onEnded }: { onEnded: () => void }) {
  const utils = trpc.useUtils();
  const [isOpen, setIsOpen] = useState(false);
  const endOthers = trpc.session.endOthers.useMutation({
    onSuccess: ({ count }) => {
      setIsOpen(false);
      notifications.show({ message: texts.endedOthers(count) });
      onEnded();
    },
    onSettled: () => utils.session.invalidate(),
  });
  return (
    <Group>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {texts.endOthers}
      </Button>
      <ConfirmDialog
        title={texts.endOthersTitle}
        action={texts.endOthersAction}
        opened={isOpen}
        isBusy={endOthers.isPending}
        error={endOthers.error}
        onConfirm={() => endOthers.mutate()}
        onClose={() => setIsOpen(false)}
      >
        <Text size="sm">{texts.endOthersHint}</Text>
      </ConfirmDialog>
    </Group>
  );
}
