/** A cell of a row that is being made. Of all names one is no member of an object that is assigned to. */
export const setCell = (row: Record<string, unknown>, name: string, cell: unknown): void => {
  if (name !== "__proto__") row[name] = cell
  else Object.defineProperty(row, name, { value: cell, enumerable: true, writable: true, configurable: true })
}
