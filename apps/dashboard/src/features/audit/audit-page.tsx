import { IconHistory } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { AuditList } from "../../components/audit-list.js";
import { ExportButton } from "../../components/export-button.js";
import { EmptyState } from "../../components/empty-state.js";
import { Loaded } from "../../components/loaded.js";
import { OwnersOnly } from "../../components/owners-only.js";
import { Page } from "../../components/page.js";
import { hasRole, useProject, useProjectRef } from "../../components/use-project.js";
import { audit as texts } from "../../texts/audit.js";
import { trpc } from "../../trpc.js";

/** The audit log of a project, newest entry first. */
export function AuditPage() {
  const projectRef = useProjectRef();
  const { data: project } = useProject();
  const isOwner = project !== undefined && hasRole(project.role, "owner");
  return (
    <Page
      title={texts.title}
      hint={texts.hint}
      actions={isOwner && <ExportButton list="audit" query={{ projectRef }} />}
    >
      <OwnersOnly reason={texts.ownersOnly}>{() => <Entries projectRef={projectRef} />}</OwnersOnly>
    </Page>
  );
}

function Entries({ projectRef }: { projectRef: string }) {
  const { cursor } = useSearch({ from: "/signed-in/projects/$projectRef/audit" });
  const navigate = useNavigate({ from: "/projects/$projectRef/audit" });
  const query = trpc.audit.list.useQuery({ projectRef, cursor }, { placeholderData: keepPreviousData });
  return (
    <Loaded query={query}>
      {({ lines, nextCursor }) =>
        lines.length === 0 && cursor === undefined ? (
          <EmptyState icon={<IconHistory size={20} />} title={texts.none} hint={texts.noneHint} />
        ) : (
          <AuditList
            lines={lines}
            nextCursor={nextCursor}
            cursor={cursor}
            onCursorChange={(next) => void navigate({ search: next === undefined ? {} : { cursor: next } })}
            isFetching={query.isPlaceholderData}
          />
        )
      }
    </Loaded>
  );
}
