"""Who is told, and how: verdicts to text, pictures and data, one file a format."""
