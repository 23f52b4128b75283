import { Alert, Button, Collapse, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useId } from "react";
import { Dialog } from "../../components/dialog.js";
import { errorMessage } from "../../components/errors.js";
import { ShownOnce, modalStaysOpen } from "../../components/shown-once.js";
import { common } from "../../components/common-texts.js";
import { key as keyTexts } from "./key-texts.js";
import { projects as texts } from "./projects-texts.js";
import { serviceErrorOf, trpc } from "../../trpc.js";
import { LimitsFields } from "./limits-fields.js";
import {
  defaultLimits,
  type LimitsForm,
  parseLimits,
  showFieldError,
  validateLimits,
} from "./limits-form.js";

/** Creates a project, shows its API key once, and opens the project. */
export function CreateProject({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const create = trpc.projects.create.useMutation({ gcTime: 0 });
  const { data: created } = create;
  const finish = async () => {
    const projectRef = created!.ref;
    onClose();
    // The mutation is the only place that holds the key.
    create.reset();
    await utils.projects.list.invalidate();
    await navigate({ to: "/projects/$projectRef", params: { projectRef }, ignoreBlocker: true });
  };
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={created ? keyTexts.newKeyTitle : texts.createTitle}
      {...(created || create.isPending ? modalStaysOpen : {})}
    >
      {created ? (
        <ShownOnce value={created.apiKey} texts={keyTexts} onSaved={() => void finish()} />
      ) : (
        <CreateForm create={create} onCancel={onClose} />
      )}
    </Dialog>
  );
}

interface ProjectForm extends LimitsForm {
  name: string;
  /** Null: the default. */
  storage: string | null;
}

function CreateForm(props: {
  create: ReturnType<typeof trpc.projects.create.useMutation>;
  onCancel: () => void;
}) {
  const { create, onCancel } = props;
  const { data: storages, error: storagesError } = trpc.projects.storages.useQuery();
  const [isAdvanced, advanced] = useDisclosure();
  const advancedId = useId();
  const form = useForm<ProjectForm>({
    initialValues: { name: "", storage: null, ...defaultLimits },
    validate: validateLimits("create"),
  });
  const submit = form.onSubmit(
    ({ name, storage, ...limits }) =>
      create.mutate(
        { name, storage, ...parseLimits(limits) },
        {
          onError: (error) => {
            if (showFieldError(form, error)) advanced.open();
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
        {create.error && serviceErrorOf(create.error)?.field === undefined && (
          <Alert color="red" role="alert">
            {errorMessage(create.error)}
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
        {storagesError && (
          <Alert color="red" role="alert">
            {errorMessage(storagesError)}
          </Alert>
        )}
        {storages && storages.length > 1 && (
          <NativeSelect
            label={texts.storage}
            description={texts.storageHint}
            data={storages}
            {...form.getInputProps("storage")}
            value={form.getValues().storage ?? storages[0]!}
          />
        )}
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
          <Button type="submit" loading={create.isPending} disabled={!storages}>
            {texts.createAction}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
