import type { FileBrowserLabels } from "@stowage/client/internals";
import { lastSegmentOf, trailOf } from "./entries.js";

/** The path of the folder, whose parts are buttons, and the choice of the layout. */
export function BrowserBar({
  folder,
  labels,
  layout,
  onFolder,
  onLayout,
}: {
  folder: string;
  labels: FileBrowserLabels;
  layout: "list" | "grid";
  onFolder(folder: string): void;
  onLayout(layout: "list" | "grid"): void;
}) {
  return (
    <div className="stowage-browser-bar">
      <nav aria-label={labels.path}>
        <ol role="list" className="stowage-crumbs">
          {["", ...trailOf(folder)].map((part) => (
            <li key={part}>
              <button
                type="button"
                className="stowage-link"
                aria-current={part === folder ? "page" : undefined}
                onClick={() => onFolder(part)}
              >
                {part === "" ? labels.root : <bdi translate="no">{lastSegmentOf(part)}</bdi>}
              </button>
            </li>
          ))}
        </ol>
      </nav>
      <div role="group" aria-label={labels.view} className="stowage-layouts">
        {(["list", "grid"] as const).map((name) => (
          <button
            key={name}
            type="button"
            className="stowage-link"
            aria-pressed={layout === name}
            onClick={() => onLayout(name)}
          >
            {name === "list" ? labels.asList : labels.asGrid}
          </button>
        ))}
      </div>
    </div>
  );
}
