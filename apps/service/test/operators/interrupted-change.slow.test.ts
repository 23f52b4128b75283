import { expect, inject, test } from "vitest";
import { anOperator, anOwnedProject } from "../fixtures/a-person.js";
import { aService } from "../fixtures/a-service.js";
import { anOutageProxy } from "../fixtures/an-outage-proxy.js";
import { holdProjectLock } from "../fixtures/hold-project-lock.js";

test("a change that an outage of the database interrupts is not said to have changed nothing", async () => {
  const database = await anOutageProxy(inject("servers").DATABASE_URL);
  const service = await aService({ DATABASE_URL: database.url });
  const person = await anOperator(service.url);
  const { projectRef } = await anOwnedProject(person);
  const lock = await holdProjectLock(projectRef);
  const renaming = person.mutate("settings.rename", { projectRef, name: "another" });
  await lock.waiting(1);
  await database.takeDown();
  const answer = await renaming;
  await lock.release();
  await database.bringBack();
  expect(answer).toMatchObject({ status: 503, code: "unavailable" });
  expect(answer.text).not.toContain("hasChangedNothing");
  await service.close();
  await database.close();
});
