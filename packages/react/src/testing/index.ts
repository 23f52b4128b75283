export { createFakeTransport } from "./fake-transport.js";
export type { FakeRoute, FakeTransport, FakeTransportOptions, FakeUpload } from "./fake-transport.js";
export type { FakeCall, FakeHold, FakeStep } from "./fake-faults.js";
export { UploadError, type UploadErrorCode } from "../core/upload-error.js";
