# Puts what is in the file $MARKDOWN on pull request $NUMBER of $REPOSITORY: into the comment that is there, if there is one.
set -euo pipefail
marker='<!-- stacklaw: what a pull request changes -->'
body="$RUNNER_TEMP/stacklaw-body.md"
[ -s "$MARKDOWN" ] || exit 0

# GitHub takes 65,536 letters.
if [ "$(wc -c < "$MARKDOWN")" -le 65000 ]; then
  { echo "$marker"; cat "$MARKDOWN"; } > "$body"
else
  { echo "$marker"; echo "What this change does is in the summary of its checks."; } > "$body"
fi
[ -z "${PAGES:-}" ] || printf '\n[The rulesets as pages to play on](%s) (a zip file; open a page of it in a browser)\n' "$PAGES" >> "$body"

comments="repos/$REPOSITORY/issues/$NUMBER/comments"
# Anybody may write the marker into a comment of theirs.
ours=".[] | select(.user.login == \"github-actions[bot]\" and (.body | startswith(\"$marker\"))) | .id"
ids=$(gh api --paginate "$comments?per_page=100" --jq "$ours")
id=${ids%%$'\n'*}
if [ -n "$id" ]; then
  gh api --silent --method PATCH "repos/$REPOSITORY/issues/comments/$id" --field "body=@$body"
else
  gh api --silent --method POST "$comments" --field "body=@$body"
fi
