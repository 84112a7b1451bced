#!/usr/bin/env bash
# Asks for a value, and tells the ends apart that are no answer.
set -uo pipefail

region=$(standfast ask "Which region has room for the backups?" --field 'region:eu|us' --print region --id "$1" --wait 10m)
case $? in
  0) echo "copying to $region" ;;
  1) echo "it is not to be copied" ;;
  8) echo "expired; the next run asks again under another id" ;;
  10) echo "still waiting; the next run waits on" ;;
  *) exit 1 ;;
esac
