import { Stack, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { renameProjectInput } from "@stowage/operator-schemas";
import { Section } from "../../components/section.js";
import { settings as texts } from "./settings-texts.js";
import { type Outputs, serviceErrorOf, trpc } from "../../trpc.js";
import { SaveBar } from "./save-bar.js";
import { showFieldError } from "./limits-form.js";
import { useProjectChange } from "./use-project-change.js";

/** Changes the name of a project. */
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
        onError: (error) => void showFieldError(form, error),
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
            error={serviceErrorOf(rename.error)?.field === undefined ? rename.error : null}
            onDiscard={form.reset}
          />
        </Stack>
      </form>
    </Section>
  );
}
