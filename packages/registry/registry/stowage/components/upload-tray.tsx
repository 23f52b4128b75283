"use client";

import "@stowage/react/styles.css";
import { cn } from "@/registry/stowage/lib/utils";
import { Upload, type UploadMessages } from "@stowage/react";

/**
 * A panel with the uploads of pages that the user has left. Render it once, in the layout, inside of the `Upload.Provider`.
 *
 * The parts of `Upload.Tray` come with a style sheet. Its variables get the tokens of your theme here.
 *
 * @example <Upload.Provider user={userId}>{children}<UploadTray /></Upload.Provider>
 */
export function UploadTray({ className, messages }: { className?: string; messages?: UploadMessages }) {
  return (
    <Upload.Tray
      messages={messages}
      className={cn(
        "[--stowage-accent:var(--primary)] [--stowage-danger:var(--destructive)] [--stowage-success:var(--primary)]",
        "[--stowage-surface:var(--popover)] [--stowage-text:var(--popover-foreground)]",
        "[--stowage-line:var(--border)]",
        // Not `--muted-foreground`: it is too light for the small text on the tinted badges.
        "[--stowage-muted:color-mix(in_oklab,var(--popover-foreground)_70%,var(--popover))]",
        "[--stowage-font:inherit] [--stowage-radius:var(--radius)]",
        className,
      )}
    />
  );
}
