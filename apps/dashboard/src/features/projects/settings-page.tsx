import { Skeleton, Stack } from "@mantine/core";
import { lazy, Suspense } from "react";
import { OwnersOnly } from "../../components/owners-only.js";
import { Page } from "../../components/page.js";
import { UnsavedChangesGuard } from "../../components/unsaved-changes.js";
import { loadChunk } from "../../load-chunk.js";
import { settings as texts } from "./settings-texts.js";
import { DeleteProject } from "./delete-project.js";
import { LimitsSettings } from "./limits-settings.js";
import { PlansSettings } from "./plans/plans-settings.js";
import { RenameProject } from "./rename-project.js";

// Lazy because radio buttons are large, and the section is far down the page.
const ScanSettings = lazy(async () => ({
  default: (await loadChunk(() => import("./scan-settings.js"))).ScanSettings,
}));

/** A project's name, upload limits, plans and virus scans, and its deletion. */
export function SettingsPage() {
  return (
    <Page title={texts.title} width="form">
      <OwnersOnly reason={texts.ownersOnly}>
        {(project) => (
          <UnsavedChangesGuard key={project.ref}>
            <Stack gap="lg">
              <RenameProject project={project} />
              <LimitsSettings project={project} />
              <PlansSettings projectRef={project.ref} />
              <Suspense fallback={<Skeleton h={320} />}>
                <ScanSettings project={project} />
              </Suspense>
              <DeleteProject project={project} />
            </Stack>
          </UnsavedChangesGuard>
        )}
      </OwnersOnly>
    </Page>
  );
}
