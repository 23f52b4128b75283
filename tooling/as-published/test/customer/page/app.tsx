import { UploadDropzone } from "@stowage/react";
import { StrictMode, useState, useSyncExternalStore } from "react";

/** Renders the same on the server and in the browser. `strict` comes from the address. */
export function App({ strict }: { strict: boolean }) {
  return strict ? (
    <StrictMode>
      <Documents />
    </StrictMode>
  ) : (
    <Documents />
  );
}

function Documents() {
  const isHydrated = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  const [uploaded, setUploaded] = useState<string[]>([]);
  return (
    <main data-hydrated={isHydrated}>
      <UploadDropzone
        endpoint="/api/upload"
        accept={["text/plain", ".pdf"]}
        maxSize="4MB"
        onUploaded={(file) => setUploaded((before) => [...before, file.filename])}
      />
      <output>{uploaded.join()}</output>
    </main>
  );
}

const subscribeToNothing = () => () => {};
