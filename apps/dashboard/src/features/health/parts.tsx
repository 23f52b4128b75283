import { Anchor, Badge, type MantineColor, Table } from "@mantine/core";
import type { ReactNode } from "react";
import { basePath } from "../../base-path.js";
import { formatBounded, formatMs, toSentence } from "../../components/format.js";
import { RelativeTime } from "../../components/relative-time.js";
import { Section } from "../../components/section.js";
import { health as texts } from "./health-texts.js";
import type { Outputs } from "../../trpc.js";

export type Health = Outputs["health"]["read"];

interface State {
  color: MantineColor;
  label: string;
}
const works: State = { color: "green", label: texts.works };
const hasProblem: State = { color: "red", label: texts.problem };
const isLate: State = { color: "yellow", label: texts.late };
const noneYet: State = { color: "gray", label: texts.noneYet };
const notSetUp: State = { color: "gray", label: texts.notSetUp };
const switchedOff: State = { color: "yellow", label: texts.switchedOff };
const unknown: State = { color: "gray", label: texts.lastKnown };

/** The database, the storage, its notifications, and the sweep: whether each one works, and its latest figures. */
export function Parts({ health, isStale }: { health: Health; isStale: boolean }) {
  const { database, storage, events, sweep } = health;
  const rows: { name: string; state: State; details: ReactNode }[] = [
    {
      name: texts.database,
      state: database.problem === null ? works : hasProblem,
      details: problemSentence(database.problem) ?? texts.answersIn(formatMs(database.latencyMs)),
    },
    {
      name: texts.storage,
      state: storage.problem === null ? works : hasProblem,
      details: (
        <>
          {problemSentence(storage.problem) ?? texts.answersIn(formatMs(storage.latencyMs))}{" "}
          {storage.lastFailureAt === null ? (
            texts.noFailure
          ) : (
            <>
              {texts.lastFailure} <RelativeTime at={storage.lastFailureAt} />
            </>
          )}
        </>
      ),
    },
    { name: texts.events, ...describeEvents(events) },
    { name: texts.sweep, ...describeSweep(sweep) },
    { name: texts.webhooks, ...describeWebhooks(health) },
    { name: texts.scans, ...describeScans(health) },
    { name: texts.images, ...describeImages(health) },
  ];
  return (
    <Section title={texts.parts}>
      <Table aria-label={texts.parts}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="1%">{texts.part}</Table.Th>
            <Table.Th w="1%">{texts.state}</Table.Th>
            <Table.Th>{texts.details}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ name, state, details }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" style={{ whiteSpace: "nowrap" }}>
                {name}
              </Table.Th>
              <Table.Td>
                <StateDot {...(isStale ? unknown : state)} />
              </Table.Td>
              <Table.Td>{details}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

const problemSentence = (problem: string | null) => (problem === null ? null : toSentence(problem));

function StateDot({ color, label }: State) {
  return (
    <Badge variant="dot" color={color}>
      {label}
    </Badge>
  );
}

function describeEvents({ isAccepted, lastAt }: Health["events"]): { state: State; details: ReactNode } {
  const guide = (
    <Anchor
      inherit
      underline="always"
      href={`${basePath}/docs/storage-events/`}
      target="_blank"
      rel="noreferrer"
    >
      {texts.eventsGuide}
    </Anchor>
  );
  if (lastAt !== null)
    return {
      state: isAccepted ? works : notSetUp,
      details: (
        <>
          {texts.lastEvent} <RelativeTime at={lastAt} />
        </>
      ),
    };
  return {
    state: isAccepted ? noneYet : notSetUp,
    details: (
      <>
        {isAccepted ? texts.noEvent : texts.eventsOff} {guide}
      </>
    ),
  };
}

function describeWebhooks({ webhooks }: Health): { state: State; details: ReactNode } {
  const { isOn, overdue, oldestDueAt } = webhooks;
  const isLateNow = oldestDueAt !== null;
  return {
    state: isOn ? (isLateNow ? isLate : works) : switchedOff,
    details: (
      <>
        {!isOn && `${texts.webhooksOff} `}
        {isLateNow ? (
          <>
            {texts.lateDeliveries(formatBounded(overdue))} {texts.oldest} <RelativeTime at={oldestDueAt} />.
          </>
        ) : (
          texts.noBacklog
        )}
      </>
    ),
  };
}

/** A worker asks its scanner every two seconds, and waits three seconds for an answer. */
const SCANNER_SILENT_MS = 8000;

function describeScans({ scans, checkedAt }: Health): { state: State; details: ReactNode } {
  const { isUsed, scannerLastAt, overdue, oldestDueAt, failing } = scans;
  const waiting =
    [
      ...(oldestDueAt === null ? [] : [texts.waitForScan(formatBounded(overdue))]),
      ...(failing.count === 0 ? [] : [texts.failingScans(formatBounded(failing))]),
    ].join(" ") || null;
  if (!isUsed && waiting === null) return { state: notSetUp, details: texts.scannerUnused };
  if (scannerLastAt === null)
    return { state: waiting === null ? notSetUp : hasProblem, details: waiting ?? texts.noScanner };
  const isDown = Date.parse(checkedAt) - Date.parse(scannerLastAt) > SCANNER_SILENT_MS;
  return {
    state: isDown ? hasProblem : waiting === null ? works : isLate,
    details: (
      <>
        {isDown ? texts.scannerDown : texts.scannerAnswered} <RelativeTime at={scannerLastAt} />
        {". "}
        {waiting}
      </>
    ),
  };
}

/** A worker looks for variants every second, and reports that every ten seconds. */
const WORKER_SILENT_MS = 60_000;

function describeImages({ images, checkedAt }: Health): { state: State; details: ReactNode } {
  const { isUsed, workerLastAt, decoderProblem, isMemoryUnlimited, overdue, oldestDueAt, failing, failed } =
    images;
  const waiting =
    [
      ...(oldestDueAt === null ? [] : [texts.waitForVariant(formatBounded(overdue))]),
      ...(failing.count === 0 ? [] : [texts.failingVariants(formatBounded(failing))]),
      ...(failed.count === 0 ? [] : [texts.failedVariants(formatBounded(failed))]),
    ].join(" ") || null;
  if (!isUsed && waiting === null) return { state: notSetUp, details: texts.imagesUnused };
  if (workerLastAt === null) return { state: hasProblem, details: texts.noImageWorker };
  const isDown = Date.parse(checkedAt) - Date.parse(workerLastAt) > WORKER_SILENT_MS;
  return {
    state:
      isDown || decoderProblem !== null || failed.count > 0 ? hasProblem : waiting === null ? works : isLate,
    details: (
      <>
        {decoderProblem !== null && `${texts.imageDecoderFails(decoderProblem)} `}
        {isMemoryUnlimited && `${texts.imageMemoryUnlimited} `}
        {isDown ? texts.imageWorkerDown : texts.imageWorkerRan} <RelativeTime at={workerLastAt} />
        {". "}
        {waiting}
      </>
    ),
  };
}

function describeSweep(sweep: Health["sweep"]): { state: State; details: ReactNode } {
  const { lastAt, overdueUploads, overdueTombstones, oldestDueAt } = sweep;
  if (lastAt === null) return { state: noneYet, details: texts.noSweep };
  const isBehind = oldestDueAt !== null;
  return {
    state: isBehind ? isLate : works,
    details: (
      <>
        {texts.lastSweep} <RelativeTime at={lastAt} />
        {". "}
        {isBehind ? (
          <>
            {texts.backlog(formatBounded(overdueUploads), formatBounded(overdueTombstones))} {texts.oldest}{" "}
            <RelativeTime at={oldestDueAt} />.
          </>
        ) : (
          texts.noBacklog
        )}
      </>
    ),
  };
}
