"""The measures of games, side by side: `text`, a table and plays; `data`, the kind ``measures`` of docs/json.md."""
