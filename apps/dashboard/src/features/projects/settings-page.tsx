import { Skeleton, Stack } from "@mantine/core";
import { lazy, Suspense } from "react";
import { OwnersOnly } from "../../components/owners-only.js";
import { Page } from "../../components/page.js";
import { UnsavedChangesGuard } from "../../components/unsaved-changes.js";
import { loadChunk } from "../../load-chunk.js";
import { settings as texts } from "./settings-texts.js";
import { DeleteProject } from "./delete-project.js";
import { LimitsSettings } from "./limits-settings.js";
import { RenameProject } from "./rename-project.js";

// Lazy because a table and radio buttons are large, and the sections are down the page.
const PlansSettings = lazy(async () => ({
  default: (await loadChunk(() => import("./plans/plans-settings.js"))).PlansSettings,
}));
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
              <Suspense fallback={<Skeleton h={160} />}>
                <PlansSettings projectRef={project.ref} />
              </Suspense>
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
