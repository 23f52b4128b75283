import { expect, test } from "vitest";
import { checkProvider } from "./check-provider.js";

test("the doctor says what a known provider does in another way", () => {
  const check = (maxParts: number) =>
    checkProvider("https://s3.fr-par.scw.cloud", { region: "fr-par", maxParts });
  const finding = {
    name: "Provider",
    verdict: "info",
    found: "Scaleway; an upload has at most 1000 parts",
  };
  expect(check(10_000)).toEqual({ ...finding, whatToDo: "Set S3_MAX_PARTS=1000." });
  expect(check(1000)).toEqual({ ...finding, whatToDo: null });
});

test("the doctor compares the region of the endpoint with S3_REGION", () => {
  expect(
    checkProvider("https://s3.eu-central-1.amazonaws.com", { region: "us-east-1", maxParts: 10_000 }),
  ).toMatchObject({
    found: "Amazon S3; its region is eu-central-1, and S3_REGION is us-east-1",
    whatToDo: "If signatures are refused, set S3_REGION=eu-central-1.",
  });
});

test("the doctor says nothing of a server that it does not know", () => {
  expect(checkProvider("http://127.0.0.1:4001", { region: "us-east-1", maxParts: 10_000 })).toBeNull();
});
