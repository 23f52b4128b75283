import { Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Section } from "../../components/section.js";
import { settings as texts } from "../../texts/settings.js";
import { type Outputs, refusalOf, trpc } from "../../trpc.js";
import { LimitsFields } from "./limits-fields.js";
import { judgeLimits, readLimits, writeLimits } from "./limits-form.js";
import { SaveBar } from "./save-bar.js";
import { showRefusal } from "./show-refusal.js";
import { useProjectChange } from "./use-project-change.js";

/** Default quota, maximum file size, and whether uploads must say their size. */
export function LimitsSettings({ project }: { project: Outputs["projects"]["read"] }) {
  const form = useForm({
    initialValues: writeLimits(project),
    validate: judgeLimits("settings"),
  });
  const update = trpc.settings.update.useMutation(useProjectChange(project.ref, texts.saved));
  const submit = form.onSubmit((limits) =>
    update.mutate(
      { projectRef: project.ref, ...readLimits(limits) },
      {
        onSuccess: (now) => {
          form.setInitialValues(writeLimits(now));
          form.reset();
        },
        onError: (error) => void showRefusal(form, error),
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
            error={refusalOf(update.error)?.field === undefined ? update.error : null}
            onDiscard={form.reset}
          />
        </Stack>
      </form>
    </Section>
  );
}
