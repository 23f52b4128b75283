import { Button, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { limits } from "@stowage/schemas";
import { common } from "../../components/common-texts.js";
import { Dialog } from "../../components/dialog.js";
import { FormError } from "../../components/errors.js";
import { modalStaysOpen, ShownOnce } from "../../components/shown-once.js";
import { trpc } from "../../trpc.js";
import { shareLinks as texts } from "./share-links-texts.js";

interface Props {
  projectRef: string;
  filePath: string;
  opened: boolean;
  onClose: () => void;
}

/** Creates a share link of a file, and shows its URL once. */
export function CreateShareLink({ projectRef, filePath, opened, onClose }: Props) {
  const utils = trpc.useUtils();
  const create = trpc.links.create.useMutation({ gcTime: 0 });
  const { data: created } = create;
  const close = () => {
    onClose();
    // The mutation is the only place that holds the URL.
    create.reset();
  };
  const finish = () => {
    close();
    void utils.links.invalidate();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={texts.createTitle}
      {...(created || create.isPending ? modalStaysOpen : {})}
    >
      {created ? (
        <ShownOnce value={created.url} texts={texts.newLink} onSaved={finish} />
      ) : (
        <LinkForm
          error={create.error}
          isBusy={create.isPending}
          onSubmit={({ end, maxDownloads, password }) =>
            create.mutate({
              projectRef,
              filePath,
              ...(end !== "" && { expiresAfter: Number(end) }),
              ...(maxDownloads !== "" && { maxDownloads: Number(maxDownloads) }),
              ...(password !== "" && { password }),
            })
          }
          onCancel={close}
        />
      )}
    </Dialog>
  );
}

interface LinkFields {
  /** Seconds; empty for never. */
  end: string;
  maxDownloads: string;
  password: string;
}

function LinkForm(props: {
  error: unknown;
  isBusy: boolean;
  onSubmit: (fields: LinkFields) => void;
  onCancel: () => void;
}) {
  const form = useForm<LinkFields>({
    mode: "controlled",
    initialValues: { end: "604800", maxDownloads: "", password: "" },
    validate: {
      maxDownloads: (value) => (value === "" || isCount(value) ? null : texts.wrongMaxDownloads),
      password: (value) => (value === "" || isLongEnough(value) ? null : texts.wrongPassword),
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit(props.onSubmit)}>
      <Stack>
        <FormError error={props.error} />
        <NativeSelect
          label={texts.ends}
          data={texts.lifetimes}
          data-autofocus
          {...form.getInputProps("end")}
        />
        <TextInput
          label={texts.maxDownloads}
          description={texts.maxDownloadsHint}
          inputMode="numeric"
          autoComplete="off"
          {...form.getInputProps("maxDownloads")}
        />
        <TextInput
          label={texts.password}
          description={texts.passwordHint}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps("password")}
        />
        <Group justify="flex-end">
          <Button variant="default" disabled={props.isBusy} onClick={props.onCancel}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={props.isBusy}>
            {texts.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function isCount(text: string): boolean {
  const count = Number(text);
  return Number.isInteger(count) && count >= 1 && count <= limits.linkDownloads;
}

const isLongEnough = ({ length }: string) =>
  length >= limits.minLinkPasswordLength && length <= limits.linkPasswordLength;
