import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { ConfirmDialog } from "../../components/confirm-dialog.js";
import { useProjectRef } from "../../components/use-project.js";
import { members as texts } from "./members-texts.js";
import { trpc } from "../../trpc.js";
import { useClearCacheAndNavigate } from "../../components/session.js";

/** Confirms that a member is removed, or that the operator leaves the project. */
export function RemoveMemberDialog(props: {
  member: { operatorId: string; name: string } | null;
  isMe: boolean;
  onClose: () => void;
}) {
  const { member, isMe, onClose } = props;
  const projectRef = useProjectRef();
  const utils = trpc.useUtils();
  const clearCacheAndNavigate = useClearCacheAndNavigate();
  const remove = trpc.members.remove.useMutation({
    onSuccess: async () => {
      if (isMe) return clearCacheAndNavigate("/");
      notifications.show({ message: texts.removed(member?.name ?? "") });
      onClose();
      await utils.members.list.invalidate();
    },
  });
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title={isMe ? texts.leaveTitle : texts.removeTitle(member?.name ?? "")}
      action={isMe ? texts.leave : texts.remove}
      opened={member !== null}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => member && remove.mutate({ projectRef, operatorId: member.operatorId })}
      onClose={close}
    >
      <Text size="sm">{isMe ? texts.leaveHint : texts.removeHint}</Text>
    </ConfirmDialog>
  );
}
