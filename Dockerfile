# The image of all services: the command is that of `firn`, such as `data-api` or `aggregator`. Options are read from the
# environment (deploy/firn.env). It contains no demonstrations (`firn demo`, `firn evm --demo`).
FROM node:24.9.0-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npx -y pnpm@12.21.0 install --frozen-lockfile --filter firn --filter "@firn/cli..." --filter "@firn/console..." \
 && node tools/release/src/packageImage.mjs

FROM gcr.io/distroless/nodejs24-debian12:nonroot
LABEL org.opencontainers.image.title="Firn" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.source="https://github.com/firn-avalanche/firn"
WORKDIR /data
COPY --from=build --chmod=a+rX /build/build/image /app
# The root may be read-only. Services write to /data, unless PostgreSQL stores everything, and Node.js to /tmp if it can.
ENV NODE_ENV=production \
    FIRN_DATA_DIR=/data \
    FIRN_HOST=0.0.0.0 \
    FIRN_HTTP_HOST=0.0.0.0 \
    FIRN_METRICS_HOST=0.0.0.0 \
    FIRN_HEALTH_URL=http://127.0.0.1:8700/health
USER 65532:65532
VOLUME /data
EXPOSE 8080 8700 8701 8702
HEALTHCHECK --interval=15s --timeout=5s --start-period=2m --retries=3 \
  CMD ["/nodejs/bin/node", "/app/firn.js", "health"]
ENTRYPOINT ["/nodejs/bin/node", "/app/firn.js"]
CMD ["--help"]
