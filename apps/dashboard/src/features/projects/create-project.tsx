import { Alert, Button, Collapse, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useId } from "react";
import { sentenceOf } from "../../components/failure.js";
import { common } from "../../texts/common.js";
import { key as keyTexts } from "../../texts/key.js";
import { projects as texts } from "../../texts/projects.js";
import { refusalOf, trpc } from "../../trpc.js";
import { LimitsFields } from "./limits-fields.js";
import { judgeLimits, type LimitsForm, readLimits, usualLimits } from "./limits-form.js";
import { NewKey, stayingOpen } from "./new-key.js";
import { showRefusal } from "./show-refusal.js";

/** Makes a project, shows its key once, and goes to it. */
export function CreateProject({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const create = trpc.projects.create.useMutation({ gcTime: 0 });
  const { data: made } = create;
  const forget = async () => {
    const projectRef = made!.ref;
    onClose();
    // The mutation is the only thing that holds the key.
    create.reset();
    await utils.projects.list.invalidate();
    await navigate({ to: "/projects/$projectRef", params: { projectRef }, ignoreBlocker: true });
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={made ? keyTexts.shownTitle : texts.createTitle}
      closeButtonProps={{ "aria-label": common.close }}
      {...(made || create.isPending ? stayingOpen : {})}
    >
      {made ? (
        <NewKey apiKey={made.apiKey} onStored={() => void forget()} />
      ) : (
        <CreateForm create={create} onCancel={onClose} />
      )}
    </Modal>
  );
}

interface ProjectForm extends LimitsForm {
  name: string;
}

function CreateForm(props: {
  create: ReturnType<typeof trpc.projects.create.useMutation>;
  onCancel: () => void;
}) {
  const { create, onCancel } = props;
  const [isAdvanced, advanced] = useDisclosure();
  const advancedId = useId();
  const form = useForm<ProjectForm>({
    initialValues: { name: "", ...usualLimits },
    validate: judgeLimits("create"),
  });
  const submit = form.onSubmit(
    ({ name, ...limits }) =>
      create.mutate(
        { name, ...readLimits(limits) },
        {
          onError: (error) => {
            if (showRefusal(form, error)) advanced.open();
          },
        },
      ),
    (errors) => {
      if (Object.keys(errors).some((field) => field !== "name")) advanced.open();
    },
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {create.error && refusalOf(create.error)?.field === undefined && (
          <Alert color="red" role="alert">
            {sentenceOf(create.error)}
          </Alert>
        )}
        <TextInput
          label={texts.name}
          description={texts.nameHint}
          required
          autoComplete="off"
          data-autofocus
          {...form.getInputProps("name")}
        />
        <Button
          variant="subtle"
          size="compact-sm"
          style={{ alignSelf: "flex-start", marginInlineStart: "-0.5rem" }}
          rightSection={isAdvanced ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
          aria-expanded={isAdvanced}
          aria-controls={advancedId}
          onClick={advanced.toggle}
        >
          {texts.advanced}
        </Button>
        <Collapse expanded={isAdvanced} id={advancedId}>
          <LimitsFields form={form} />
        </Collapse>
        <Group justify="flex-end">
          <Button variant="default" disabled={create.isPending} onClick={onCancel}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {texts.createAction}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
