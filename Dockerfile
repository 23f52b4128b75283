# The image of the service with its dashboard and documentation, the command line and the worker: docs/containers.md
#
# Pin the base by its digest to get the same image again: --build-arg NODE_IMAGE=docker.io/library/node:24-bookworm-slim@sha256:…
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY . .
# The secret is optional: an .npmrc for a registry or a proxy of your own. It is in no layer.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
    npx -y "$(node -p 'require("./package.json").packageManager')" install --frozen-lockfile --reporter=append-only \
      --filter "@stowage/service..." --filter "@stowage/dashboard..." --filter "@stowage/docs..." --filter @stowage/repository
RUN PATH="$PWD/node_modules/.bin:$PATH" TURBO_TELEMETRY_DISABLED=1 ASTRO_TELEMETRY_DISABLED=1 \
    turbo run build --filter=@stowage/service... --filter=@stowage/dashboard... --filter=@stowage/docs... --output-logs=errors-only
# What the bundle needs at run time (docs/decisions/0017): no sources, no source maps, and of the packages only sharp, which is a binary, and libheif-js, @jsquash/jxl and @embedpdf/pdfium, which are WebAssembly. The paths are those of src/paths.ts.
RUN node scripts/assemble-service.mjs /out \
 && mkdir /out/apps/service/node_modules \
 && cp -RL "$(dirname "$(realpath apps/service/node_modules/sharp)")"/. /out/apps/service/node_modules/ \
 && cp -RL apps/service/node_modules/libheif-js apps/service/node_modules/@embedpdf apps/service/node_modules/@jsquash /out/apps/service/node_modules/ \
 && rm -r /out/apps/service/node_modules/@jsquash/jxl/codec/enc \
 && rm -r /out/apps/service/node_modules/@embedpdf/pdfium/dist/*.map /out/apps/service/node_modules/@embedpdf/pdfium/dist/index.browser.js \
 && rm -r /out/apps/service/node_modules/libheif-js/libheif /out/apps/service/node_modules/libheif-js/libheif-wasm/libheif-bundle.* \
 && rm -r /out/apps/service/node_modules/@types /out/apps/service/node_modules/sharp/src /out/apps/service/node_modules/sharp/install \
 && find /out/apps/service/node_modules -name '*.d.ts' -delete
# Without its time and its random number, so that the same commit gives the same image.
RUN node scripts/sbom.mjs /tmp/sbom.json \
 && node -e 'const { serialNumber, ...sbom } = require("/tmp/sbom.json"); delete sbom.metadata.timestamp; console.log(JSON.stringify(sbom))' \
      > /out/sbom.cdx.json

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Stowage" \
      org.opencontainers.image.description="Multi-tenant file storage: service, dashboard, command line, worker" \
      org.opencontainers.image.licenses="MIT" \
      dev.stowage.sbom="/app/sbom.cdx.json"
# The service needs neither a package manager nor its network access.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
      /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-* \
 && ln -s /app/apps/service/dist/cli.js /usr/local/bin/stowage
# Owned by root, so that the service cannot change its own code.
COPY --from=build /out /app
# HOME: the S3 client looks for it, and a user ID that /etc/passwd does not know has none.
ENV NODE_ENV=production HOME=/app HOST=0.0.0.0 PORT=4000 METRICS_HOST=0.0.0.0 METRICS_PORT=9464
WORKDIR /app
# The user "node" of the base, by number: Kubernetes checks runAsNonRoot only with numbers.
USER 1000:1000
# 9464: metrics, without a password. Do not publish it: docs/metrics.md
EXPOSE 4000 9464
# Alive, not ready: a database that is down must not restart the service.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT []
CMD ["node", "/app/apps/service/dist/main.js"]
