import { Link } from "@tanstack/react-router";
import { trpc } from "../trpc.js";
import styles from "./project-menu.module.css";
import { pagesFor } from "./project-pages.js";
import { ProjectSwitcher } from "./project-switcher.js";

/** The project, with a way to the others, and its pages. */
export function ProjectMenu({ projectRef, onNavigate }: { projectRef: string; onNavigate: () => void }) {
  const { data: project } = trpc.projects.read.useQuery({ projectRef });
  return (
    <>
      <ProjectSwitcher projectRef={projectRef} onSwitch={onNavigate} />
      {pagesFor(project?.role ?? "viewer").map(({ to, label, Icon, ...page }) => (
        <Link
          key={to}
          to={to}
          params={{ projectRef }}
          activeOptions={{ exact: "exact" in page, includeSearch: false }}
          className={styles["link"]}
          onClick={onNavigate}
        >
          <Icon size={18} stroke={1.6} aria-hidden />
          {label}
        </Link>
      ))}
    </>
  );
}
