/**
 * How a notebook gets the URL of a database without having its password: from the same environment variables as the
 * pipeline file.
 *
 * Guarantee: no password is written. One that stands in the pipeline file itself is left out; libpq then asks PGPASSWORD and
 * ~/.pgpass.
 */

/** The URL as an expression of Python. `written`: as the pipeline file has it; `plain`: what it means, without a password. */
export const databaseUrl = (written: string, plain: string): string => {
  const parts = [...written.matchAll(/\$\{(env|secrets)\.(\w+)(?::-[^}]*)?\}|[^$]+|\$/g)]
  const literal = parts.flatMap(([part, namespace]) => (namespace === undefined ? [part] : [])).join("\0")
  // Another namespace, an escape, or a password in plain text.
  if (parts.every(([, namespace]) => namespace === undefined) || literal.includes("$") || /:[^/@\0]+@/.test(literal)) {
    return JSON.stringify(plain)
  }
  return parts
    .map(([part, namespace, name = ""]) => {
      if (namespace === undefined) return JSON.stringify(part)
      return namespace === "env" ? `os.environ["${name}"]` : `secret("${name}")`
    })
    .join(" + ")
}

/** The function `secret` of Python, which finds secrets where `millrace` does. */
export const secretFunction = `def secret(name):
    """The secret that the pipeline file names: it is in the environment, or in a file that the environment names."""
    file = os.environ.get("MILLRACE_SECRET_" + name + "_FILE")
    if "MILLRACE_SECRET_" + name not in os.environ and file:
        with open(file, encoding="utf-8") as opened:
            return opened.read().rstrip("\\r\\n")
    return os.environ["MILLRACE_SECRET_" + name]`
