import { isIP } from "node:net";
import { type Command, InvalidArgumentError } from "commander";
import { ConfigError, type Environment } from "#settings/parse-settings.js";
import { httpUrl } from "./arguments.js";
import { createCommand } from "./command.js";
import { visible } from "./print.js";

interface Options {
  allowWrite?: true;
  http?: true;
  host: string;
  port: number;
}

const DEFAULT_PORT = 4003;
/** Guesses are not counted. */
const MIN_TOKEN_LENGTH = 16;
const LOOPBACK = ["127.0.0.1", "::1"];

/** `stowage mcp`: a Model Context Protocol server for agents, until its client closes stdin or the process gets a signal. */
export function mcpCommand(env: Environment): Command {
  return createCommand("mcp", "serve one project to an agent, over stdio, by the Model Context Protocol")
    .argument("[url]", "address of the service (default: STOWAGE_URL, or http://localhost:4000)", httpUrl)
    .option("--allow-write", "also rename files, move them to the trash and set quotas")
    .option("--http", "serve Streamable HTTP at /mcp instead of stdio")
    .option(
      "--host <address>",
      "address that --http listens on; others need STOWAGE_MCP_TOKEN",
      ip,
      "127.0.0.1",
    )
    .option("--port <port>", "port of --http, 0 for a free one", port, DEFAULT_PORT)
    .action((url: string | undefined, options: Options) => run(url, options, env));
}

async function run(url: string | undefined, options: Options, env: Environment): Promise<void> {
  const { allowWrite = false, http, host, port } = options;
  const key = env["STOWAGE_API_KEY"];
  if (!key) throw new ConfigError("Give the API key of a project in STOWAGE_API_KEY.");
  const address = url ?? env["STOWAGE_URL"] ?? "http://localhost:4000";
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new ConfigError("STOWAGE_URL must be an http or https URL.");
  const token = env["STOWAGE_MCP_TOKEN"] || undefined;
  if (token !== undefined && token.length < MIN_TOKEN_LENGTH)
    throw new ConfigError(`STOWAGE_MCP_TOKEN must have at least ${MIN_TOKEN_LENGTH} characters.`);
  if (http && token === undefined && !LOOPBACK.includes(host))
    throw new ConfigError(
      "Give a token in STOWAGE_MCP_TOKEN to listen on an address other than 127.0.0.1 and ::1.",
    );

  const [{ createMcpServer }, { createProjectApi }] = await Promise.all([
    import("#mcp/mcp-server.js"),
    import("#mcp/project-api.js"),
  ]);
  const api = createProjectApi({ url: address, key });
  const create = () => createMcpServer(api, { allowWrite });
  const onError = (error: Error) => console.error(visible(`A request failed: ${error.message}`));
  const serving = http ? await startHttp() : await startStdio();
  const stop = () => void serving.close();
  process.once("SIGINT", stop).once("SIGTERM", stop);

  async function startStdio() {
    const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
    return serveStdio(create, { onerror: onError });
  }

  async function startHttp() {
    const { serveHttp } = await import("#mcp/serve-http.js");
    const server = await serveHttp(create, { host, port, token, onError });
    console.error(`The project is served at ${server.url}`);
    return server;
  }
}

function ip(text: string): string {
  if (isIP(text) === 0) throw new InvalidArgumentError("must be an IP address");
  return text;
}

function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError("must be a port");
  return Number(text);
}
