import { Button, Code, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { inviteInput, type Role, roles } from "@stowage/operator-schemas";
import { CopyButton } from "../../components/copy-button.js";
import { FormError } from "../../components/errors.js";
import { useProjectRef } from "../../components/use-project.js";
import { common } from "../../components/common-texts.js";
import { members as texts } from "./members-texts.js";
import { trpc } from "../../trpc.js";
import { Dialog } from "../../components/dialog.js";

/** Creates an invitation link and shows it once. */
export function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const utils = trpc.useUtils();
  const invite = trpc.members.invite.useMutation({ onSuccess: () => utils.members.list.invalidate() });
  const close = () => {
    onClose();
    // The mutation is the only place that holds the link.
    invite.reset();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      closeOnClickOutside={!invite.isSuccess}
      title={invite.isSuccess ? texts.linkTitle : texts.inviteTitle}
    >
      {invite.isSuccess ? (
        <Stack>
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            {texts.linkHint(invite.variables.email)}
          </Text>
          <Code block style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
            {invite.data.url}
          </Code>
          <Group justify="space-between">
            <CopyButton wide value={invite.data.url} what={texts.link.toLowerCase()} />
            <Button variant="default" onClick={close}>
              {texts.done}
            </Button>
          </Group>
        </Stack>
      ) : (
        <InviteForm
          error={invite.error}
          isBusy={invite.isPending}
          onSubmit={invite.mutate}
          onCancel={close}
        />
      )}
    </Dialog>
  );
}

function InviteForm(props: {
  error: unknown;
  isBusy: boolean;
  onSubmit: (input: { projectRef: string; email: string; role: Role }) => void;
  onCancel: () => void;
}) {
  const projectRef = useProjectRef();
  const form = useForm<{ email: string; role: Role }>({
    mode: "controlled",
    initialValues: { email: "", role: "member" },
    validate: schemaResolver(inviteInput, { sync: true }),
  });
  return (
    <form noValidate onSubmit={form.onSubmit((input) => props.onSubmit({ projectRef, ...input }))}>
      <Stack>
        <FormError error={props.error} />
        <TextInput
          label={texts.email}
          type="email"
          autoComplete="off"
          required
          data-autofocus
          {...form.getInputProps("email")}
        />
        <Select
          label={texts.role}
          description={texts.rights[form.values.role]}
          allowDeselect={false}
          data={roles.map((role) => ({ value: role, label: texts.roles[role] }))}
          {...form.getInputProps("role")}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onCancel}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={props.isBusy}>
            {texts.createLink}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
