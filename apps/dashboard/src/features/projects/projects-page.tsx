import { Anchor, Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBox, IconPlus } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy } from "react";
import { type Column, DataList } from "../../components/data-list.js";
import { EmptyState } from "../../components/empty-state.js";
import { ExportButton } from "../../components/export-button.js";
import { formatBytes, formatCount } from "../../components/format.js";
import { type Change, changeSearch } from "../../components/list-search.js";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { SearchInput } from "../../components/search-input.js";
import { Truncated } from "../../components/truncated.js";
import { RelativeTime } from "../../components/relative-time.js";
import { MountOnOpen } from "../../components/mount-on-open.js";
import { projects as texts } from "./projects-texts.js";
import { shell } from "../../components/shell-texts.js";
import { type Outputs, trpc } from "../../trpc.js";
import { projectOrders, type ProjectsSearch } from "./projects-search.js";
import { loadChunk } from "../../load-chunk.js";

// Lazy because its form loads zod and the schemas.
const CreateProject = lazy(async () => ({
  default: (await loadChunk(() => import("./create-project.js"))).CreateProject,
}));

type Project = Outputs["projects"]["list"]["projects"][number];

/** The operator's projects. Operators who may not create projects read whom to ask. Search, sort order and page come from the search parameters. */
export function ProjectsPage() {
  const search = useSearch({ from: "/signed-in/" });
  const navigate = useNavigate();
  const [isCreating, creating] = useDisclosure();
  const me = trpc.session.me.useQuery();
  const mayCreate = me.data?.mayCreateProjects === true;
  const query = trpc.projects.list.useQuery(
    { ...search, withUsage: true },
    { placeholderData: keepPreviousData },
  );
  const go = (change: Change<ProjectsSearch>, replace = false) =>
    void navigate({ to: "/", search: changeSearch(search, change), replace });
  const sort = search.sort ?? "created_at";
  const isEmpty = query.data?.projects.length === 0 && search.q === undefined && search.cursor === undefined;
  const createButton = (label: string) => (
    <Button leftSection={<IconPlus size={16} />} onClick={creating.open}>
      {label}
    </Button>
  );
  const actions = query.data && !isEmpty && (
    <>
      <ExportButton list="projects" query={{ ...search }} />
      {mayCreate && createButton(texts.create)}
    </>
  );
  return (
    <Page
      title={texts.title}
      hint={query.data && !isEmpty && me.data && !mayCreate ? texts.mayNotCreate : undefined}
      actions={actions}
    >
      {!isEmpty && (
        <SearchInput label={texts.search} value={search.q ?? ""} onSearch={(q) => go({ q }, true)} />
      )}
      <Loaded query={query}>
        {({ projects, previousCursor, nextCursor }) =>
          isEmpty ? (
            <EmptyState
              icon={<IconBox size={20} />}
              title={texts.none}
              hint={mayCreate ? texts.noneHint : texts.noneForOthers}
              action={mayCreate && createButton(texts.createFirst)}
            />
          ) : (
            <DataList
              label={texts.title}
              columns={columns}
              rows={projects}
              rowKey="ref"
              isFetching={query.isPlaceholderData}
              orders={projectOrders}
              sort={{ by: sort, order: search.order ?? projectOrders[sort] }}
              onSort={({ by, order }) =>
                go({ sort: by, order: order === projectOrders[by] ? undefined : order })
              }
              pages={{
                cursor: search.cursor,
                previousCursor,
                nextCursor,
                onCursorChange: (cursor) => go({ cursor }),
              }}
            />
          )
        }
      </Loaded>
      <MountOnOpen opened={isCreating}>
        <CreateProject opened={isCreating} onClose={creating.close} />
      </MountOnOpen>
    </Page>
  );
}

/** A sortable column's `id` is the name of the sort order in the service's calls. */
const columns: Column<Project>[] = [
  {
    isFlexible: true,
    id: "name",
    title: texts.name,
    render: ({ ref, name }) => (
      <Truncated text={name}>
        <Anchor
          renderRoot={(props) => <Link to="/projects/$projectRef" params={{ projectRef: ref }} {...props} />}
        >
          {name}
        </Anchor>
      </Truncated>
    ),
  },
  {
    id: "role",
    title: texts.role,
    noWrap: true,
    render: ({ role }) => shell.roles[role],
  },
  {
    id: "usedBytes",
    title: texts.used,
    textAlign: "right",
    noWrap: true,
    render: ({ usage }) => usage && formatBytes(usage.usedBytes),
  },
  {
    isHiddenOnPhones: true,
    id: "fileCount",
    title: texts.files,
    textAlign: "right",
    noWrap: true,
    render: ({ usage }) => usage && formatCount(usage.fileCount),
  },
  {
    isHiddenOnPhones: true,
    id: "defaultQuotaBytes",
    title: texts.defaultQuota,
    noWrap: true,
    render: ({ defaultQuotaBytes }) =>
      defaultQuotaBytes === null ? texts.serviceDefault : formatBytes(defaultQuotaBytes),
  },
  {
    id: "created_at",
    title: texts.createdAt,
    noWrap: true,
    render: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];
