import { Button, Skeleton, Text } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { files as texts } from "../../texts/files.js";
import type { Outputs } from "../../trpc.js";

const ShownFile = lazy(async () => ({ default: (await import("./shown-file.js")).ShownFile }));

/** What a browser draws whole; a film and a sound come a piece at a time, however long they are. */
const SHOWN_AT_ONCE_BYTES = 20 * 1024 * 1024;

/** How a file looks. Its URL is asked for only when there is something to show: it is a key, and lives for minutes. */
export function Preview(props: { projectRef: string; file: Outputs["files"]["read"] }) {
  const { projectRef, file } = props;
  const [isAskedFor, setAskedFor] = useState(false);
  if (file.status !== "stored") return <Quiet>{texts.notStoredYet}</Quiet>;
  if (!/^(image|audio|video)\/|^application\/pdf\b/i.test(file.contentType))
    return <Quiet>{texts.noPreview}</Quiet>;
  const bytes = file.sizeBytes ?? 0;
  const isDrawnWhole = /^(image|application)\//i.test(file.contentType);
  if (isDrawnWhole && bytes > SHOWN_AT_ONCE_BYTES && !isAskedFor)
    return (
      <Button variant="default" leftSection={<IconEye size={16} />} onClick={() => setAskedFor(true)}>
        {texts.showPreview(bytes)}
      </Button>
    );
  return (
    <Suspense fallback={<Skeleton h={200} />}>
      {/* Other bytes in its place are another picture. */}
      <ShownFile key={file.etag} projectRef={projectRef} fileId={file.id} filename={file.filename} />
    </Suspense>
  );
}

function Quiet({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
