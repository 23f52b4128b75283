import { Stack } from "@mantine/core";
import { OwnersOnly } from "../../components/owners-only.js";
import { Page } from "../../components/page.js";
import { UnsavedChangesGuard } from "../../components/unsaved-changes.js";
import { settings as texts } from "../../texts/settings.js";
import { DeleteProject } from "./delete-project.js";
import { LimitsSettings } from "./limits-settings.js";
import { RenameProject } from "./rename-project.js";

/** A project's name and upload limits, and its deletion. */
export function SettingsPage() {
  return (
    <Page title={texts.title} width="form">
      <OwnersOnly reason={texts.ownersOnly}>
        {(project) => (
          <UnsavedChangesGuard key={project.ref}>
            <Stack gap="lg">
              <RenameProject project={project} />
              <LimitsSettings project={project} />
              <DeleteProject project={project} />
            </Stack>
          </UnsavedChangesGuard>
        )}
      </OwnersOnly>
    </Page>
  );
}
