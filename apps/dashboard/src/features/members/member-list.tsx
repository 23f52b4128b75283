import { Box, Button, Text, VisuallyHidden } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { type Column, DataList } from "../../components/data-list.js";
import { Email } from "../../components/email.js";
import { EmptyState } from "../../components/empty-state.js";
import { MountOnOpen } from "../../components/mount-on-open.js";
import { RelativeTime } from "../../components/relative-time.js";
import { members as texts } from "./members-texts.js";
import { type Outputs, trpc } from "../../trpc.js";
import { DisabledReason } from "./disabled-reason.js";
import { loadChunk } from "../../load-chunk.js";

// Lazy because only owners see it.
const RoleSelect = lazy(async () => ({
  default: (await loadChunk(() => import("./role-select.js"))).RoleSelect,
}));

const RemoveMemberDialog = lazy(async () => ({
  default: (await loadChunk(() => import("./remove-member-dialog.js"))).RemoveMemberDialog,
}));

type Member = Outputs["members"]["list"]["members"][number];

/** The members of a project. A project must keep an owner, so the last owner can neither change role nor leave. */
export function MemberList({ members, isOwner }: { members: Member[]; isOwner: boolean }) {
  const me = trpc.session.me.useQuery();
  const [leaving, setLeaving] = useState<Member | null>(null);
  const owners = members.filter(({ role }) => role === "owner").length;
  const isLastOwner = ({ role }: Member) => role === "owner" && owners === 1;
  const isMe = ({ operatorId }: Member) => operatorId === me.data?.id;
  if (members.length === 0) return <EmptyState title={texts.none} hint={texts.noneHint} />;
  return (
    <>
      <DataList
        label={texts.title}
        rows={members}
        rowKey="operatorId"
        columns={columnsFor({ isOwner, isLastOwner, isMe, onRemove: setLeaving })}
      />
      <MountOnOpen opened={leaving !== null}>
        <RemoveMemberDialog
          member={leaving}
          isMe={leaving !== null && isMe(leaving)}
          onClose={() => setLeaving(null)}
        />
      </MountOnOpen>
    </>
  );
}

function columnsFor(options: {
  isOwner: boolean;
  isLastOwner: (member: Member) => boolean;
  isMe: (member: Member) => boolean;
  onRemove: (member: Member) => void;
}): Column<Member>[] {
  const { isOwner, isLastOwner, isMe, onRemove } = options;
  const columns: Column<Member>[] = [
    {
      id: "name",
      title: texts.name,
      render: (member) => <MemberName member={member} isMe={isMe(member)} />,
    },
    {
      id: "role",
      title: texts.role,
      width: 120,
      render: (member) =>
        isOwner ? (
          <Suspense fallback={<span>{texts.roles[member.role]}</span>}>
            <RoleSelect member={member} isLastOwner={isLastOwner(member)} />
          </Suspense>
        ) : (
          texts.roles[member.role]
        ),
    },
    {
      isHiddenOnPhones: true,
      id: "since",
      title: texts.since,
      width: 140,
      render: ({ since }) => <RelativeTime at={since} />,
    },
  ];
  if (!isOwner) return columns;
  return [
    ...columns,
    {
      id: "remove",
      title: <VisuallyHidden>{texts.actions}</VisuallyHidden>,
      width: 110,
      textAlign: "right",
      render: (member) => (
        <RemoveButton
          member={member}
          isMe={isMe(member)}
          isLastOwner={isLastOwner(member)}
          onRemove={onRemove}
        />
      ),
    },
  ];
}

function MemberName({ member, isMe }: { member: Member; isMe: boolean }) {
  return (
    <Box style={{ overflowWrap: "anywhere" }}>
      <Text size="sm" fw={500}>
        <span translate="no">{member.name}</span>
        {isMe && (
          <Text span c="dimmed" size="sm">
            {` (${texts.you})`}
          </Text>
        )}
      </Text>
      <Text size="xs" c="dimmed">
        <Email>{member.email}</Email>
      </Text>
    </Box>
  );
}

function RemoveButton(props: {
  member: Member;
  isMe: boolean;
  isLastOwner: boolean;
  onRemove: (member: Member) => void;
}) {
  const { member, isMe, isLastOwner, onRemove } = props;
  return (
    <DisabledReason reason={isLastOwner ? texts.lastOwner : undefined}>
      {(disabledProps) => (
        <Button
          size="xs"
          variant="default"
          aria-label={isMe ? texts.leave : texts.removeOne(member.name)}
          data-disabled={isLastOwner || undefined}
          {...disabledProps}
          onClick={() => {
            if (!isLastOwner) onRemove(member);
          }}
        >
          {isMe ? texts.leave : texts.remove}
        </Button>
      )}
    </DisabledReason>
  );
}
