/**
 * The lines of an `output` block that the commands above it do not print.
 *
 * What differs from run to run counts as the same: times, ids, folders, sizes, and how wide a column is. A line with three dots
 * stands for what is left out.
 */
export const unsaidLines = (block: string, said: string): ReadonlyArray<string> => {
  const printed = new Set(said.split("\n").map(plain))
  return block.split("\n").filter((line) => line.trim() !== "" && !line.includes("...") && !printed.has(plain(line)))
}

const plain = (line: string): string =>
  line
    .replaceAll(/\d{8}T\d{9}Z-[0-9a-f]{6}/g, "RUN")
    .replaceAll(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, "TIME")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "ID")
    .replaceAll(/\b[\d.]+ (?:s|ms|kB|MB)\b/g, "SIZE")
    .replaceAll(/characters \d+ to \d+/g, "characters")
    .replaceAll(/\/[\w./-]*\/(?=[\w-]+(?:\.duckdb|-lake)\b)/g, "/")
    .replaceAll(/https?:\/\/(?:127\.0\.0\.1:\d+|your\.site)/g, "SITE")
    .replaceAll(/\s+/g, " ")
    .trim()
