import type { Load } from "../load/load.js";
import { type Driven, startLoad } from "../load/start-load.js";
import { describeDriven } from "../measure/figure.js";
import { summarise } from "../measure/statistics.js";
import { ratios } from "../measure/take-turns.js";
import { peersFolder, requirePeers } from "../peers/require-peers.js";
import { startChild } from "../processes/start-child.js";
import type { Listening } from "../processes/start-service.js";
import type { Figure, Row, RowTools } from "../row.js";
import { driveInTurns } from "./upload-stage.js";

const SECONDS = 4;
const ROUNDS = 7;

/** Each side requests one upload of one file, as its own library's page does. */
const sides = {
  stowage: {
    handler: import.meta.resolve("#sides/helper-handler.js"),
    method: "POST",
    path: "/api/stowage/request",
    body: '{"filename":"holiday photo.jpg","content_type":"image/jpeg","size":1000,"route":"image"}',
  },
  uploadthing: {
    handler: new URL("handlers/uploadthing.js", peersFolder).href,
    method: "POST",
    path: "/api/uploadthing?actionType=upload&slug=image",
    body: '{"input":null,"files":[{"name":"holiday photo.jpg","size":1000,"type":"image/jpeg","lastModified":1700000000000}]}',
  },
  betterUpload: {
    handler: new URL("handlers/better-upload.js", peersFolder).href,
    method: "POST",
    path: "/api/upload",
    body: '{"route":"image","files":[{"name":"holiday photo.jpg","size":1000,"type":"image/jpeg"}]}',
  },
  companion: {
    handler: new URL("handlers/companion.js", peersFolder).href,
    method: "GET",
    path: "/s3/params?filename=holiday%20photo.jpg&type=image%2Fjpeg",
    body: "",
  },
} as const;
type SideName = keyof typeof sides;

/** Requests for upload URLs to a customer's backend on one core. A stub answers as its service. */
export const helperRow: Row = {
  name: "helper",
  async run(tools) {
    requirePeers();
    const stub = await startChild<Listening>(import.meta.resolve("#sides/stub-service.js"), {
      role: "others",
    });
    tools.atEnd(() => stub.stop());
    const start = async (name: SideName) => {
      const server = await startSide(name, stub.ready.port, tools);
      return { server, load: load(name, server.ready.port) };
    };
    const runs = await driveInTurns(
      {
        stowage: await start("stowage"),
        uploadthing: await start("uploadthing"),
        betterUpload: await start("betterUpload"),
        companion: await start("companion"),
      },
      { loader: await startLoad(tools), tools, rounds: ROUNDS },
    );
    const figure = (peer: SideName, against: string, atLeast: number): Figure => ({
      measured: "the helper's `request`, its service answered by a stub, for the same of the server's CPU",
      against,
      ratio: summarise(ratios(runs.stowage.map(perCpuSecond), runs[peer].map(perCpuSecond))),
      target: { atLeast },
      details: `${describeDriven("Stowage", runs.stowage)}; ${describeDriven("the other", runs[peer])}`,
    });
    return [
      figure("uploadthing", "UploadThing's `createRouteHandler`, its ingest answered by the same stub", 8),
      figure("betterUpload", "better-upload's `handleRequest`, which asks no service", 1.3),
      figure("companion", "Uppy Companion's `GET /s3/params`, which asks no service", 2.5),
    ];
  },
};

async function startSide(name: SideName, stubPort: number, { atEnd }: RowTools) {
  const side = await startChild<Listening>(import.meta.resolve("#sides/handler-server.js"), {
    role: "server",
    env: { HANDLER: sides[name].handler, STUB_URL: `http://127.0.0.1:${stubPort}` },
  });
  atEnd(() => side.stop());
  return side;
}

function load(name: SideName, port: number): Load {
  const { method, path, body } = sides[name];
  return {
    port,
    method,
    path,
    // The headers that browsers send.
    headers: {
      "User-Agent":
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36",
      Accept: "*/*",
      "Accept-Language": "en-GB,en;q=0.9",
      "Accept-Encoding": "gzip, deflate, br, zstd",
      Origin: `http://127.0.0.1:${port}`,
      Referer: `http://127.0.0.1:${port}/`,
      "Sec-Fetch-Site": "same-origin",
      "Sec-Fetch-Mode": "cors",
      "Sec-Fetch-Dest": "empty",
      "X-User": "user-1",
    },
    body,
    numbers: 1,
    connections: 64,
    seconds: SECONDS,
  };
}

/** Requests per second of CPU time; per second of wall time if the system does not report CPU time. */
function perCpuSecond({ cpuMicros, perSecond }: Driven): number {
  return cpuMicros === null ? perSecond : 1e6 / cpuMicros;
}
