import type { MouseEvent } from "react";

const PLACES = { "/": "Documents", "/profile": "Profile", "/support": "Support" } as const;
export type Place = keyof typeof PLACES;

export function placeOf(path: string): Place {
  return path in PLACES ? (path as Place) : "/";
}

export function Places({ place, go }: { place: Place; go: (path: string) => void }) {
  const follow = (path: string) => (event: MouseEvent) => {
    // A click that asks for a new tab or window stays the browser's.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(path);
  };
  return (
    <nav className="places" aria-label="Pages">
      {Object.entries(PLACES).map(([path, name]) => (
        <a key={path} href={path} aria-current={path === place ? "page" : undefined} onClick={follow(path)}>
          {name}
        </a>
      ))}
    </nav>
  );
}
