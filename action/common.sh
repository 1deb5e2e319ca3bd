# What the scripts of the action share: the rules that are named, and where what is found is kept.

export XDG_CACHE_HOME="$RUNNER_TEMP/stacklaw-kept/cache" XDG_STATE_HOME="$RUNNER_TEMP/stacklaw-kept/state"
(umask 077 && mkdir -p "$XDG_CACHE_HOME" "$XDG_STATE_HOME")

rules=()
while IFS= read -r line; do
  case $line in "") ;; -*) rules+=("./$line") ;; *) rules+=("$line") ;; esac
done <<< "$RULES"

# A link in a pull request may lead to any file of this machine, and a mistake in a file is told with its line.
refuse_links() {
  local path
  for path in "${rules[@]}"; do
    path=${path%"${path##*[!/]}"}  # with a slash at its end it is never a link
    [ -d "$path" ] || path=$(dirname -- "$path")
    if [ -n "$(find "$path/" -type l -print -quit)" ]; then
      echo "There is a symbolic link below one of the rules that are named; links are not followed here." >&2
      exit 2
    fi
    while [ "$path" != . ] && [ "$path" != / ]; do
      if [ -L "$path" ]; then
        echo "One of the rules that are named is a symbolic link, or below one; links are not followed here." >&2
        exit 2
      fi
      path=$(dirname -- "$path")
    done
  done
}
