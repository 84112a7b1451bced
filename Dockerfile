# Debian, not Alpine: Temporal's native bridge needs glibc.
FROM node:24.11.1-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
COPY drizzle drizzle
COPY web web
COPY examples/agents examples/agents
RUN npm run build && node scripts/runtime-packages.mjs /runtime

FROM node:24.11.1-bookworm-slim
# The bridge verifies Temporal's certificate with the system's list, which the slim image lacks.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && mkdir /data \
  && chown node:node /data
# As the program's first line has it: glibc keeps freed memory of each thread's own arena, and the engine has many threads.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2
WORKDIR /app
COPY package.json LICENSE NOTICE THIRD_PARTY_NOTICES.md ./
# The packages that the bundle asks for, and one native bridge of Temporal's.
COPY --from=build /runtime/node_modules node_modules
COPY drizzle drizzle
COPY examples/agents examples/agents
COPY examples/policies examples/policies
COPY --from=build /app/dist/cli/main.js dist/cli/main.js
COPY --from=build /app/dist/cli/bundle dist/cli/bundle
COPY --from=build /app/dist/empty-database dist/empty-database
COPY --from=build /app/dist/web dist/web
COPY --from=build /app/dist/workflow-bundle.js dist/workflow-bundle.js
USER node
EXPOSE 8600 9464
ENTRYPOINT ["node", "--max-semi-space-size=8", "dist/cli/main.js"]
CMD ["api"]
