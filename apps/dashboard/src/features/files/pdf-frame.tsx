import { Skeleton, Text } from "@mantine/core";
import { useEffect, useEffectEvent, useState } from "react";
import { files as texts } from "../../texts/files.js";
import classes from "./player.module.css";
import { startsAsPdf } from "./starts-as-pdf.js";

const ANSWER_TIMEOUT_MS = 15_000;

/**
 * Without `sandbox`: Chromium and Safari show no PDF in a sandboxed frame, whatever it allows. It is another origin's document
 * nonetheless, and its URL signs the type, so that it is a PDF or nothing. Its start is looked at first, since a frame tells nobody
 * that it shows storage's refusal, in XML, or a viewer's.
 */
export function PdfFrame(props: { url: string; label: string; onFailed: () => void }) {
  const { url, label, onFailed } = props;
  const [looked, setLooked] = useState<string>();
  const fail = useEffectEvent(onFailed);
  const canShow = navigator.pdfViewerEnabled;
  useEffect(() => {
    if (!canShow) return;
    const leaving = new AbortController();
    const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
    const look = async () => {
      // A storage that lets no page read may still be framed.
      const isPdf = await startsAsPdf(url, signal).catch(() => true);
      if (leaving.signal.aborted) return;
      if (isPdf) setLooked(url);
      else fail();
    };
    void look();
    return () => leaving.abort();
  }, [url, canShow]);
  if (!canShow)
    return (
      <Text size="sm" c="dimmed">
        {texts.noPdf}
      </Text>
    );
  if (looked !== url) return <Skeleton className={classes["pdf"]} />;
  // oxlint-disable-next-line react/iframe-missing-sandbox -- Chromium and Safari show no PDF in a sandboxed frame
  return <iframe className={classes["pdf"]} src={url} title={label} referrerPolicy="no-referrer" />;
}
