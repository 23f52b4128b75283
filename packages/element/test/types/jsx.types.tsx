/** Only tsc reads this file: with JSX of React (tsconfig.json), and with JSX of Preact (tsconfig.preact.json). */
export const uses = (
  <stowage-dropzone
    endpoint="/api/stowage"
    accept={["image/*", ".pdf"]}
    maxSize="10 MB"
    maxFiles={3}
    preview
    sources={["folder"]}
    required
    name="document"
    className="wide"
    ref={(dropzone) => dropzone?.commands?.pauseAll()}
    onstowage-uploaded={({ detail }) => console.log(detail.file.file_path.toUpperCase())}
    onstowage-failed={({ detail }) => console.log(detail.failure.code)}
  />
);

export const misuses = (
  <>
    {/* @ts-expect-error: unknown unit */}
    <stowage-dropzone endpoint="/api/stowage" maxSize="4 apples" />
    {/* @ts-expect-error: a number is no text */}
    <stowage-dropzone endpoint="/api/stowage" maxFiles="3" />
    {/* @ts-expect-error: the event has no such detail */}
    <stowage-dropzone endpoint="/api/stowage" onstowage-failed={({ detail }) => detail.file} />
  </>
);
