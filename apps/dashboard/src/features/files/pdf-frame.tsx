import { Skeleton, Text } from "@mantine/core";
import { useEffect, useEffectEvent, useState } from "react";
import { filePage as texts } from "./file-page-texts.js";
import classes from "./player.module.css";

const ANSWER_TIMEOUT_MS = 15_000;

/**
 * Shows a PDF in a frame without `sandbox`, because Chromium and Safari do not show PDFs in sandboxed frames. The document has
 * another origin, and its URL signs the content type, so it cannot be anything but a PDF. The frame's `load` event does not tell
 * success from failure, so the first bytes are checked before the frame is shown.
 */
export function PdfFrame(props: { url: string; label: string; onFailed: () => void }) {
  const { url, label, onFailed } = props;
  const [checkedUrl, setCheckedUrl] = useState<string>();
  const fail = useEffectEvent(onFailed);
  const canShow = navigator.pdfViewerEnabled;
  useEffect(() => {
    if (!canShow) return;
    const unmounted = new AbortController();
    const signal = AbortSignal.any([unmounted.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
    const check = async () => {
      // The fetch fails if the storage's CORS rules do not allow it, but the frame may still work.
      const isPdf = await startsAsPdf(url, signal).catch(() => true);
      if (unmounted.signal.aborted) return;
      if (isPdf) setCheckedUrl(url);
      else fail();
    };
    void check();
    return () => unmounted.abort();
  }, [url, canShow]);
  if (!canShow) {
    return (
      <Text size="sm" c="dimmed">
        {texts.noPdf}
      </Text>
    );
  }
  if (checkedUrl !== url) return <Skeleton className={classes["pdf"]} />;
  // oxlint-disable-next-line react/iframe-missing-sandbox -- Chromium and Safari show no PDF in a sandboxed frame
  return <iframe className={classes["pdf"]} src={url} title={label} referrerPolicy="no-referrer" />;
}

/** PDF viewers accept some other bytes before the header, up to this position. */
const HEADER_SEARCH_BYTES = 1024;

/** Returns whether the URL answers with a PDF. Reads only the first bytes. */
async function startsAsPdf(url: string, signal: AbortSignal): Promise<boolean> {
  const { ok, body } = await fetch(url, { signal, credentials: "omit", referrerPolicy: "no-referrer" });
  if (!ok || !body) return false;
  const reader = body.getReader();
  let start = "";
  while (start.length < HEADER_SEARCH_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    start += String.fromCharCode(...value.subarray(0, HEADER_SEARCH_BYTES));
  }
  await reader.cancel();
  return start.slice(0, HEADER_SEARCH_BYTES).includes("%PDF-");
}
