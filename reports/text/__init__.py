"""The Record as text: tables, rulings, lists and mistakes, for a terminal and for files."""
