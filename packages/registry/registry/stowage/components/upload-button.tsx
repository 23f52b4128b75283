"use client";

import { UploadRows } from "@/registry/stowage/components/upload-rows";
import { iconButton, primaryButton, progressBar } from "@/registry/stowage/lib/stowage-styles";
import { cn } from "@/registry/stowage/lib/utils";
import { Upload, type UploadItem, type UploadRootProps } from "@stowage/react";
import { UploadIcon, XIcon } from "lucide-react";
import type { ReactNode } from "react";

export interface UploadButtonProps extends Omit<UploadRootProps, "children"> {
  /** The text of the button. */
  children?: ReactNode;
  /** Lists all files below the button, not only the failed ones. */
  list?: boolean;
}

/**
 * A button that uploads the chosen files. It also accepts drops and pastes.
 *
 * @example <UploadButton endpoint="/api/stowage" maxFiles={5}>Attach files</UploadButton>
 */
export function UploadButton({ className, children, list = false, ...settings }: UploadButtonProps) {
  const text = children ?? settings.messages?.choose ?? "Choose files";
  return (
    <Upload.Root {...settings} className={cn("group/upload grid justify-items-start gap-2", className)}>
      <div className="flex flex-wrap items-center gap-2">
        <Upload.Trigger className={primaryButton}>
          <UploadIcon aria-hidden="true" className="size-4" />
          <span>{text}</span>
        </Upload.Trigger>
        <Upload.Progress className={cn(progressBar, "w-32")} />
        <Upload.CancelAll className={iconButton}>
          <XIcon className="size-4" />
        </Upload.CancelAll>
        <Upload.Status className="hidden text-sm text-muted-foreground group-data-offline/upload:inline group-data-unreachable/upload:inline" />
      </div>
      <Upload.Hint className="text-sm text-muted-foreground data-notice:text-destructive" />
      <UploadRows className="w-full" filter={list ? undefined : isFailed} />
    </Upload.Root>
  );
}

const isFailed = ({ status }: UploadItem) => status === "failed";
