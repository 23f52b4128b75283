import { Badge, Text, VisuallyHidden } from "@mantine/core";
import { DataList } from "../../components/data-list.js";
import { fileColumns } from "../../components/files/file-columns.js";
import { FileName } from "../../components/files/file-name.js";
import type { ListedFile } from "../../components/files/listed-file.js";
import { useFileState } from "../../components/files/file-state.js";
import { Thumbnails } from "../../components/files/thumbnails.js";
import { replaceControlCharacters } from "../../components/untrusted-text.js";
import { Loaded } from "../../components/loaded.js";
import { Section } from "../../components/section.js";
import { files } from "../../components/files/files-texts.js";
import { overview as texts } from "../../components/overview-texts.js";
import { trpc } from "../../trpc.js";
import { REFRESH_MS } from "./use-live-uploads.js";

/** The newest uploads and their status, updated live. */
export function NewestUploads({ projectRef, isLive }: { projectRef: string; isLive: boolean }) {
  const query = trpc.overview.newestUploads.useQuery(
    { projectRef },
    { refetchInterval: isLive ? false : REFRESH_MS },
  );
  return (
    <Section
      title={texts.newest}
      h="100%"
      aside={
        isLive ? (
          <Badge variant="dot" color="teal">
            {texts.live}
          </Badge>
        ) : (
          <Text size="xs" c="dimmed">
            {texts.notLive}
          </Text>
        )
      }
    >
      <Loaded query={query}>
        {(uploads) => (
          <>
            <Announcement upload={uploads[0]} />
            {uploads.length === 0 ? (
              <Text c="dimmed">{texts.noFiles}</Text>
            ) : (
              <Uploads projectRef={projectRef} uploads={uploads} />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** Announces the newest upload to screen readers, without interrupting them. */
function Announcement({ upload }: { upload: ListedFile | undefined }) {
  return <VisuallyHidden role="status">{upload && <UploadAndState upload={upload} />}</VisuallyHidden>;
}

function UploadAndState({ upload }: { upload: ListedFile }) {
  const name = replaceControlCharacters(upload.filename);
  return <span>{texts.announce(name, files.states[useFileState(upload)])}</span>;
}

function Uploads({ projectRef, uploads }: { projectRef: string; uploads: ListedFile[] }) {
  const { name, tenant, size, status, created } = fileColumns(projectRef);
  return (
    <Thumbnails files={uploads}>
      <DataList
        label={texts.newest}
        rows={uploads}
        rowKey="id"
        columns={[
          {
            ...name,
            title: texts.file,
            render: (file) => <FileName projectRef={projectRef} file={file} />,
          },
          tenant,
          size,
          status,
          { ...created, title: texts.created },
        ]}
      />
    </Thumbnails>
  );
}
