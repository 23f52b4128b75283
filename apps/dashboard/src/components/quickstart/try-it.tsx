import { Alert, Code, Skeleton, Stack, Text, Title } from "@mantine/core";
import { tryItTenantId } from "@stowage/schemas/dashboard";
import { IconEye } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { quickstart } from "../../texts/quickstart.js";
import { trpc } from "../../trpc.js";
import { Loaded } from "../loaded.js";
import { mayAs } from "../use-project.js";
import styles from "./quickstart.module.css";

// The widget is a chunk of its own: most visits never see it.
const TryItDropzone = lazy(async () => ({
  default: (await import("./try-it-dropzone.js")).TryItDropzone,
}));

/** The widget itself, for those who may upload; others are told why it is not there. */
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
          mayAs(role, "member") ? (
            <>
              <Text size="sm">{quickstart.tryItHint}</Text>
              <Suspense fallback={skeleton}>
                <TryItDropzone projectRef={projectRef} maxFileBytes={maxFileBytes} onUploaded={onUploaded} />
              </Suspense>
              <Text size="sm">
                {quickstart.keptAs} <Code className={styles["word"] ?? ""}>{tryItTenantId}</Code>.
              </Text>
            </>
          ) : (
            <Alert variant="light" color="gray" icon={<IconEye />} title={quickstart.noTrial}>
              {quickstart.noTrialHint}
            </Alert>
          )
        }
      </Loaded>
    </Stack>
  );
}
