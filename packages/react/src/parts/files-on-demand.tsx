"use client";

import { useEffect } from "react";
import { onDemand, useOnDemand } from "../on-demand.js";
import type { StyledFilesProps } from "./styled-files.js";
import { useRootView } from "./upload-context.js";
import { useStylesHint } from "./use-styles-hint.js";

export const styledFiles = /* @__PURE__ */ onDemand(() => import("./styled-files.js"), "styled-files");

/**
 * The files of a styled component. Their code is loaded after the first view, so that it is there before a person has chosen a file. If
 * it does not come, the files are listed by their names and the reasons of their failures, and their uploads run all the same.
 */
export function FilesOnDemand(props: StyledFilesProps) {
  useStylesHint();
  const { upload, shared } = useRootView();
  const items = props.filter ? upload.items.filter(props.filter) : upload.items;
  const code = useOnDemand(styledFiles, items.length > 0);
  useEffect(() => {
    // It is loaded again when it is needed.
    styledFiles.load().catch(() => {});
  }, []);
  if (code) {
    return <code.StyledFiles {...props} />;
  }
  return items.length > 0 ? (
    <ul role="list" aria-label={shared.labels.list} className="stowage-list">
      {items.map((item) => (
        <li key={item.id} data-status={item.status} className="stowage-item">
          <div className="stowage-item-body">
            <bdi className="stowage-name" translate="no">
              {item.name}
            </bdi>
            {item.status === "failed" && <div className="stowage-item-status">{item.error.message}</div>}
          </div>
        </li>
      ))}
    </ul>
  ) : null;
}
