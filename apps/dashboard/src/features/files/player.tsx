import { Image } from "@mantine/core";
import { useRef } from "react";
import type { Outputs } from "../../trpc.js";
import { PdfFrame } from "./pdf-frame.js";
import classes from "./player.module.css";

interface PlayerProps {
  kind: NonNullable<Outputs["files"]["links"]["previewKind"]>;
  /** At storage's own origin, which the page's policy names for each of these elements. */
  url: string;
  label: string;
  onFailed: () => void;
}

/** Draws or plays a file that somebody else has made: only by elements that run nothing of it in a page of ours. */
export function Player({ kind, url, label, onFailed }: PlayerProps) {
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
      return <Media kind={kind} url={url} label={label} onFailed={onFailed} />;
  }
}

/** Goes on where it was when its URL is another one. */
function Media({ kind: Tag, url, label, onFailed }: PlayerProps & { kind: "audio" | "video" }) {
  const secondsSeen = useRef(0);
  return (
    <Tag
      className={classes["media"]}
      src={url}
      aria-label={label}
      controls
      preload="metadata"
      onTimeUpdate={({ currentTarget }) => {
        if (currentTarget.error === null) secondsSeen.current = currentTarget.currentTime;
      }}
      onLoadedMetadata={({ currentTarget }) => {
        if (secondsSeen.current > 0) currentTarget.currentTime = secondsSeen.current;
      }}
      onError={onFailed}
    />
  );
}
