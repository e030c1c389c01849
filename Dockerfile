# An image of Millrace from this checkout:  docker build -t millrace .
# Run it in the folder of a pipeline file:  docker run --rm -v "$PWD:/data" millrace run my.yaml
# The journal and the destinations are written below /data, so the folder must be writable for the user `node` (uid 1000).

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build \
  && npm prune --omit=dev --no-audit --no-fund \
  # The image has a Node of its own.
  && rm -rf node_modules/node-linux-*

FROM node:24-bookworm-slim
# For pages that are made by scripts, add:  RUN apt-get update && apt-get install -y --no-install-recommends chromium
WORKDIR /opt/millrace
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/bin bin
COPY --from=build /build/dist dist
COPY --from=build /build/pipelines pipelines
COPY --from=build /build/node_modules node_modules
RUN ln -s /opt/millrace/bin/millrace /usr/local/bin/millrace
USER node
WORKDIR /data
ENTRYPOINT ["millrace"]
CMD ["--help"]
