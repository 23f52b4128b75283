import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import {
  IconFile,
  IconFolder,
  IconHeartbeat,
  IconSearch,
  IconUser,
  IconUsersGroup,
} from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { formatBytes } from "../components/format.js";
import type { OptionGroup } from "../components/option-list.js";
import { UntrustedText } from "../components/untrusted-text.js";
import { quickAccess as texts } from "./quick-access-texts.js";
import { shell } from "../components/shell-texts.js";
import { trpc } from "../trpc.js";
import { pagesFor } from "./project-pages.js";
import { SEARCH_DELAY_MS, useFindProjects } from "./use-find-projects.js";

/** Of each kind. The last option of tenants and files leads to the whole list. */
const SHOWN = 5;

interface PaletteScope {
  query: string;
  /** Undefined outside of a project. */
  projectRef: string | undefined;
  isAdmin: boolean;
  onChosen: () => void;
}

/** What the command palette offers for a text: pages that the operator may open, projects, tenants and files. */
export function usePaletteOptions({ query, projectRef, isAdmin, onChosen }: PaletteScope) {
  const text = query.trim();
  const navigate = useNavigate();
  const go: Go = (navigation) => {
    void navigation;
    onChosen();
  };
  const found = useFindProjects(query);
  const pages = usePages({ projectRef, isAdmin, go });
  const ofProject = useSearchInProject({ text, projectRef, go });
  const groups: OptionGroup[] = [
    {
      label: shell.pages,
      options: pages
        .filter(({ label }) => contains(label, text))
        .map(({ label, Icon, onSelect }) => ({
          id: `page ${label}`,
          label,
          icon: <Icon size={16} />,
          onSelect,
        })),
    },
    {
      label: shell.projects,
      options: found.projects
        .filter(({ ref }) => ref !== projectRef)
        .slice(0, SHOWN)
        .map(({ ref, name, role }) => ({
          id: `project ${ref}`,
          label: <UntrustedText text={name} />,
          hint: <Hint>{shell.roles[role]}</Hint>,
          icon: <IconFolder size={16} />,
          onSelect: () => go(navigate({ to: "/projects/$projectRef", params: { projectRef: ref } })),
        })),
    },
    ...ofProject.groups,
  ];
  return {
    groups: groups.filter(({ options }) => options.length > 0),
    error: found.error ?? ofProject.error,
    isFetching: found.isFetching || ofProject.isFetching,
  };
}

/** Closes the palette once the navigation has started. */
type Go = (navigation: Promise<void>) => void;

/** Also applied to results of the service: the results of the previous text stay until the new ones arrive. */
const contains = (name: string, text: string) =>
  name.normalize("NFC").toLowerCase().includes(text.normalize("NFC").toLowerCase());

const Hint = ({ children }: { children: string }) => (
  <Text span size="xs" c="dimmed">
    {children}
  </Text>
);

function usePages({ projectRef, isAdmin, go }: { projectRef: string | undefined; isAdmin: boolean; go: Go }) {
  const navigate = useNavigate();
  const project = trpc.projects.read.useQuery(
    { projectRef: projectRef ?? "" },
    { enabled: projectRef !== undefined },
  );
  const ofProject =
    projectRef === undefined || !project.data
      ? []
      : pagesFor(project.data.role).map(({ to, label, Icon }) => ({
          label,
          Icon,
          onSelect: () => go(navigate({ to, params: { projectRef } })),
        }));
  const ofAdmins = [
    { label: shell.installationHealth, Icon: IconHeartbeat, onSelect: () => go(navigate({ to: "/health" })) },
    { label: shell.operators, Icon: IconUsersGroup, onSelect: () => go(navigate({ to: "/operators" })) },
  ];
  return [
    ...ofProject,
    { label: shell.projects, Icon: IconFolder, onSelect: () => go(navigate({ to: "/" })) },
    ...(isAdmin ? ofAdmins : []),
    { label: shell.account, Icon: IconUser, onSelect: () => go(navigate({ to: "/account" })) },
  ];
}

/** Searches the tenants and files of a project. A search is bounded by the service, and ends when the operator types on. */
function useSearchInProject({
  text,
  projectRef,
  go,
}: {
  text: string;
  projectRef: string | undefined;
  go: Go;
}) {
  const navigate = useNavigate();
  const [delayed] = useDebouncedValue(text, SEARCH_DELAY_MS);
  const options = {
    enabled: delayed !== "" && projectRef !== undefined,
    placeholderData: keepPreviousData,
    trpc: { abortOnUnmount: true },
  };
  const search = { projectRef: projectRef ?? "", q: delayed, limit: SHOWN };
  const tenants = trpc.tenants.list.useQuery({ ...search, sort: "tenant_id" }, options);
  const files = trpc.files.list.useQuery(search, options);
  if (projectRef === undefined || text === "") return { groups: [], error: null, isFetching: false };
  const searchIn = (page: "tenants" | "files") => ({
    id: `search ${page}`,
    label: texts.searchIn[page](text),
    icon: <IconSearch size={16} />,
    onSelect: () =>
      go(navigate({ to: `/projects/$projectRef/${page}`, params: { projectRef }, search: { q: text } })),
  });
  const groups: OptionGroup[] = [
    {
      label: shell.tenants,
      options: [
        ...(tenants.data?.tenants ?? [])
          .filter(({ tenantId }) => contains(tenantId, text))
          .map(({ tenantId, usedBytes }) => ({
            id: `tenant ${tenantId}`,
            label: <UntrustedText text={tenantId} />,
            hint: <Hint>{formatBytes(usedBytes)}</Hint>,
            icon: <IconUser size={16} />,
            onSelect: () =>
              go(
                navigate({ to: "/projects/$projectRef/tenants/$tenantId", params: { projectRef, tenantId } }),
              ),
          })),
        searchIn("tenants"),
      ],
    },
    {
      label: shell.files,
      options: [
        ...(files.data?.files ?? [])
          .filter(({ filename }) => contains(filename, text))
          .map(({ id, filename, tenantId }) => ({
            id: `file ${id}`,
            label: <UntrustedText text={filename} />,
            hint: (
              <Text span size="xs" c="dimmed" maw="40%" truncate>
                <UntrustedText text={tenantId} />
              </Text>
            ),
            icon: <IconFile size={16} />,
            onSelect: () =>
              go(
                navigate({
                  to: "/projects/$projectRef/files/$fileId",
                  params: { projectRef, fileId: String(id) },
                }),
              ),
          })),
        searchIn("files"),
      ],
    },
  ];
  return {
    groups,
    error: tenants.error ?? files.error,
    isFetching: tenants.isFetching || files.isFetching || delayed !== text,
  };
}
