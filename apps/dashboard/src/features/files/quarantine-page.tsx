import { Anchor, Box, Button, Group, Text, VisuallyHidden } from "@mantine/core";
import { IconShieldCheck, IconShieldOff } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { type Column, DataList } from "../../components/data-list.js";
import { EmptyState } from "../../components/empty-state.js";
import { FileLink } from "../../components/files/file-link.js";
import { ScanBadge } from "../../components/files/scan-badge.js";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { RelativeTime } from "../../components/relative-time.js";
import { TenantLink } from "../../components/tenant-link.js";
import { replaceControlCharacters, UntrustedText } from "../../components/untrusted-text.js";
import { hasRole, useProject, useProjectRef } from "../../components/use-project.js";
import { filePage } from "./file-page-texts.js";
import { files } from "../../components/files/files-texts.js";
import { quarantine as texts } from "./quarantine-texts.js";
import { type Outputs, trpc } from "../../trpc.js";
import { DeleteDialog } from "./delete-dialog.js";
import { ReleaseDialog } from "./release-dialog.js";

type QuarantinedFile = Outputs["quarantine"]["list"]["files"][number];
type Decision = "release" | "delete";

/** The files that the virus scan refused. Owners release them, members delete them. */
export function QuarantinePage() {
  const projectRef = useProjectRef();
  const { data: project } = useProject();
  const { cursor } = useSearch({ from: "/signed-in/projects/$projectRef/files/quarantine" });
  const navigate = useNavigate({ from: "/projects/$projectRef/files/quarantine" });
  const query = trpc.quarantine.list.useQuery(
    { projectRef, cursor },
    // A scan may have ended since the page was last open.
    { placeholderData: keepPreviousData, refetchOnMount: "always" },
  );
  const [chosen, setChosen] = useState<QuarantinedFile>();
  const [decision, setDecision] = useState<Decision | null>(null);
  const close = () => setDecision(null);
  return (
    <Page
      title={texts.title}
      hint={texts.hint}
      back={
        <Anchor
          renderRoot={(props) => <Link to="/projects/$projectRef/files" params={{ projectRef }} {...props} />}
        >
          {filePage.back}
        </Anchor>
      }
    >
      <Loaded query={query}>
        {({ files: rows, previousCursor, nextCursor }) =>
          rows.length === 0 && cursor === undefined ? (
            <NoFiles />
          ) : (
            <DataList
              label={texts.list}
              rows={rows}
              rowKey="id"
              isFetching={query.isPlaceholderData}
              columns={columnsFor({
                projectRef,
                mayRelease: project !== undefined && hasRole(project.role, "owner"),
                mayDelete: project !== undefined && hasRole(project.role, "member"),
                onDecide: (file, decision) => {
                  setChosen(file);
                  setDecision(decision);
                },
              })}
              pages={{
                cursor,
                previousCursor,
                nextCursor,
                onCursorChange: (cursor) => void navigate({ search: cursor === undefined ? {} : { cursor } }),
              }}
            />
          )
        }
      </Loaded>
      {chosen && (
        <>
          <ReleaseDialog
            projectRef={projectRef}
            file={chosen}
            opened={decision === "release"}
            onClose={close}
          />
          <DeleteDialog
            projectRef={projectRef}
            files={[{ ...chosen, declaredSizeBytes: null }]}
            opened={decision === "delete"}
            onClose={close}
            onDeleted={close}
          />
        </>
      )}
    </Page>
  );
}

function NoFiles() {
  const { data: project } = useProject();
  if (project?.scan !== "off")
    return <EmptyState icon={<IconShieldCheck size={20} />} title={texts.none} hint={texts.noneHint} />;
  return (
    <EmptyState
      icon={<IconShieldOff size={20} />}
      title={texts.none}
      hint={texts.offHint}
      action={
        hasRole(project.role, "owner") && (
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to="/projects/$projectRef/settings" params={{ projectRef: project.ref }} {...props} />
            )}
          >
            {texts.toSettings}
          </Button>
        )
      }
    />
  );
}

interface RowOptions {
  projectRef: string;
  mayRelease: boolean;
  mayDelete: boolean;
  onDecide: (file: QuarantinedFile, decision: Decision) => void;
}

function columnsFor(options: RowOptions): Column<QuarantinedFile>[] {
  const { projectRef, mayDelete } = options;
  const columns: Column<QuarantinedFile>[] = [
    {
      isFlexible: true,
      id: "filename",
      title: files.name,
      render: (file) => <NameCell file={file} {...options} />,
    },
    {
      isHiddenOnPhones: true,
      id: "tenantId",
      title: files.tenant,
      render: ({ tenantId }) => (
        <Box maw="14rem">
          <TenantLink projectRef={projectRef} tenantId={tenantId} size="sm" />
        </Box>
      ),
    },
    {
      isHiddenOnPhones: true,
      id: "verdict",
      title: texts.found,
      render: (file) => (
        <Box miw="13rem" maw="18rem">
          <ScanBadge state={file.verdict} />
          <Signature file={file} />
        </Box>
      ),
    },
    {
      isHiddenOnPhones: true,
      id: "storedAt",
      title: texts.stored,
      noWrap: true,
      render: ({ storedAt }) => storedAt !== null && <RelativeTime at={storedAt} />,
    },
  ];
  if (!mayDelete) return columns;
  return [
    ...columns,
    {
      isHiddenOnPhones: true,
      id: "actions",
      title: <VisuallyHidden>{texts.actions}</VisuallyHidden>,
      noWrap: true,
      textAlign: "right",
      render: (file) => <Decisions file={file} {...options} />,
    },
  ];
}

/** The name. On phones, where the other columns are hidden, also what they show. */
function NameCell({ file, ...options }: RowOptions & { file: QuarantinedFile }) {
  const { projectRef, mayDelete } = options;
  return (
    <>
      <FileLink projectRef={projectRef} file={file} />
      {file.purgeAt !== null && (
        <Text size="xs" c="dimmed">
          {files.states.trashed}, {files.purged} <RelativeTime at={file.purgeAt} />
        </Text>
      )}
      <Box hiddenFrom="sm" fz="sm" c="dimmed">
        <TenantLink projectRef={projectRef} tenantId={file.tenantId} fz="sm" c="dimmed" />
        <Group gap="xs">
          <ScanBadge state={file.verdict} />
          {file.storedAt !== null && <RelativeTime at={file.storedAt} />}
        </Group>
        <Signature file={file} />
        {mayDelete && (
          <Box mt="xs">
            <Decisions file={file} {...options} />
          </Box>
        )}
      </Box>
    </>
  );
}

/** What the scanner named. An external scanner can send any text. */
function Signature({ file: { signature } }: { file: QuarantinedFile }) {
  if (signature === null) return null;
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
      <UntrustedText text={signature} />
    </Text>
  );
}

function Decisions({ file, mayRelease, onDecide }: RowOptions & { file: QuarantinedFile }) {
  const name = replaceControlCharacters(file.filename);
  return (
    <Group gap="xs" wrap="nowrap" display="inline-flex">
      {mayRelease && file.status === "stored" && (
        <Button
          size="xs"
          variant="default"
          aria-label={texts.releaseOne(name)}
          onClick={() => onDecide(file, "release")}
        >
          {texts.release}
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        aria-label={file.status === "trashed" ? texts.purgeOne(name) : texts.deleteOne(name)}
        onClick={() => onDecide(file, "delete")}
      >
        {file.status === "trashed" ? files.purgeOne : files.deleteOne}
      </Button>
    </Group>
  );
}
