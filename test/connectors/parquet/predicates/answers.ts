/** What readers answered to predicates: which answers are wrong, which known faults are gone, and the table of all. */
import { type ReaderFault, readerFaults } from "./readerFaults.ts"

/** A line of the script: how often a predicate was asked of a column in a state, and which answers were wrong. */
export interface Finding {
  readonly reader: string
  readonly version: string
  readonly column: string
  readonly type: string
  readonly operator: string
  readonly state: string
  readonly asked: number
  readonly faults: ReadonlyArray<{ readonly literals: string; readonly fault: string }>
}

const isOf = (one: ReaderFault, { reader, version }: Finding): boolean =>
  one.readers.includes(reader) && (one.versions?.test(version) ?? true)

const isKnown = (line: Finding, { fault, literals }: Finding["faults"][number], one: ReaderFault): boolean =>
  isOf(one, line) &&
  one.columns.includes(line.column) &&
  one.operators.includes(line.operator) &&
  (one.literals?.test(literals) ?? true) &&
  one.fault.test(fault)

/** The wrong answers that are not known faults of a reader. */
export const wrongIn = (told: ReadonlyArray<Finding>): ReadonlyArray<string> =>
  told.flatMap((line) =>
    line.faults
      .filter((fault) => !readerFaults.some((one) => isKnown(line, fault, one)))
      .map(({ fault, literals }) => {
        const { column, operator, reader, state, type } = line
        return `${reader}, ${state}: ${column} (${type}) ${operator} ${literals} ${fault}`
      })
  )

/** The known faults that no answer has any more: their readers work. */
export const staleIn = (all: ReadonlyArray<Finding>): ReadonlyArray<string> =>
  readerFaults.flatMap((one) =>
    one.readers
      .filter((reader) => all.some((line) => line.reader === reader && isOf(one, line)))
      .flatMap((reader) =>
        one.columns.flatMap((column) =>
          one.operators
            .filter(
              (operator) =>
                !all.some(
                  (line) =>
                    line.reader === reader &&
                    line.column === column &&
                    line.operator === operator &&
                    line.faults.some((fault) => isKnown(line, fault, one))
                )
            )
            .map((operator) => `${reader}: ${column} ${operator} works: ${one.because}`)
        )
      )
  )

const operators = ["all rows", "=", "<", ">=", "in", "is null", "is not null"]

/** Types as the table shows them. */
const kindOf = ({ column, type }: Finding): string => {
  const kind = type.endsWith("[]") ? "LIST" : type.startsWith("STRUCT") ? "STRUCT" : type
  return column.startsWith("struct.") ? `${kind} in STRUCT` : kind
}

/** Reader x type x predicate: how many answers were wrong of how many; in brackets those that are known faults of the reader. */
export const tableOf = (told: ReadonlyArray<Finding>): string => {
  const groups = Map.groupBy(told, (line) => `${line.reader} | ${kindOf(line)}`)
  const lines = [...groups].map(([name, lines]) => {
    const counts = operators.map((operator) => {
      const own = lines.filter((line) => line.operator === operator)
      const count = own.reduce((sum, line) => sum + line.asked, 0)
      const faults = own.reduce((sum, line) => sum + line.faults.length, 0)
      const wrong = wrongIn(own).length
      return count === 0 ? "-" : `${wrong}/${count}${faults === wrong ? "" : ` (${faults - wrong})`}`
    })
    return `${name} | ${counts.join(" | ")}`
  })
  return [
    `reader | type | ${operators.join(" | ")}`,
    "---|".repeat(operators.length + 2).slice(0, -1),
    ...lines.sort()
  ].join("\n")
}

/** How many questions there were, and how many answers were wrong. */
export const sumOf = (told: ReadonlyArray<Finding>): string => {
  const [asked, wrong] = [told.reduce((sum, line) => sum + line.asked, 0), wrongIn(told).length]
  const faults = told.reduce((sum, line) => sum + line.faults.length, 0)
  return `${asked} questions; unequal: ${wrong}; known faults of readers: ${faults - wrong}`
}
