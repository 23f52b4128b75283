import { NavLink, type NavLinkProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import { trpc } from "../trpc.js";
import { pagesFor } from "./project-pages.js";
import { ProjectSwitcher } from "./project-switcher.js";

/** Shows the link that the router marks as active. */
const MenuLink = createLink((props: NavLinkProps & { "data-status"?: string }) => (
  <NavLink {...props} active={props["data-status"] === "active"} />
));

/** The project, with a way to the others, and its pages. */
export function ProjectMenu({ projectRef, onNavigate }: { projectRef: string; onNavigate: () => void }) {
  const { data: project } = trpc.projects.read.useQuery({ projectRef });
  return (
    <>
      <ProjectSwitcher projectRef={projectRef} onSwitch={onNavigate} />
      {pagesFor(project?.role ?? "viewer").map(({ to, label, Icon, ...page }) => (
        <MenuLink
          key={to}
          to={to}
          params={{ projectRef }}
          activeOptions={{ exact: "exact" in page, includeSearch: false }}
          label={label}
          leftSection={<Icon size={18} stroke={1.6} />}
          onClick={onNavigate}
          style={{ borderRadius: "var(--mantine-radius-md)" }}
        />
      ))}
    </>
  );
}
