"use client";

import { UploadRows } from "@/registry/stowage/components/upload-rows";
import { outlineButton, progressBar, textButton } from "@/registry/stowage/lib/stowage-styles";
import { cn } from "@/registry/stowage/lib/utils";
import { Upload, type UploadRootProps } from "@stowage/react";
import { UploadIcon } from "lucide-react";

/**
 * Uploads dropped, chosen and pasted files straight to storage. Children are rendered below the hint, such as `Upload.Input` for a
 * form.
 *
 * @example <UploadDropzone endpoint="/api/stowage" accept="image/*,.pdf" maxSize="10MB" />
 */
export function UploadDropzone({ className, children, ...settings }: UploadRootProps) {
  return (
    <Upload.Root {...settings} className={cn("group/upload grid gap-3", className)}>
      <Upload.Dropzone className="flex flex-col items-center gap-2 rounded-lg border border-dashed border-input bg-background p-8 text-center transition-colors group-data-disabled/upload:opacity-50 data-[state=drag-over]:border-ring data-[state=drag-over]:bg-accent data-[state=drag-reject]:border-destructive">
        <UploadIcon aria-hidden="true" className="size-6 text-muted-foreground" />
        <Upload.Title className="text-sm font-medium" />
        <Upload.Trigger className={outlineButton} />
        <Upload.Hint className="text-sm text-muted-foreground data-notice:text-destructive" />
        {children}
      </Upload.Dropzone>
      <UploadRows />
      <Summary />
    </Upload.Root>
  );
}

/** The progress of all files. It is shown for two files or more, while the connection is lost, and while files wait for "Start upload". */
function Summary() {
  return (
    <div className="hidden flex-wrap items-center gap-x-3 gap-y-2 text-sm group-has-[[data-id]~[data-id]]/upload:flex group-has-[[data-part=start]]/upload:flex group-data-offline/upload:flex group-data-unreachable/upload:flex">
      <Upload.Progress className={cn(progressBar, "basis-full")} />
      <Upload.Status className="flex-1 text-muted-foreground" />
      <Upload.Start className={textButton} />
      <Upload.PauseAll className={textButton} />
      <Upload.RetryAll className={textButton} />
      <Upload.CancelAll className={textButton} />
      <Upload.Clear className={textButton} />
    </div>
  );
}
