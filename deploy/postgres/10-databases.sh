#!/bin/sh
# Run by the postgres image at the first start, when the data directory is empty: a user and databases of its own for
# Temporal and for Standfast, so that neither can touch the other's tables.
set -eu

# psql puts :'name' in as a quoted literal, but only in what it reads from its input.
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  -v temporal_password="${TEMPORAL_DB_PASSWORD:?}" \
  -v standfast_password="${STANDFAST_DB_PASSWORD:?}" <<'SQL'
create role temporal login password :'temporal_password';
create role standfast login password :'standfast_password';
create database temporal owner temporal;
create database temporal_visibility owner temporal;
create database standfast owner standfast;
revoke connect on database temporal, temporal_visibility, standfast from public;
\connect temporal_visibility
create extension if not exists btree_gin;
SQL
