# An image of Millrace from this checkout:  docker build -t millrace .
# Run it in the folder of a pipeline file:  docker run --rm -v "$PWD:/data" millrace run my.yaml
# The journal and the destinations are written below /data, so the folder must be writable for the user `node` (uid 1000).

# The image has a Node of its own: the workspace that brings one to a checkout is left out.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --workspaces=false --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-bookworm-slim AS packages
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --workspaces=false --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
# For pages that are made by scripts, add:  RUN apt-get update && apt-get install -y --no-install-recommends chromium
WORKDIR /opt/millrace
COPY --from=packages /build/node_modules node_modules
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/bin bin
COPY --from=build /build/dist dist
COPY --from=build /build/pipelines pipelines
RUN ln -s /opt/millrace/bin/millrace /usr/local/bin/millrace
USER node
WORKDIR /data
# For a command that stays (schedule, receive): set MILLRACE_HEALTH to its /health. A run has none, and is healthy while it is there.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["node", "-e", \
  "const url = process.env.MILLRACE_HEALTH; if (url) fetch(url).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["millrace"]
CMD ["--help"]
