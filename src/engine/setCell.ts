/** Sets a cell of a row. Assigning to `__proto__` would change the prototype, so that name is defined as a property. */
export const setCell = (row: Record<string, unknown>, name: string, cell: unknown): void => {
  if (name !== "__proto__") row[name] = cell
  else Object.defineProperty(row, name, { value: cell, enumerable: true, writable: true, configurable: true })
}
