import { type MouseEvent, useCallback, useEffect, useState } from "react";

const TITLES = {
  "/": "Documents",
  "/photos": "Photos",
  "/profile": "Profile",
  "/support": "Support",
} as const;
export type PagePath = keyof typeof TITLES;

/** Reads the page from the address bar, so that links and the back button work. Unknown paths show the first page. */
export function usePage(): { page: PagePath; navigate: (path: string) => void } {
  const [path, setPath] = useState(() => location.pathname);
  useEffect(() => {
    const onPopState = () => setPath(location.pathname);
    addEventListener("popstate", onPopState);
    return () => removeEventListener("popstate", onPopState);
  }, []);
  const navigate = useCallback((to: string) => {
    history.pushState(null, "", to);
    setPath(to);
  }, []);
  return { page: path in TITLES ? (path as PagePath) : "/", navigate };
}

export function Navigation({ page, navigate }: { page: PagePath; navigate: (path: string) => void }) {
  const follow = (path: string) => (event: MouseEvent) => {
    // With a modifier key, the browser opens a new tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(path);
  };
  return (
    <nav className="navigation" aria-label="Pages">
      {Object.entries(TITLES).map(([path, title]) => (
        <a key={path} href={path} aria-current={path === page ? "page" : undefined} onClick={follow(path)}>
          {title}
        </a>
      ))}
    </nav>
  );
}
