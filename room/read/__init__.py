"""What the pages show, worked out from the record: beliefs about a table, rounds, clauses, reports, health."""
