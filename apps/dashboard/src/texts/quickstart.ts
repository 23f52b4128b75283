/** Texts of the quickstart, which new projects show in place of the overview. */
export const quickstart = {
  connect: "Connect your product",
  connectHint:
    "This project has no files yet. Your backend holds the API key. The browser uploads files directly to storage.",
  keyIsIn: "is the API key that was shown when this project was created.",
  keyLink: "About the API key",
  tabs: { curl: "curl", helper: "Backend", widget: "Frontend" },
  curl: "A complete upload: your backend requests a URL, the browser uploads the file to this URL, and Stowage checks that the file has arrived.",
  helper:
    "The helper runs in your backend. It holds the API key, identifies the tenant and answers the widget.",
  framework: "Framework",
  widget: "The widget runs in the browser and calls the helper at the path where your backend mounts it.",
  install: "Install",
  commands: "Commands",
  code: "Code",
  tryIt: "Try it here",
  tryItHint: "This is the upload widget. Here it needs no API key, because you are a member of the project.",
  tenantNote: "Files that you upload here belong to the tenant",
  drop: "Test upload",
  dropzone: {
    title: "Drag a file here",
    choose: "Choose a file",
    hint: ({ maxSize }: { maxSize?: string | undefined }) => (maxSize ? `Up to ${maxSize}` : ""),
  },
  viewerNote: "Viewers cannot upload files",
  viewerNoteHint: "Ask an owner of the project to make you a member.",
  quotaExceeded: "The quota has no room for this file. An owner can raise it in the settings.",
} as const;
