export { createFakeTransport, UploadError } from "@stowage/client/testing";
export type {
  FakeCall,
  FakeHold,
  FakeParts,
  FakeRoute,
  FakeStep,
  FakeTransport,
  FakeTransportOptions,
  FakeUpload,
  UploadErrorCode,
} from "@stowage/client/testing";
