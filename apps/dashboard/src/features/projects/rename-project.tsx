import { Stack, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { renameProjectInput } from "@stowage/schemas/dashboard";
import { Section } from "../../components/section.js";
import { settings as texts } from "../../texts/settings.js";
import { type Outputs, refusalOf, trpc } from "../../trpc.js";
import { SaveBar } from "./save-bar.js";
import { showRefusal } from "./show-refusal.js";
import { useProjectChange } from "./use-project-change.js";

/** The project's name. */
export function RenameProject({ project }: { project: Outputs["projects"]["read"] }) {
  const form = useForm({
    initialValues: { name: project.name },
    validate: schemaResolver(renameProjectInput, { sync: true }),
  });
  const rename = trpc.settings.rename.useMutation(useProjectChange(project.ref, texts.renamed));
  const submit = form.onSubmit(({ name }) =>
    rename.mutate(
      { projectRef: project.ref, name },
      {
        onSuccess: (now) => {
          form.setInitialValues({ name: now.name });
          form.reset();
        },
        onError: (error) => void showRefusal(form, error),
      },
    ),
  );
  return (
    <Section isForm title={texts.general}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            autoComplete="off"
            required
            {...form.getInputProps("name")}
          />
          <SaveBar
            isDirty={form.isDirty()}
            isBusy={rename.isPending}
            error={refusalOf(rename.error)?.field === undefined ? rename.error : null}
            onDiscard={form.reset}
          />
        </Stack>
      </form>
    </Section>
  );
}
