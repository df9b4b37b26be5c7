# The abbreviations in tests/data/metrics; this is not the list of Moses.
Dr
B
