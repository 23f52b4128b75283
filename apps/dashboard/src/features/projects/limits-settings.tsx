import { Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Section } from "../../components/section.js";
import { settings as texts } from "./settings-texts.js";
import { type Outputs, serviceErrorOf, trpc } from "../../trpc.js";
import { LimitsFields } from "./limits-fields.js";
import { formatLimits, parseLimits, showFieldError, validateLimits } from "./limits-form.js";
import { SaveBar } from "./save-bar.js";
import { useProjectChange } from "./use-project-change.js";

/** Changes the upload limits of a project. */
export function LimitsSettings({ project }: { project: Outputs["projects"]["read"] }) {
  const form = useForm({
    initialValues: formatLimits(project),
    validate: validateLimits("settings"),
  });
  const update = trpc.settings.update.useMutation(useProjectChange(project.ref, texts.saved));
  const submit = form.onSubmit((limits) =>
    update.mutate(
      { projectRef: project.ref, ...parseLimits(limits) },
      {
        onSuccess: (now) => {
          form.setInitialValues(formatLimits(now));
          form.reset();
        },
        onError: (error) => void showFieldError(form, error),
      },
    ),
  );
  return (
    <Section isForm title={texts.limits} hint={texts.limitsHint}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <LimitsFields form={form} />
          <SaveBar
            isDirty={form.isDirty()}
            isBusy={update.isPending}
            error={serviceErrorOf(update.error)?.field === undefined ? update.error : null}
            onDiscard={form.reset}
          />
        </Stack>
      </form>
    </Section>
  );
}
