// The clients of `pnpm lab clients`, in the order of docs/put.md.
import { join } from "node:path";

export const NPM_PACKAGES = ["axios@1.21.1", "got@14.6.5", "undici@7.30.2", "deno@2.9.6", "bun@1.4.5"];

const debian = (name) => ({
  argv: () => ["dpkg-query", "-W", "-f", "${Version}", name],
  pattern: /^(?:\d+:)?([\d.]+)/,
});
const npm = (name) => ({
  argv: ({ work }) => [
    "node",
    "-p",
    `require(${JSON.stringify(join(work, "node_modules", name, "package.json"))}).version`,
  ],
  pattern: /([\d.]+)/,
});
const APACHE = ["httpclient", "httpcore", "commons-logging", "commons-codec"]
  .map((jar) => `/usr/share/java/${jar}.jar`)
  .join(":");
const by =
  (...argv) =>
  ({ path }) => [...argv, path];
/** Builds the program $0 to `put` without a registry, in the target folder $1. */
const BUILD_WITH_DEBIANS_CRATES = `
mkdir -p src .cargo && cp "$0" src/main.rs
printf '%s\\n' '[package]' 'name = "put"' 'version = "0.0.0"' 'edition = "2021"' \
  '[dependencies]' 'ureq = { version = "2", default-features = false }' > Cargo.toml
printf '%s\\n' '[source.crates-io]' 'replace-with = "debian"' \
  '[source.debian]' 'directory = "/usr/share/cargo/registry"' > .cargo/config.toml
cargo build -q --offline --target-dir "$1" && cp "$1/debug/put" put`;
const EOL = "\n";

const NO_LENGTH = "no Content-Length";
const EMPTY = "empty file, sent as the others";

/**
 * @typedef {object} Client
 * @property {string} program its file in lab/clients
 * @property {string} name for the table
 * @property {string} language of the code block
 * @property {string} add what a program adds to the headers of the answer
 * @property {string[]} [packages] Debian's
 * @property {boolean} [isNpm] it is one of NPM_PACKAGES
 * @property {{ label: string; file: string; edits: [from: string, to: string][] }[]} [mistakes] edits of the program
 */
export const clients = [
  {
    program: "curl.sh",
    name: "curl",
    language: "sh",
    add: "nothing",
    packages: ["curl"],
    version: debian("curl"),
    command: by("sh"),
    mistakes: [
      { label: "`-d @file`", file: "text", edits: [['-T "$path"', '-X PUT -d "@$path"']] },
      {
        label: "`-T -` (standard input)",
        file: "normal",
        edits: [['-H @- -T "$path" "$url"', '-H "$(echo "$headers" | tail -n 1)" -T - "$url" < "$path"']],
      },
    ],
  },
  {
    program: "wget.sh",
    name: "wget",
    language: "sh",
    add: "nothing",
    packages: ["wget"],
    version: debian("wget"),
    command: by("sh"),
  },
  {
    program: "requests-put.py",
    name: "Python requests",
    language: "python",
    add: 'nothing; `b""` for an empty file',
    packages: ["python3-requests"],
    version: debian("python3-requests"),
    command: by("python3"),
    mistakes: [
      { label: EMPTY, file: "empty", edits: [['file if os.path.getsize(path) > 0 else b""', "file"]] },
      {
        label: "the same with Content-Length",
        file: "empty",
        edits: [
          ['file if os.path.getsize(path) > 0 else b""', "file"],
          ['with open(path, "rb")', `headers["Content-Length"] = "0"${EOL}with open(path, "rb")`],
        ],
      },
      {
        label: "text as `str`",
        file: "text",
        edits: [["data=body", 'data=open(path, encoding="utf-8", newline="").read()']],
      },
    ],
  },
  {
    program: "urllib-request.py",
    name: "Python urllib.request",
    language: "python",
    add: "`Content-Length`",
    packages: ["python3"],
    version: debian("python3"),
    command: by("python3"),
    mistakes: [
      {
        label: NO_LENGTH,
        file: "normal",
        edits: [['headers["Content-Length"] = str(os.path.getsize(path))\n', ""]],
      },
    ],
  },
  {
    program: "urllib3-put.py",
    name: "Python urllib3",
    language: "python",
    add: "`Content-Length`",
    packages: ["python3-urllib3"],
    version: debian("python3-urllib3"),
    command: by("python3"),
    mistakes: [
      {
        label: NO_LENGTH,
        file: "normal",
        edits: [['headers["Content-Length"] = str(os.path.getsize(path))\n', ""]],
      },
      {
        label: "text as `str`",
        file: "text",
        edits: [
          ['headers["Content-Length"] = str(os.path.getsize(path))\n', ""],
          ["body=file", 'body=open(path, encoding="utf-8", newline="").read()'],
        ],
      },
    ],
  },
  {
    program: "httpx-put.py",
    name: "Python httpx",
    language: "python",
    add: "nothing",
    packages: ["python3-httpx"],
    version: debian("python3-httpx"),
    command: by("python3"),
    mistakes: [
      {
        label: "an iterator",
        file: "normal",
        edits: [["content=file", 'content=iter(lambda: file.read(65536), b"")']],
      },
    ],
  },
  {
    program: "aiohttp-put.py",
    name: "Python aiohttp",
    language: "python",
    add: "nothing; `encoded=True` for the URL",
    packages: ["python3-aiohttp"],
    version: debian("python3-aiohttp"),
    command: by("python3"),
    mistakes: [
      { label: "an empty file as bytes", file: "empty", edits: [["data=file", "data=file.read()"]] },
    ],
  },
  {
    program: "put.go",
    name: "Go net/http",
    language: "go",
    add: "`ContentLength`; `http.NoBody` for an empty file",
    packages: ["golang-go"],
    version: { argv: () => ["go", "version"], pattern: /go([\d.]+)/ },
    build: ({ path, dir }) => [["go", "build", "-o", join(dir, "put"), path]],
    command: ({ dir }) => [join(dir, "put")],
    mistakes: [
      { label: NO_LENGTH, file: "normal", edits: [["request.ContentLength = info.Size()\n", "\n"]] },
      {
        label: "a header in place of the field",
        file: "normal",
        edits: [
          [
            "request.ContentLength = info.Size()",
            'request.Header.Set("Content-Length", strconv.FormatInt(info.Size(), 10))',
          ],
          ['"os"\n', '"os"\n\t"strconv"\n'],
        ],
      },
      { label: EMPTY, file: "empty", edits: [["request.Body = http.NoBody", ""]] },
    ],
  },
  {
    program: "curl.php",
    name: "PHP curl",
    language: "php",
    add: "`CURLOPT_INFILESIZE`",
    packages: ["php-cli", "php-curl"],
    version: debian("php8.2-curl"),
    command: by("php"),
    mistakes: [
      {
        label: "no `CURLOPT_INFILESIZE`",
        file: "normal",
        edits: [["CURLOPT_INFILESIZE => filesize($path),", ""]],
      },
    ],
  },
  {
    program: "streams.php",
    name: "PHP streams",
    language: "php",
    add: "`Content-Length`",
    packages: ["php-cli"],
    version: debian("php8.2-cli"),
    command: by("php"),
    mistakes: [
      {
        label: `${NO_LENGTH}, empty file`,
        file: "empty",
        edits: [["$headers[] = 'Content-Length: ' . filesize($path);", ""]],
      },
    ],
  },
  {
    program: "symfony.php",
    name: "PHP Symfony HttpClient",
    language: "php",
    add: "`Content-Length`",
    packages: ["php-cli", "php-symfony-http-client", "php-curl"],
    version: debian("php-symfony-http-client"),
    command: by("php"),
    mistakes: [
      { label: NO_LENGTH, file: "normal", edits: [["$headers['Content-Length'] = filesize($path);", ""]] },
    ],
  },
  {
    program: "guzzle.php",
    name: "PHP Guzzle",
    language: "php",
    add: "nothing",
    packages: ["php-cli", "php-guzzlehttp-guzzle"],
    version: debian("php-guzzlehttp-guzzle"),
    command: by("php"),
  },
  {
    program: "net_http.rb",
    name: "Ruby Net::HTTP",
    language: "ruby",
    add: "`Content-Length`",
    packages: ["ruby"],
    version: { argv: () => ["ruby", "-v"], pattern: /ruby ([\d.]+)/ },
    command: by("ruby"),
    mistakes: [
      { label: NO_LENGTH, file: "normal", edits: [['request["Content-Length"] = file.size\n', "\n"]] },
    ],
  },
  {
    program: "faraday.rb",
    name: "Ruby Faraday",
    language: "ruby",
    add: "`Content-Length`",
    packages: ["ruby", "ruby-faraday"],
    version: debian("ruby-faraday"),
    command: by("ruby"),
    mistakes: [
      { label: NO_LENGTH, file: "normal", edits: [['.merge("Content-Length" => file.size.to_s)', ""]] },
    ],
  },
  {
    program: "httparty.rb",
    name: "Ruby HTTParty",
    language: "ruby",
    add: "`Content-Length`",
    packages: ["ruby", "ruby-httparty"],
    version: debian("ruby-httparty"),
    command: by("ruby"),
    mistakes: [
      { label: NO_LENGTH, file: "normal", edits: [['.merge("Content-Length" => file.size.to_s)', ""]] },
    ],
  },
  {
    program: "HttpClientPut.java",
    name: "Java java.net.http",
    language: "java",
    add: "nothing",
    packages: ["default-jdk-headless"],
    version: { argv: () => ["javac", "-version"], pattern: /([\d.]+)/ },
    build: ({ path }) => [["javac", path]],
    command: ({ dir }) => ["java", "-cp", dir, "HttpClientPut"],
    mistakes: [
      {
        label: "Content-Length of yours",
        file: "normal",
        edits: [["for (int i = 2;", 'request.header("Content-Length", "300000");\n        for (int i = 2;']],
      },
      {
        label: "`ofInputStream`",
        file: "normal",
        edits: [
          [
            "ofFile(Path.of(args[0]))",
            "ofInputStream(() -> { try { return new java.io.FileInputStream(args[0]); } catch (java.io.IOException e) { throw new java.io.UncheckedIOException(e); } })",
          ],
        ],
      },
    ],
  },
  {
    program: "UrlConnectionPut.java",
    name: "Java HttpURLConnection",
    language: "java",
    add: "`setFixedLengthStreamingMode`",
    packages: ["default-jdk-headless"],
    version: { argv: () => ["javac", "-version"], pattern: /([\d.]+)/ },
    build: ({ path }) => [["javac", path]],
    command: ({ dir }) => ["java", "-cp", dir, "UrlConnectionPut"],
    mistakes: [
      {
        label: "`setChunkedStreamingMode`",
        file: "normal",
        edits: [["setFixedLengthStreamingMode(file.length())", "setChunkedStreamingMode(0)"]],
      },
    ],
  },
  {
    program: "Apache4Put.java",
    name: "Java Apache HttpClient 4",
    language: "java",
    add: "nothing",
    packages: ["default-jdk-headless", "libhttpclient-java"],
    version: debian("libhttpclient-java"),
    build: ({ path }) => [["javac", "-cp", APACHE, path]],
    command: ({ dir }) => ["java", "-cp", `${dir}:${APACHE}`, "Apache4Put"],
    mistakes: [
      {
        label: "Content-Length of yours",
        file: "normal",
        edits: [
          ["for (int i = 2;", 'request.setHeader("Content-Length", "300000");\n        for (int i = 2;'],
        ],
      },
    ],
  },
  {
    program: "HttpClientPut.cs",
    name: "C# HttpClient (Mono)",
    language: "csharp",
    add: "nothing",
    packages: ["mono-mcs", "mono-runtime", "libmono-system-net-http4.0-cil"],
    version: debian("mono-runtime"),
    build: ({ path, dir }) => [["mcs", "-r:System.Net.Http.dll", `-out:${join(dir, "put.exe")}`, path]],
    command: ({ dir }) => ["mono", join(dir, "put.exe")],
    mistakes: [
      {
        label: "text as `StringContent`",
        file: "text",
        edits: [["new StreamContent(file)", "new StringContent(File.ReadAllText(args[0]))"]],
      },
    ],
  },
  {
    program: "ureq.rs",
    name: "Rust ureq",
    language: "rust",
    add: "`Content-Length`",
    packages: ["cargo", "librust-ureq-dev"],
    version: debian("librust-ureq-dev"),
    build: ({ path, dir }) => [["sh", "-c", BUILD_WITH_DEBIANS_CRATES, path, join(dir, "../../cargo")]],
    command: ({ dir }) => [join(dir, "put")],
    mistakes: [
      {
        label: NO_LENGTH,
        file: "normal",
        edits: [['request = request.set("Content-Length", &length.to_string());', "let _ = length;"]],
      },
    ],
  },
  {
    program: "httpc.exs",
    name: "Elixir and Erlang httpc",
    language: "elixir",
    add: "nothing; the type is an argument of its own",
    packages: ["elixir", "erlang-inets", "erlang-ssl"],
    version: debian("erlang-inets"),
    command: by("elixir"),
  },
  {
    program: "put.cr",
    name: "Crystal HTTP::Client",
    language: "crystal",
    add: "`Content-Length`",
    packages: ["crystal"],
    version: debian("crystal"),
    build: ({ path, dir }) => [["crystal", "build", "-o", join(dir, "put"), path]],
    command: ({ dir }) => [join(dir, "put")],
    mistakes: [
      { label: NO_LENGTH, file: "normal", edits: [['headers["Content-Length"] = file.size.to_s\n', "\n"]] },
    ],
  },
  {
    program: "luasocket.lua",
    name: "Lua LuaSocket",
    language: "lua",
    add: "`Content-Length`",
    packages: ["lua5.4", "lua-socket"],
    version: debian("lua-socket"),
    command: by("lua5.4"),
    mistakes: [{ label: NO_LENGTH, file: "normal", edits: [['["Content-Length"] = file:seek("end")', ""]] }],
  },
  {
    program: "http-tiny.pl",
    name: "Perl HTTP::Tiny",
    language: "perl",
    add: "`Content-Length`",
    packages: ["libhttp-tiny-perl"],
    version: debian("libhttp-tiny-perl"),
    command: by("perl"),
    mistakes: [{ label: NO_LENGTH, file: "normal", edits: [["$headers{'Content-Length'} = -s $path;", ""]] }],
  },
  {
    program: "lwp.pl",
    name: "Perl LWP",
    language: "perl",
    add: "`Content-Length`",
    packages: ["libwww-perl"],
    version: debian("libwww-perl"),
    command: by("perl"),
    mistakes: [{ label: NO_LENGTH, file: "normal", edits: [["$request->content_length(-s $path);", ""]] }],
  },
  {
    program: "httr2.R",
    name: "R httr2",
    language: "r",
    add: "nothing; the type is an argument of its own",
    packages: ["r-base-core", "r-cran-httr2"],
    version: debian("r-cran-httr2"),
    command: by("Rscript"),
  },
  {
    program: "node-fetch.mjs",
    name: "Node fetch",
    language: "js",
    add: "nothing; the body is a `Blob`",
    version: { argv: () => [process.execPath, "-v"], pattern: /v([\d.]+)/ },
    command: by(process.execPath),
    mistakes: [
      {
        label: "a stream",
        file: "normal",
        edits: [
          ["await openAsBlob(path)", "(await openAsBlob(path)).stream()"],
          ["body, signal", 'body, duplex: "half", signal'],
        ],
      },
      {
        label: "a stream with Content-Length",
        file: "normal",
        edits: [
          ["await openAsBlob(path)", "(await openAsBlob(path)).stream()"],
          ["body, signal", 'body, duplex: "half", signal'],
          ["const headers = {}", 'const headers = { "Content-Length": "300000" }'],
        ],
      },
    ],
  },
  {
    program: "node-http.mjs",
    name: "Node http.request",
    language: "js",
    add: "`Content-Length`",
    version: { argv: () => [process.execPath, "-v"], pattern: /v([\d.]+)/ },
    command: by(process.execPath),
    mistakes: [
      { label: NO_LENGTH, file: "normal", edits: [['{ "Content-Length": statSync(path).size }', "{}"]] },
    ],
  },
  {
    program: "undici.mjs",
    name: "Node undici",
    language: "js",
    add: "`Content-Length`",
    isNpm: true,
    version: npm("undici"),
    command: by(process.execPath),
    mistakes: [
      {
        label: NO_LENGTH,
        file: "normal",
        edits: [['{ "content-length": String(statSync(path).size) }', "{}"]],
      },
    ],
  },
  {
    program: "axios.mjs",
    name: "Node axios",
    language: "js",
    add: "`Content-Length`",
    isNpm: true,
    version: npm("axios"),
    command: by(process.execPath),
    mistakes: [
      {
        label: NO_LENGTH,
        file: "normal",
        edits: [['{ "Content-Length": statSync(path).size }', "{}"]],
      },
      {
        label: "a Blob, with the type of the headers",
        file: "normal",
        edits: [
          ["import { createReadStream, statSync }", "import { openAsBlob, statSync }"],
          ["createReadStream(path)", "await openAsBlob(path)"],
        ],
      },
    ],
  },
  {
    program: "got.mjs",
    name: "Node got",
    language: "js",
    add: "`Content-Length`",
    isNpm: true,
    version: npm("got"),
    command: by(process.execPath),
    mistakes: [
      {
        label: NO_LENGTH,
        file: "normal",
        edits: [['{ "content-length": String(statSync(path).size) }', "{}"]],
      },
    ],
  },
  {
    program: "deno.ts",
    name: "Deno fetch",
    language: "ts fragment",
    add: "nothing; the body is bytes",
    isNpm: true,
    version: npm("deno"),
    command: ({ path, bin }) => [join(bin, "deno"), "run", "--allow-all", "--no-config", path],
    mistakes: [
      {
        label: "a stream",
        file: "normal",
        edits: [["await Deno.readFile(path)", "(await Deno.open(path)).readable"]],
      },
      {
        label: "a stream with Content-Length",
        file: "normal",
        edits: [
          ["await Deno.readFile(path)", "(await Deno.open(path)).readable"],
          ["new Headers()", 'new Headers({ "Content-Length": "300000" })'],
        ],
      },
    ],
  },
  {
    program: "bun.mjs",
    name: "Bun fetch",
    language: "js",
    add: "nothing; the body is `Bun.file`",
    isNpm: true,
    version: npm("bun"),
    command: ({ path, bin }) => [join(bin, "bun"), path],
    mistakes: [
      { label: "a stream", file: "normal", edits: [["Bun.file(path)", "Bun.file(path).stream()"]] },
      {
        label: "a stream with Content-Length",
        file: "normal",
        edits: [
          ["Bun.file(path)", "Bun.file(path).stream()"],
          ["const headers = {}", 'const headers = { "Content-Length": "300000" }'],
        ],
      },
    ],
  },
];
