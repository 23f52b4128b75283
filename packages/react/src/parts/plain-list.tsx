"use client";

import type { ReactNode } from "react";
import type { UploadItem } from "../core/upload-item.js";
import { UploadCancel, UploadRemove, UploadRetry } from "./buttons.js";
import { UploadRowItem } from "./item.js";
import { UploadList, type UploadListProps } from "./list.js";
import { UploadProgress } from "./progress.js";
import { UploadStatus } from "./status.js";

export interface UploadPlainListProps extends Omit<UploadListProps, "children"> {
  /** Draws one file, with an `Upload.Item` around it. Keep it the same function, and only rows that changed are drawn. */
  children?: ((item: UploadItem) => ReactNode) | undefined;
}

/** The files, as many of them as a page bears; those on their way and those that failed are always among them. */
export function UploadPlainList({ children = plainRow, ...props }: UploadPlainListProps) {
  return <UploadList {...props}>{children}</UploadList>;
}

function plainRow(item: UploadItem) {
  return (
    <UploadRowItem>
      <bdi>{item.name}</bdi> <UploadStatus />
      <UploadProgress />
      <UploadRetry />
      <UploadCancel />
      <UploadRemove />
    </UploadRowItem>
  );
}
