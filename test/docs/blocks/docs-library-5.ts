// Copied by `npm run docs` from docs/library.md. Do not edit.
// clean.ts
export const columns = { name: "VARCHAR", size: "BIGINT" }

export default (row: { name: string; length: number }) => ({ name: row.name.toUpperCase(), size: row.length })
