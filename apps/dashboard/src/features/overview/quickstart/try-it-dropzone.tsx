import { useComputedColorScheme } from "@mantine/core";
import { UploadDropzone, type UploadTransport } from "@stowage/react";
import "@stowage/react/styles.css";
import { createTrpcTransport } from "@stowage/react/trpc";
import { useMemo } from "react";
import { quickstart } from "./quickstart-texts.js";
import { trpc } from "../../../trpc.js";
import styles from "./quickstart.module.css";

const messages = { ...quickstart.dropzone, errors: { quota_exceeded: quickstart.quotaExceeded } };

/** The widget, connected to the service by tRPC instead of a customer's backend. */
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
      // The first stored file replaces this page by the overview, which would interrupt other uploads.
      maxFiles={1}
      messages={messages}
      onUploaded={() => onUploaded?.()}
    />
  );
}

type Client = ReturnType<typeof trpc.useUtils>["client"];

/** The widget's calls for one project, made with the operator's session. The dropzone here cannot cancel uploads or delete files. */
function tryItTransport({ tryIt, session }: Client, projectRef: string): UploadTransport {
  const { request, complete, probe } = createTrpcTransport({
    request: { mutate: (body, options) => tryIt.request.mutate({ ...body, projectRef }, options) },
    complete: { mutate: (body, options) => tryIt.complete.mutate({ ...body, projectRef }, options) },
    cancel: notOffered,
    discard: notOffered,
    delete: notOffered,
    // The widget uses this call only to probe whether the service can be reached.
    routes: { query: (_, options) => session.me.query(undefined, options).then(() => ({ routes: {} })) },
  });
  return { request, complete, ...(probe ? { probe } : {}) };
}

const notOffered = { mutate: () => Promise.reject(new Error("The try-it dropzone does not offer this.")) };
