"""schema.py SCHEMA FILE...: checks experiment files with a JSON Schema.
Prints errors; exit code 1 if there are any."""
import json
import sys

import jsonschema
import yaml

with open(sys.argv[1], encoding='utf-8') as f:
    schema = json.load(f)
jsonschema.Draft202012Validator.check_schema(schema)
wrong = 0
for path in sys.argv[2:]:
    with open(path, encoding='utf-8') as f:
        errors = jsonschema.Draft202012Validator(schema).iter_errors(
            yaml.safe_load(f))
        for e in errors:
            print(f'{path}: {e.json_path}: {e.message}')
            wrong = 1
sys.exit(wrong)
