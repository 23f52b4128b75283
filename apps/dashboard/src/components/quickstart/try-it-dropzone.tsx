import { useComputedColorScheme } from "@mantine/core";
import { UploadDropzone } from "@stowage/react";
import "@stowage/react/styles.css";
import { useMemo } from "react";
import { quickstart } from "../../texts/quickstart.js";
import { trpc } from "../../trpc.js";
import styles from "./quickstart.module.css";
import { tryItTransport } from "./try-it-transport.js";

const messages = { ...quickstart.dropzone, errors: { quota_exceeded: quickstart.full } };

/** Our own widget, over the dashboard's calls in place of a customer's backend. */
export function TryItDropzone(props: {
  projectRef: string;
  maxFileBytes: number;
  onUploaded?: (() => void) | undefined;
}) {
  const { projectRef, maxFileBytes, onUploaded } = props;
  const { client } = trpc.useUtils();
  const theme = useComputedColorScheme();
  const transport = useMemo(() => tryItTransport(client, projectRef), [client, projectRef]);
  return (
    <UploadDropzone
      className={styles["dropzone"] ?? ""}
      theme={theme}
      label={quickstart.drop}
      transport={transport}
      maxSize={maxFileBytes}
      // The first file makes this page another one, which would cut off all that are still on their way.
      maxFiles={1}
      messages={messages}
      onUploaded={() => onUploaded?.()}
    />
  );
}
