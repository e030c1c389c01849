/**
 * An answer of rows as a text of JSON in which each row is a line of its own: whoever wants it whole parses it whole, and the page
 * parses it as it comes, so that no answer is too long for one task of the page.
 */
import type { RowsAnswer } from "./ExploreApi.ts"

export const rowsText = ({ rows, ...rest }: RowsAnswer): string =>
  `${JSON.stringify(rest).slice(0, -1)},"rows":[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]}`

/** Reads what `rowsText` wrote. `pause` is awaited after each row, and can end the task. */
export const readRowsText = async (
  body: ReadableStream<Uint8Array>,
  pause: () => Promise<void>
): Promise<RowsAnswer> => {
  const rows: Array<RowsAnswer["rows"][number]> = []
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let head = ""
  let open = ""
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (open + decoder.decode(part.value, { stream: true })).split("\n")
    open = lines.pop() ?? ""
    for (const line of lines) {
      if (head === "") head = line
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each line between the first and the last is a row
      else if (line !== "") rows.push(JSON.parse(line.replace(/,$/, "")) as RowsAnswer["rows"][number])
      await pause()
    }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the first and the last line are the answer without its rows
  return { ...(JSON.parse(head + open) as RowsAnswer), rows }
}
