import { Alert, Code, Skeleton, Stack, Text, Title } from "@mantine/core";
import { tryItTenantId } from "@stowage/operator-schemas";
import { IconEye } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { quickstart } from "./quickstart-texts.js";
import { trpc } from "../../../trpc.js";
import { Loaded } from "../../../components/loaded.js";
import { hasRole } from "../../../components/use-project.js";
import styles from "./quickstart.module.css";
import { loadChunk } from "../../../load-chunk.js";

// Lazy because most visits do not show the widget.
const TryItDropzone = lazy(async () => ({
  default: (await loadChunk(() => import("./try-it-dropzone.js"))).TryItDropzone,
}));

/** The widget, for members. Viewers see why they cannot upload. */
export function TryIt({ projectRef, onUploaded }: { projectRef: string; onUploaded?: () => void }) {
  const project = trpc.projects.read.useQuery({ projectRef });
  const skeleton = <Skeleton height={200} />;
  return (
    <Stack gap="md">
      <Title order={2} size="h4">
        {quickstart.tryIt}
      </Title>
      <Loaded query={project} skeleton={skeleton}>
        {({ role, maxFileBytes }) =>
          hasRole(role, "member") ? (
            <>
              <Text size="sm">{quickstart.tryItHint}</Text>
              <Suspense fallback={skeleton}>
                <TryItDropzone projectRef={projectRef} maxFileBytes={maxFileBytes} onUploaded={onUploaded} />
              </Suspense>
              <Text size="sm">
                {quickstart.tenantNote} <Code className={styles["nowrap"] ?? ""}>{tryItTenantId}</Code>.
              </Text>
            </>
          ) : (
            <Alert variant="light" color="gray" icon={<IconEye />} title={quickstart.viewerNote}>
              {quickstart.viewerNoteHint}
            </Alert>
          )
        }
      </Loaded>
    </Stack>
  );
}
