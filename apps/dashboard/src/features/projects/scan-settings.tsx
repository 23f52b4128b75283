import { Anchor, Radio, Stack, Switch } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ScanSetting } from "@stowage/operator-schemas";
import { Link } from "@tanstack/react-router";
import { Section } from "../../components/section.js";
import { settings as texts } from "./settings-texts.js";
import { type Outputs, trpc } from "../../trpc.js";
import { SaveBar } from "./save-bar.js";
import { useProjectChange } from "./use-project-change.js";

type Project = Outputs["projects"]["read"];

const scans: ScanSetting[] = ["off", "clamav", "external"];
const valuesOf = ({ scan, allowUnscannable }: Pick<Project, "scan" | "allowUnscannable">) => ({
  scan,
  allowUnscannable,
});

/** Changes who scans the files of a project for viruses, and what happens to files that cannot be scanned. */
export function ScanSettings({ project }: { project: Project }) {
  const form = useForm({ initialValues: valuesOf(project) });
  const update = trpc.settings.update.useMutation(useProjectChange(project.ref, texts.saved));
  const submit = form.onSubmit((values) =>
    update.mutate(
      { projectRef: project.ref, ...values },
      {
        onSuccess: (now) => {
          form.setInitialValues(valuesOf(now));
          form.reset();
        },
      },
    ),
  );
  return (
    <Section isForm title={texts.scans} hint={<Hint projectRef={project.ref} />}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Radio.Group label={texts.scanner} {...form.getInputProps("scan")}>
            <Stack gap="sm" mt="xs">
              {scans.map((scan) => (
                <Radio
                  key={scan}
                  value={scan}
                  label={texts.scanners[scan].label}
                  description={texts.scanners[scan].hint}
                />
              ))}
            </Stack>
          </Radio.Group>
          <Switch
            label={texts.allowUnscannable}
            description={texts.allowUnscannableHint}
            disabled={form.values.scan === "off"}
            {...form.getInputProps("allowUnscannable", { type: "checkbox" })}
          />
          <SaveBar
            isDirty={form.isDirty()}
            isBusy={update.isPending}
            error={update.error}
            onDiscard={form.reset}
          />
        </Stack>
      </form>
    </Section>
  );
}

function Hint({ projectRef }: { projectRef: string }) {
  return (
    <>
      {texts.scansHint}{" "}
      <Anchor
        inherit
        underline="always"
        renderRoot={(props) => (
          <Link to="/projects/$projectRef/files/quarantine" params={{ projectRef }} {...props} />
        )}
      >
        {texts.quarantine}
      </Anchor>
    </>
  );
}
