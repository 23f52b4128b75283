import { Image } from "@mantine/core";
import { useRef } from "react";
import type { Outputs } from "../../trpc.js";
import { PdfFrame } from "./pdf-frame.js";
import classes from "./player.module.css";

interface PlayerProps {
  kind: NonNullable<Outputs["files"]["links"]["previewKind"]>;
  /** On the storage's origin, which the Content-Security-Policy allows for these elements. */
  url: string;
  /** Shown until a video is played. Null: its first picture is shown. */
  posterUrl: string | null;
  label: string;
  onFailed: () => void;
}

/** Shows an untrusted file. Uses only elements that do not run its scripts on this origin. */
export function Player({ kind, url, posterUrl, label, onFailed }: PlayerProps) {
  switch (kind) {
    case "image":
      return (
        <Image
          className={classes["image"]}
          src={url}
          alt={label}
          referrerPolicy="no-referrer"
          onError={onFailed}
        />
      );
    case "pdf":
      return <PdfFrame url={url} label={label} onFailed={onFailed} />;
    case "audio":
    case "video":
      return <Media kind={kind} url={url} posterUrl={posterUrl} label={label} onFailed={onFailed} />;
  }
}

/** Continues at the same position if its URL changes. */
function Media({ kind: Tag, url, posterUrl, label, onFailed }: PlayerProps & { kind: "audio" | "video" }) {
  const positionSeconds = useRef(0);
  return (
    <Tag
      className={classes["media"]}
      src={url}
      {...(posterUrl === null ? {} : { poster: posterUrl })}
      aria-label={label}
      controls
      preload="metadata"
      onTimeUpdate={({ currentTarget }) => {
        if (currentTarget.error === null) positionSeconds.current = currentTarget.currentTime;
      }}
      onLoadedMetadata={({ currentTarget }) => {
        if (positionSeconds.current > 0) currentTarget.currentTime = positionSeconds.current;
      }}
      onError={onFailed}
    />
  );
}
