import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";
import { Provider } from "oidc-provider";

const clientId = "stowage";
const clientSecret = "secret of the test client";

export async function startProvider({ redirectUri }) {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jwk = { ...privateKey.export({ format: "jwk" }), kid: "test", alg: "RS256", use: "sig" };
  const accounts = new Map();
  const state = { alter: null, mode: "works" };
  const requests = [];
  let answer;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://provider");
    // Browsers ask for it, and write an answer of 404 into the console.
    if (pathname === "/favicon.ico") return void response.writeHead(204).end();
    requests.push(pathname);
    if (state.mode === "hangs") return;
    if (state.mode === "fails") return void response.writeHead(503).end();
    changeAnswer(request, response, state.alter);
    answer(request, response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [jwk] },
    cookies: { keys: ["a key of the test"] },
    claims: { email: ["email", "email_verified"], profile: ["name"] },
    findAccount: (_, login) => ({ accountId: login, claims: () => ({ sub: login, ...accounts.get(login) }) }),
  });
  answer = provider.callback();
  return Object.assign(state, {
    issuer,
    clientId,
    clientSecret,
    accounts,
    requests,
    sign: (claims) => signToken(claims, privateKey),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  });
}

/** Alters a JSON answer. Takes the font of another host out of a page, because tests use no network. */
function changeAnswer(request, response, alter) {
  const { pathname } = new URL(request.url, "http://provider");
  const end = response.end.bind(response);
  const endWith = (body, ...rest) => {
    response.setHeader("content-length", Buffer.byteLength(body));
    return end(body, ...rest);
  };
  response.end = (chunk, ...rest) => {
    const type = String(response.getHeader("content-type"));
    if (chunk === undefined || chunk === null) return end(chunk, ...rest);
    if (type.includes("html")) return endWith(String(chunk).replaceAll(/@import[^;]*;/g, ""), ...rest);
    if (alter === null || !type.includes("json")) return end(chunk, ...rest);
    return endWith(JSON.stringify(alter(pathname, JSON.parse(String(chunk)))), ...rest);
  };
}

function signToken(claims, key) {
  const parts = [{ alg: "RS256", kid: "test", typ: "JWT" }, claims];
  const data = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${data}.${sign("RSA-SHA256", Buffer.from(data), key).toString("base64url")}`;
}
