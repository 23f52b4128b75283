import { Box, Button, Select, Text, VisuallyHidden } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { type Role, roles } from "@stowage/schemas/dashboard";
import type { DataTableColumn } from "mantine-datatable";
import { lazy, useState } from "react";
import { DataList, hiddenOnPhones } from "../../components/data-list.js";
import { Email } from "../../components/email.js";
import { EmptyState } from "../../components/empty-state.js";
import { errorMessage } from "../../components/errors.js";
import { MountOnOpen } from "../../components/mount-on-open.js";
import { RelativeTime } from "../../components/relative-time.js";
import { useProjectRef } from "../../components/use-project.js";
import { members as texts } from "../../texts/members.js";
import { type Outputs, trpc } from "../../trpc.js";
import { DisabledReason } from "./disabled-reason.js";

const RemoveMemberDialog = lazy(async () => ({
  default: (await import("./remove-member-dialog.js")).RemoveMemberDialog,
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
}): DataTableColumn<Member>[] {
  const { isOwner, isLastOwner, isMe, onRemove } = options;
  const columns: DataTableColumn<Member>[] = [
    {
      accessor: "name",
      title: texts.name,
      render: (member) => <MemberName member={member} isMe={isMe(member)} />,
    },
    {
      accessor: "role",
      title: texts.role,
      width: 120,
      render: (member) =>
        isOwner ? <RoleSelect member={member} isLastOwner={isLastOwner(member)} /> : texts.roles[member.role],
    },
    {
      ...hiddenOnPhones,
      accessor: "since",
      title: texts.since,
      width: 140,
      render: ({ since }) => <RelativeTime at={since} />,
    },
  ];
  if (!isOwner) return columns;
  return [
    ...columns,
    {
      accessor: "remove",
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
        {member.name}
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

function RoleSelect({ member, isLastOwner }: { member: Member; isLastOwner: boolean }) {
  const projectRef = useProjectRef();
  const utils = trpc.useUtils();
  const change = trpc.members.changeRole.useMutation({
    onSuccess: (_, { role }) =>
      notifications.show({ message: texts.roleChanged(member.name, texts.roles[role]) }),
    onError: (error) => notifications.show({ color: "red", message: errorMessage(error) }),
    // The operator may have changed their own role, which decides what the pages of the project offer.
    onSettled: () => Promise.all([utils.members.list.invalidate(), utils.projects.invalidate()]),
  });
  return (
    <DisabledReason reason={isLastOwner ? texts.lastOwner : undefined}>
      {(disabledProps) => (
        <Select
          aria-label={texts.roleOf(member.name)}
          size="xs"
          allowDeselect={false}
          readOnly={isLastOwner}
          variant={isLastOwner ? "filled" : "default"}
          disabled={change.isPending}
          {...disabledProps}
          data={roles.map((role) => ({ value: role, label: texts.roles[role] }))}
          value={change.isPending ? change.variables.role : member.role}
          onChange={(role) => {
            if (role === null || role === member.role) return;
            change.mutate({ projectRef, operatorId: member.operatorId, role: role as Role });
          }}
        />
      )}
    </DisabledReason>
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
