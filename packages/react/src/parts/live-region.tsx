"use client";

import { useEffect, useRef, useState } from "react";
import type { UploadSnapshot } from "../core/upload-store.js";
import { createAnnouncer } from "./announcer.js";
import type { UploadLabels } from "./labels.js";

/** Long enough for what happens at once to be said at once. */
const GATHER_MS = 300;

interface LiveRegionProps {
  snapshot: UploadSnapshot;
  labels: UploadLabels;
  locale: string;
}

/** Always in the page, and empty at first: a region that comes with its text is not read. */
export function LiveRegion({ snapshot, labels, locale }: LiveRegionProps) {
  const [sentencesFor] = useState(() => createAnnouncer(snapshot));
  const [spoken, setSpoken] = useState({ turn: 0, text: "" });
  const gathered = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    gathered.current.push(...sentencesFor(snapshot, Date.now(), { labels, locale }));
    if (gathered.current.length === 0 || timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      const text = gathered.current.splice(0).join(" ");
      setSpoken(({ turn }) => ({ turn: turn + 1, text }));
    }, GATHER_MS);
  }, [snapshot, labels, locale, sentencesFor]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );

  return (
    <div className="stowage-live" role="status">
      {/* A new element, so that the same sentence is read again. */}
      <span key={spoken.turn}>{spoken.text}</span>
    </div>
  );
}
