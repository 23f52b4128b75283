import { Alert, Anchor, Stack } from "@mantine/core";
import { Link, useParams } from "@tanstack/react-router";
import { IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { EmptyState } from "../../components/empty-state.js";
import { replaceControlCharacters } from "../../components/untrusted-text.js";
import { untilNextChange } from "../../components/files/file-state.js";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { filePage as texts } from "./file-page-texts.js";
import { serviceErrorOf, trpc } from "../../trpc.js";
import { FileActions } from "./file-actions.js";
import { FileDetails } from "./file-details.js";
import { FileHistory } from "./file-history.js";

/** The page of one file. */
export function FilePage() {
  const { projectRef, fileId } = useParams({ from: "/signed-in/projects/$projectRef/files/$fileId" });
  const id = Number(fileId);
  if (!Number.isSafeInteger(id) || id < 1) return <NoFile projectRef={projectRef} />;
  return <File key={id} projectRef={projectRef} fileId={id} />;
}

function File({ projectRef, fileId }: { projectRef: string; fileId: number }) {
  const file = trpc.files.read.useQuery(
    { projectRef, fileId },
    { refetchInterval: ({ state }) => (state.data ? untilNextChange([state.data], Date.now()) : false) },
  );
  if (isNotFound(file.error)) return <DeletedFile projectRef={projectRef} fileId={fileId} />;
  return (
    <Page
      title={file.data ? replaceControlCharacters(file.data.filename) : texts.file}
      isName={file.data !== undefined}
      back={<BackLink projectRef={projectRef} />}
      actions={file.data && <FileActions projectRef={projectRef} file={file.data} />}
    >
      <Loaded query={file}>
        {(file) => (
          <FileDetails
            projectRef={projectRef}
            file={file}
            history={<FileHistory projectRef={projectRef} fileId={fileId} />}
          />
        )}
      </Loaded>
    </Page>
  );
}

/** Shown for a deleted file, whose history is kept for a while. */
function DeletedFile({ projectRef, fileId }: { projectRef: string; fileId: number }) {
  const history = trpc.files.history.useQuery({ projectRef, fileId });
  if (isNotFound(history.error)) return <NoFile projectRef={projectRef} />;
  return (
    <Page
      title={history.data ? replaceControlCharacters(history.data.filename) : texts.file}
      isName={history.data !== undefined}
      back={<BackLink projectRef={projectRef} />}
    >
      <Stack>
        <Alert color="gray" icon={<IconTrash />} title={texts.isDeleted} role="status">
          {texts.isDeletedHint}
        </Alert>
        <FileHistory projectRef={projectRef} fileId={fileId} />
      </Stack>
    </Page>
  );
}

function NoFile({ projectRef }: { projectRef: string }) {
  return (
    <Page title={texts.file} back={<BackLink projectRef={projectRef} />}>
      <EmptyState title={texts.notFound} hint={texts.notFoundHint} />
    </Page>
  );
}

function BackLink({ projectRef }: { projectRef: string }): ReactNode {
  return (
    <Anchor
      renderRoot={(props) => <Link to="/projects/$projectRef/files" params={{ projectRef }} {...props} />}
    >
      {texts.back}
    </Anchor>
  );
}

const isNotFound = (error: unknown) => serviceErrorOf(error)?.code === "file_not_found";
