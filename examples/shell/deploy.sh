#!/usr/bin/env bash
# Deploys after a person's yes alone: a no, an expiry, and a Standfast that is away end the script.
# STANDFAST_URL and STANDFAST_API_KEY say where and as whom it asks; the same version waits for the same answer.
set -euo pipefail
version=$1

standfast approve "Deploys $version to production. Sessions of customers end." \
  --tool deploy --args "{\"version\": \"$version\"}" --id "deploy-$version" --wait 1h
echo "deploying $version"
