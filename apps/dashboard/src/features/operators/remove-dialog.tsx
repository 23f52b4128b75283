import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Refusal } from "../../components/refusal.js";
import { useProjectRef } from "../../components/use-project.js";
import { common } from "../../texts/common.js";
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
    <Modal
      opened={member !== null}
      onClose={close}
      title={isMe ? texts.leaveTitle : texts.removeTitle(member?.name ?? "")}
      closeButtonProps={{ "aria-label": common.close }}
    >
      <Stack>
        <Text size="sm">{isMe ? texts.leaveHint : texts.removeHint}</Text>
        <Refusal error={remove.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {common.cancel}
          </Button>
          <Button
            color="red"
            loading={remove.isPending}
            onClick={() => member && remove.mutate({ projectRef, operatorId: member.operatorId })}
          >
            {isMe ? texts.leave : texts.remove}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
