import { Upload, UploadButton, UploadDropzone } from "@stowage/react";
import type { ReactNode } from "react";

/** Every part as a component. With an inferred type of React 19, some of them are none in React 18. */
export function EveryPart() {
  return (
    <Upload.Root endpoint="/api/upload" className="mine">
      <Upload.Dropzone>
        <Upload.Title />
        <Upload.Trigger>Browse</Upload.Trigger>
        <Upload.Trigger source="folder" />
        <Upload.Hint />
        <Upload.Page drop paste />
        <Upload.Input name="files" required />
      </Upload.Dropzone>
      <Upload.List>
        {(item): ReactNode => (
          <Upload.Item>
            <Upload.Preview width={40} height={40} fallback={<b>{item.name}</b>} />
            <Upload.Progress />
            <Upload.Status />
            <Upload.Retry />
            <Upload.Cancel>×</Upload.Cancel>
            <Upload.Remove />
          </Upload.Item>
        )}
      </Upload.List>
      <Upload.Start />
      <Upload.RetryAll />
      <Upload.CancelAll />
      <Upload.Clear />
    </Upload.Root>
  );
}

export const styled = (
  <>
    <UploadDropzone endpoint="/api/upload" preview={Upload.Preview} />
    <UploadButton endpoint="/api/upload" preview={Upload.Preview} list />
    <UploadDropzone endpoint="/api/upload" preview={({ fallback }) => <i>{fallback}</i>} />
  </>
);
