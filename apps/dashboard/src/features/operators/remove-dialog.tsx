import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Confirm } from "../../components/confirm.js";
import { useProjectRef } from "../../components/use-project.js";
import { members as texts } from "../../texts/members.js";
import { trpc } from "../../trpc.js";
import { useEnter } from "./use-enter.js";

/** Asks once more before somebody loses the project. */
export function RemoveDialog(props: {
  member: { operatorId: string; name: string } | null;
  isMe: boolean;
  onClose: () => void;
}) {
  const { member, isMe, onClose } = props;
  const projectRef = useProjectRef();
  const utils = trpc.useUtils();
  const enter = useEnter();
  const remove = trpc.members.remove.useMutation({
    onSuccess: async () => {
      if (isMe) return enter("/");
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
    <Confirm
      title={isMe ? texts.leaveTitle : texts.removeTitle(member?.name ?? "")}
      action={isMe ? texts.leave : texts.remove}
      opened={member !== null}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => member && remove.mutate({ projectRef, operatorId: member.operatorId })}
      onClose={close}
    >
      <Text size="sm">{isMe ? texts.leaveHint : texts.removeHint}</Text>
    </Confirm>
  );
}
