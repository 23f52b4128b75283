export { createFakeTransport } from "./fake-transport.js";
export type { FakeTransport, FakeTransportOptions } from "./fake-transport.js";
export type { FakeRoute } from "./fake-routes.js";
export type { FakeParts, FakeUpload } from "./fake-uploads.js";
export type { FakeCall, FakeHold, FakeStep } from "./fault-injection.js";
export { UploadError, type UploadErrorCode } from "../upload-error.js";
