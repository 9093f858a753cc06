"""From what was seen to what was done about it: interpret, judge, record, alert, reconstruct, evidence."""
