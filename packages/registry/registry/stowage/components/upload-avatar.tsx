"use client";

import { UploadRows } from "@/registry/stowage/components/upload-rows";
import { iconButton, outlineButton, progressBar } from "@/registry/stowage/lib/stowage-styles";
import { cn } from "@/registry/stowage/lib/utils";
import { Upload, type UploadItem, type UploadRootProps, useUpload } from "@stowage/react";
import { XIcon } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";

export interface UploadAvatarProps extends Omit<UploadRootProps, "children" | "maxFiles" | "upload"> {
  /** Says whose picture it is, such as the name of the user. */
  alt: string;
  /** Address of the present picture, such as `hrefOf(file, { disposition: "inline" })` of `useFiles`. */
  src?: string | undefined;
  /** Shown while there is no picture, such as initials. */
  fallback?: ReactNode;
}

/**
 * Shows a picture and replaces it by another one, which is visible at once.
 *
 * @example <UploadAvatar endpoint="/api/stowage" route="avatar" alt={user.name} src={user.picture} fallback="AL" />
 */
export function UploadAvatar({ alt, src, fallback, className, ...settings }: UploadAvatarProps) {
  const upload = useUpload({ accept: "image/*", ...settings, maxFiles: 1 });
  const chosen = upload.items.findLast(isShown);
  return (
    <Upload.Root {...settings} upload={upload} label={alt} className={cn("grid gap-2", className)}>
      <div className="flex items-center gap-4">
        <Upload.Dropzone className="relative flex size-20 shrink-0 items-center justify-center overflow-hidden rounded-full bg-secondary text-xl font-medium text-secondary-foreground data-[state=drag-over]:ring-[3px] data-[state=drag-over]:ring-ring/50">
          {chosen ? (
            <ChosenPicture file={chosen.file} alt={alt} />
          ) : src === undefined ? (
            fallback
          ) : (
            <img src={src} alt={alt} className={picture} />
          )}
          <Upload.Progress className={cn(progressBar, "absolute inset-x-3 bottom-2 bg-background")} />
        </Upload.Dropzone>
        <div className="grid justify-items-start gap-1">
          <div className="flex items-center gap-1">
            <Upload.Trigger className={outlineButton}>Change picture</Upload.Trigger>
            <Upload.CancelAll className={iconButton}>
              <XIcon className="size-4" />
            </Upload.CancelAll>
          </div>
          <Upload.Hint className="text-sm text-muted-foreground data-notice:text-destructive" />
        </div>
      </div>
      <UploadRows filter={isFailed} />
    </Upload.Root>
  );
}

const isFailed = ({ status }: UploadItem) => status === "failed";
/** A picture that was refused or cancelled leaves the one before. */
const isShown = ({ status }: UploadItem) => status !== "failed" && status !== "cancelled";

const picture = "size-full object-cover";

function ChosenPicture({ file, alt }: { file: File; alt: string }) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(file);
    if (image.current) image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return <img ref={image} alt={alt} className={picture} />;
}
