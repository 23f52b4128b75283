"use client";

import { cn } from "@/registry/stowage/lib/utils";
import { iconButton, progressBar, row, rowImage, textButton } from "@/registry/stowage/lib/stowage-styles";
import { Upload, type UploadItem } from "@stowage/react";
import { FileIcon, PauseIcon, PlayIcon, RotateCwIcon, Trash2Icon, XIcon } from "lucide-react";

export interface UploadRowsProps {
  className?: string;
  /** Which files are listed. Without it: all. */
  filter?: (item: UploadItem) => boolean;
}

/** The files of the `Upload.Root` around it: unfinished uploads of earlier visits first, then those of this one. */
export function UploadRows({ className, filter }: UploadRowsProps) {
  return (
    <>
      <Upload.Resumable className={unfinished} />
      <Upload.List filter={filter} className={cn("flex flex-col gap-2", className)}>
        {renderRow}
      </Upload.List>
    </>
  );
}

/** `Upload.List` renders only changed rows again, because this is the same function each time. */
function renderRow(item: UploadItem) {
  return (
    <Upload.Item className={cn(row, "group/row data-error:border-destructive/50")}>
      <span aria-hidden="true" className={rowImage}>
        <Upload.Preview className="size-full object-cover" fallback={<FileIcon className="size-5" />} />
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        <bdi className="truncate text-sm font-medium" title={item.path || item.name} translate="no">
          {item.path || item.name}
        </bdi>
        <Upload.Progress className={progressBar} />
        <Upload.Status className="text-sm text-muted-foreground group-data-error/row:text-destructive" />
        <Upload.Discard className={cn(textButton, "justify-self-start")} />
      </div>
      <div className="flex shrink-0">
        <Upload.Retry className={iconButton}>
          <RotateCwIcon className="size-4" />
        </Upload.Retry>
        <Upload.Pause className={iconButton}>
          {item.status === "paused" ? <PlayIcon className="size-4" /> : <PauseIcon className="size-4" />}
        </Upload.Pause>
        <Upload.Cancel className={iconButton}>
          <XIcon className="size-4" />
        </Upload.Cancel>
        <Upload.Remove className={iconButton}>
          <Trash2Icon className="size-4" />
        </Upload.Remove>
      </div>
    </Upload.Item>
  );
}

/** The rows of `Upload.Resumable` are its own, so they are styled by their elements. */
const unfinished = cn(
  "flex flex-col gap-2 text-sm",
  "[&_li]:rounded-lg [&_li]:border [&_li]:border-border [&_li]:bg-card [&_li]:p-3 [&_li]:text-card-foreground",
  "[&_.stowage-badge]:hidden [&_.stowage-item-body]:grid [&_.stowage-item-body]:gap-1",
  "[&_.stowage-item-head]:flex [&_.stowage-item-head]:justify-between [&_.stowage-item-head]:gap-2",
  "[&_.stowage-name]:truncate [&_.stowage-name]:font-medium [&_.stowage-size]:text-muted-foreground",
  "[&_[role=progressbar]]:relative [&_[role=progressbar]]:h-1.5 [&_[role=progressbar]]:rounded-full [&_[role=progressbar]]:bg-primary/20",
  "[&_[role=progressbar]]:after:absolute [&_[role=progressbar]]:after:inset-y-0 [&_[role=progressbar]]:after:start-0",
  "[&_[role=progressbar]]:after:w-(--progress) [&_[role=progressbar]]:after:rounded-full [&_[role=progressbar]]:after:bg-primary",
  "[&_button]:me-3 [&_button]:h-8 [&_button]:font-medium [&_button]:underline-offset-4 [&_button]:hover:underline",
);
