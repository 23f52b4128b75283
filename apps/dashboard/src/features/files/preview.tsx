import { Skeleton, Text } from "@mantine/core";
import { lazy, Suspense } from "react";
import { isRefused } from "../../components/files/scan-state.js";
import { useProject } from "../../components/use-project.js";
import { filePage as texts } from "./file-page-texts.js";
import type { Outputs } from "../../trpc.js";
import { loadChunk } from "../../load-chunk.js";
import { textKindOf } from "./text-preview/text-kind.js";

const PreviewContent = lazy(async () => ({
  default: (await loadChunk(() => import("./preview-content.js"))).PreviewContent,
}));
const TextPreview = lazy(async () => ({
  default: (await loadChunk(() => import("./text-preview/text-preview.js"))).TextPreview,
}));

/** A preview of a stored file. The preview URL grants access for minutes, so it is requested only when it is needed. */
export function Preview(props: { projectRef: string; file: Outputs["files"]["read"] }) {
  const { projectRef, file } = props;
  const { data: project } = useProject();
  if (file.status === "trashed") return <Note>{texts.notInTrash}</Note>;
  if (isRefused(file, project)) return <Note>{texts.notClean}</Note>;
  if (file.status !== "stored") return <Note>{texts.notStoredYet}</Note>;
  const textKind = textKindOf(file);
  if (textKind === null && !/^(image|audio|video)\/|^application\/pdf\b/i.test(file.contentType))
    return <Note>{texts.noPreview}</Note>;
  return (
    <Suspense fallback={<Skeleton h={200} />}>
      {/* The key remounts the preview when the file is replaced. */}
      {textKind === null ? (
        <PreviewContent key={file.etag} projectRef={projectRef} file={file} />
      ) : (
        <TextPreview key={file.etag} projectRef={projectRef} file={file} kind={textKind} />
      )}
    </Suspense>
  );
}

function Note({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
