# Tells what is changed in $RULES since $AGAINST, and writes a page of each ruleset that is changed or new.
# What `check` has told is in the file $CHECKED.
set -euo pipefail
# shellcheck source=common.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
[ -n "$AGAINST" ] || exit 0
refuse_links

told="$RUNNER_TEMP/stacklaw-comment.md" part="$RUNNER_TEMP/stacklaw-part.md" pages="$RUNNER_TEMP/stacklaw-pages"
changed="$RUNNER_TEMP/stacklaw-changed"
rm -rf "$told" "$pages"
mkdir "$pages"
touch "$told"
printf '%s\n' "markdown=$told" >> "$GITHUB_OUTPUT"
[ ! -f "$CHECKED" ] || cat "$CHECKED" >> "$told"

# Tells what a command prints on the pull request, and in the summary; what comes after its heading and its first
# sentence is folded below the title $1, if that is not empty.
tell() {
  local ended=0 title=$1
  shift
  "$@" > "$part" || ended=$?
  {
    echo
    if [ -n "$title" ] && [ "$(wc -l < "$part")" -gt 3 ]; then
      head -n 3 "$part"
      printf '\n<details><summary>%s</summary>\n' "$title"
      tail -n +4 "$part"
      printf '\n</details>\n'
    else
      cat "$part"
    fi
  } | tee -a "$told" >> "$GITHUB_STEP_SUMMARY"
  return $ended
}

declare -A seen
status=0 number=0
git --literal-pathspecs diff --no-ext-diff --name-status --relative -z -M --diff-filter=AMR "$AGAINST" -- "${rules[@]}" > "$changed"
while IFS= read -r -d '' how && IFS= read -r -d '' was; do
  name=$was
  case $how in R*) IFS= read -r -d '' name ;; esac
  case $name in
    *.rules) ;;
    # Claims beside rules that were there before; new rules are told by themselves.
    *.claims)
      name=${name%.claims}.rules was=$name how=M
      [ -f "$name" ] && git cat-file -e "$AGAINST:./$name" 2>/dev/null || continue
      ;;
    *) continue ;;
  esac
  [ -z "${seen[$name]:-}" ] || continue
  seen[$name]=yes
  if [ "$how" != A ]; then
    # What nobody can decide `check` has told; here a guarantee that is lost counts.
    title="each answer, guarantee and line that changed"
    tell "$title" stacklaw diff --time "$TIME" --format markdown -- "$AGAINST:$was" "./$name" || [ $? -eq 3 ] || status=1
    tell "" stacklaw mutate --since "$AGAINST" --time "$TIME" --fail-under "$NOTICED" --format markdown -- "./$name" ||
      [ $? -eq 3 ] || status=1
  fi
  number=$((number + 1))
  stem=$(basename -- "$name" .rules)
  stacklaw page --time "$TIME" -o "$pages/$number-${stem//[^A-Za-z0-9_-]/_}.html" -- "./$name" || status=1
done < "$changed"
[ -z "$(ls -A "$pages")" ] || printf '%s\n' "pages=$pages" >> "$GITHUB_OUTPUT"
exit $status
