#!/bin/sh
# Puts a VS Code that runs in a browser (code-server) into FOLDER, from npm alone, for the tests:
#   editors/code_server.sh FOLDER && PATH="FOLDER:$PATH" pytest -m long tests/editor/test_vscode.py
# It takes Node.js, npm, make and a C++ compiler, 800 MB and two minutes.
set -eu
mkdir -p "$1"
cd "$1"
folder=$PWD
quiet="--omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error"
npm install --prefix runtime --no-audit --no-fund --loglevel=error node@24
node=$(find "$folder/runtime" -path '*/bin/node' -type f | head -n 1)
npm_config_nodedir=$(dirname "$(find "$folder/runtime" -path '*/include/node' -type d | head -n 1 | xargs dirname)")
PATH=$(dirname "$node"):$PATH
export PATH npm_config_nodedir
npm pack --silent code-server@4 | xargs tar -xzf
for part in package package/lib/vscode package/lib/vscode/extensions; do
  (cd "$part" && npm install $quiet)
done
# Of what has to be compiled this is what an editor of texts needs.
(cd package/lib/vscode && npm rebuild --loglevel=error @vscode/spdlog @vscode/native-watchdog @parcel/watcher node-pty)
printf '#!/bin/sh\nexec "%s" "%s/package/out/node/entry.js" "$@"\n' "$node" "$folder" > code-server
chmod +x code-server
./code-server --version
