import { NavLink, type NavLinkProps, Text } from "@mantine/core";
import {
  IconChartBar,
  IconFiles,
  IconHistory,
  IconKey,
  IconSettings,
  IconUserShield,
  IconUsers,
} from "@tabler/icons-react";
import { createLink } from "@tanstack/react-router";
import type { Role } from "@stowage/schemas/dashboard";
import { mayAs } from "../components/use-project.js";
import { shell } from "../texts/shell.js";
import { trpc } from "../trpc.js";

/** The router says which link is the place where one is; Mantine shows it. */
const MenuLink = createLink((props: NavLinkProps & { "data-status"?: string }) => (
  <NavLink {...props} active={props["data-status"] === "active"} />
));

/** Where one can go in a project: an entry a page, for as much as one's role may see. */
const entries = [
  { to: "/projects/$projectRef", label: shell.overview, Icon: IconChartBar, least: "viewer", exact: true },
  { to: "/projects/$projectRef/files", label: shell.files, Icon: IconFiles, least: "viewer" },
  { to: "/projects/$projectRef/tenants", label: shell.tenants, Icon: IconUsers, least: "viewer" },
  { to: "/projects/$projectRef/key", label: shell.key, Icon: IconKey, least: "viewer" },
  { to: "/projects/$projectRef/members", label: shell.members, Icon: IconUserShield, least: "viewer" },
  { to: "/projects/$projectRef/audit", label: shell.audit, Icon: IconHistory, least: "owner" },
  { to: "/projects/$projectRef/settings", label: shell.settings, Icon: IconSettings, least: "owner" },
] as const satisfies { to: string; label: string; Icon: unknown; least: Role; exact?: boolean }[];

export function ProjectMenu({ projectRef, onGo }: { projectRef: string; onGo: () => void }) {
  const { data: project } = trpc.projects.read.useQuery({ projectRef });
  return (
    <>
      <Text fw={600} px="sm" mb="xs" lineClamp={2} style={{ overflowWrap: "anywhere" }}>
        {project?.name ?? " "}
      </Text>
      {entries
        .filter(({ least }) => mayAs(project?.role ?? "viewer", least))
        .map(({ to, label, Icon, ...entry }) => (
          <MenuLink
            key={to}
            to={to}
            params={{ projectRef }}
            activeOptions={{ exact: "exact" in entry, includeSearch: false }}
            label={label}
            leftSection={<Icon size={18} stroke={1.6} />}
            onClick={onGo}
            style={{ borderRadius: "var(--mantine-radius-md)" }}
          />
        ))}
    </>
  );
}
