# Checks $RULES, and what has changed since $AGAINST if that is not empty.
set -euo pipefail
# shellcheck source=common.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
refuse_links

words=(--time "$TIME")
while IFS= read -r line; do [ -z "$line" ] || words+=(--fail-on "$line"); done <<< "$FAIL_ON"
if [ -n "$AGAINST" ]; then
  # A checkout has its last commit only, unless somebody asks for more.
  git cat-file -e "$AGAINST^{commit}" 2> "$RUNNER_TEMP/stacklaw.git" ||
    git fetch --quiet --depth=1 --end-of-options origin "$AGAINST"
  words+=("--against=$AGAINST")
fi
sarif="$RUNNER_TEMP/stacklaw.sarif" junit="$RUNNER_TEMP/stacklaw.xml" markdown="$RUNNER_TEMP/stacklaw-check.md"
rm -f "$markdown"
printf '%s\n' "sarif=$sarif" "junit=$junit" "markdown=$markdown" "rules=yes" >> "$GITHUB_OUTPUT"
status=0
stacklaw check --annotations --markdown "$markdown" --sarif "$sarif" --junit "$junit" "${words[@]}" -- "${rules[@]}" ||
  status=$?
[ ! -f "$markdown" ] || cat "$markdown" >> "$GITHUB_STEP_SUMMARY"
exit $status
