import { Upload, UploadButton, UploadDropzone, type UploadDropzoneProps } from "@stowage/react";
import { ar } from "@stowage/react/locales/ar";
import { de } from "@stowage/react/locales/de";
import "@stowage/react/styles.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { StageEvent } from "./stage-window.js";

const { config, props, events } = window.stage;
document.documentElement.lang = config.lang ?? "en";
document.documentElement.dir = config.dir ?? "ltr";

const tell = (event: StageEvent) => void events.push(event);

function Widget() {
  const { field, page, sources = [] } = config.inside ?? {};
  const all: UploadDropzoneProps = {
    endpoint: "/api/stowage",
    preview: Upload.Preview,
    children: (
      <>
        {sources.map((source) => (
          <Upload.Trigger key={source} source={source} />
        ))}
        {page && <Upload.Page {...page} />}
        {field && <Upload.Input {...field} />}
      </>
    ),
    ...(config.words ? { messages: { ar, de }[config.words] } : {}),
    onUploaded: (file, item) => tell({ event: "uploaded", name: item.name, what: file.file_path }),
    onFailed: (failure, item) => tell({ event: "failed", name: item.name, what: failure.code }),
    ...config.props,
    ...props,
  };
  return config.component === "button" ? <UploadButton {...all} /> : <UploadDropzone {...all} />;
}

function Stage() {
  if (!config.form) return <Widget />;
  return (
    <form method="post" action="/submitted" aria-label="Report">
      <Widget />
      <button type="submit" name="intent" value="send">
        Send
      </button>
      <button type="reset">Start over</button>
    </form>
  );
}

createRoot(document.getElementById("root")!).render(
  config.strict ? (
    <StrictMode>
      <Stage />
    </StrictMode>
  ) : (
    <Stage />
  ),
);
