"""Reads and writes JSON files; a file is replaced as a whole."""
import json
import os


def load(path):
    try:
        with open(path, encoding='utf-8') as f:
            return json.load(f)
    except FileNotFoundError:
        return {}


def save(path, value):
    with open(path + '.new', 'w', encoding='utf-8') as f:
        json.dump(value, f, indent=0, sort_keys=True)
    os.replace(path + '.new', path)
