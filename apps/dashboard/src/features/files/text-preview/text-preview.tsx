import { Code, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { LoadError } from "../../../components/errors.js";
import { replaceControlCharacters } from "../../../components/untrusted-text.js";
import { loadChunk } from "../../../load-chunk.js";
import { type Outputs, trpc } from "../../../trpc.js";
import { BrokenPreview } from "../broken-preview.js";
import { filePage } from "../file-page-texts.js";
import { indentJson } from "./indent-json.js";
import { readText, type TextHead } from "./read-text.js";
import classes from "./text-preview.module.css";
import type { TextKind } from "./text-kind.js";
import { textPreview as texts } from "./text-preview-texts.js";

const TextTable = lazy(async () => ({
  default: (await loadChunk(() => import("./text-table.js"))).TextTable,
}));

const MAX_LINES = 500;

/**
 * Shows the beginning of a text file. Everything of the file becomes text nodes: no link works, no script runs, and a formula of a
 * spreadsheet is only its text.
 */
export function TextPreview(props: { projectRef: string; file: Outputs["files"]["read"]; kind: TextKind }) {
  const { projectRef, file, kind } = props;
  const { client } = trpc.useUtils();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["text-preview", projectRef, file.id, file.etag],
    queryFn: async ({ signal }) => {
      const { downloadUrl } = await client.files.links.mutate({ projectRef, fileId: file.id });
      return readText(downloadUrl, file.contentType, signal);
    },
    staleTime: Infinity,
    // The text of a file that a person has left is not kept.
    gcTime: 0,
  });
  const retry = () => void refetch();
  if (data?.outcome === "text") return <Head head={data} file={file} kind={kind} />;
  if (data?.outcome === "no_text") return <Note>{texts.isNoText(file.contentType)}</Note>;
  if (data) return <BrokenPreview onRetry={retry}>{texts.textNotLoaded}</BrokenPreview>;
  if (error) return <LoadError error={error} isRetrying={isFetching} onRetry={retry} />;
  return <Skeleton h={200} />;
}

interface HeadProps {
  head: Extract<TextHead, { outcome: "text" }>;
  file: Outputs["files"]["read"];
  kind: TextKind;
}

function Head({ head, file, kind }: HeadProps) {
  const { text, encoding } = head.decoded;
  if (text === "") return <Note>{texts.isEmpty}</Note>;
  return (
    <Stack gap="xs">
      {!head.isWhole && <Note>{texts.isBeginning(head.readBytes, file.sizeBytes ?? 0)}</Note>}
      {kind === "table" ? (
        <Suspense fallback={<Skeleton h={200} />}>
          <TextTable
            text={text}
            isWhole={head.isWhole}
            isTabSeparated={/tab-separated/i.test(file.contentType)}
            label={labelOf(file)}
          />
        </Suspense>
      ) : (
        <Lines text={text} isJson={kind === "json" && head.isWhole} label={labelOf(file)} />
      )}
      {encoding !== "utf-8" && <Note>{texts.encodedAs(encoding)}</Note>}
    </Stack>
  );
}

const labelOf = ({ filename }: { filename: string }) =>
  filePage.previewOf(replaceControlCharacters(filename));

function Lines({ text, isJson, label }: { text: string; isJson: boolean; label: string }) {
  const indented = isJson ? indentJson(text, MAX_LINES) : null;
  const lines = (indented ?? text).replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
  return (
    <>
      {lines.length > MAX_LINES && <Note>{texts.firstLines(MAX_LINES)}</Note>}
      {/* `tabIndex` makes the block scrollable by keyboard. */}
      <Code block className={classes["text"] ?? ""} tabIndex={0} role="region" aria-label={label}>
        {lines.slice(0, MAX_LINES).map(replaceControlsOfLine).join("\n")}
      </Code>
      {indented !== null && <Note>{texts.isIndented}</Note>}
      {isJson && indented === null && <Note>{texts.isNoJson}</Note>}
    </>
  );
}

const replaceControlsOfLine = (line: string) => line.split("\t").map(replaceControlCharacters).join("\t");

function Note({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
