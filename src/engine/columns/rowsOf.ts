/** Makes rows of the leaves of their columns: the inverse of `BlockWriter`. */
import type { Column, ColumnType } from "../Column.ts"
import { setCell } from "../setCell.ts"
import type { Row } from "../Table.ts"
import type { LeafValues } from "./LeafReader.ts"
import { loader } from "./storedValue.ts"

/** Makes the rows. `leaves` are those of the columns, in order. */
export const rowsOf = (
  columns: ReadonlyArray<Column>,
  count: number,
  leaves: ReadonlyArray<LeafValues>
): ReadonlyArray<Row> => {
  const rest = leaves.values()
  const nextLeaf = (): LeafValues => {
    const leaf = rest.next().value
    if (leaf === undefined) throw new Error("the block has fewer leaves than its columns")
    return leaf
  }
  const readers = columns.map(({ name, type }) => ({ name, reader: readerOf(type, 0, 0, nextLeaf) }))
  return Array.from({ length: count }, () => {
    const row: Record<string, unknown> = {}
    for (const { name, reader } of readers) setCell(row, name, reader.cell())
    return row
  })
}

/** Reads cells one after the other. */
interface Reader {
  readonly cell: () => unknown
  /** The levels of the next entry; undefined: there are no more. */
  readonly definition: () => number | undefined
  readonly repetition: () => number | undefined
  /** Skips an entry without a value. */
  readonly skip: () => void
}

const readerOf = (type: ColumnType, definition: number, depth: number, nextLeaf: () => LeafValues): Reader => {
  switch (type._tag) {
    case "STRUCT": {
      const fields = type.fields.map((field) => ({
        name: field.name,
        reader: readerOf(field.type, definition + 1, depth, nextLeaf)
      }))
      const [first] = fields
      if (first === undefined) throw new Error("a STRUCT has no fields")
      const { definition: level, repetition } = first.reader
      const skip = () => {
        for (const { reader } of fields) reader.skip()
      }
      const cell = () => {
        if ((level() ?? 0) <= definition) {
          skip()
          return null
        }
        const struct: Record<string, unknown> = {}
        for (const { name, reader } of fields) setCell(struct, name, reader.cell())
        return struct
      }
      return { cell, definition: level, repetition, skip }
    }
    case "LIST": {
      const item = readerOf(type.of.type, definition + 2, depth + 1, nextLeaf)
      const cell = () => {
        const level = item.definition() ?? 0
        if (level < definition + 2) {
          item.skip()
          return level <= definition ? null : []
        }
        const items: Array<unknown> = []
        do items.push(item.cell())
        while (item.repetition() === depth + 1)
        return items
      }
      return { cell, definition: item.definition, repetition: item.repetition, skip: item.skip }
    }
    case "BIGINT":
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "DOUBLE":
    case "JSON":
    case "TIMESTAMP":
    case "VARCHAR": {
      const { definitions, leaf, repetitions, values } = nextLeaf()
      const load = loader(type)
      let entry = 0
      let next = 0
      return {
        cell: () => {
          const value = definitions[entry++] === leaf.definition ? values[next++] : undefined
          return value === undefined ? null : load(value)
        },
        definition: () => definitions[entry],
        repetition: () => repetitions[entry],
        skip: () => {
          entry++
        }
      }
    }
  }
}
