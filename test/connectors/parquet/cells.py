"""A value as pyarrow gives it, as JSON: no digit is lost."""


def cell(value):
    if isinstance(value, dict):
        return {name: cell(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [cell(inner) for inner in value]
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, float):
        return value.hex()
    return str(value)
