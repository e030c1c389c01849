import type { ExtractPlan } from "./ExtractPlan.ts"

/** What is said where many pages became one object, as the schema has no list that each could be an item of. */
export const mergedWarnings = ({ domains, wanted: { schema } }: ExtractPlan, pages: number): ReadonlyArray<string> =>
  domains.length === 0 || pages < 2 || schema === undefined || hasList(schema)
    ? []
    : [
        `${pages} pages were merged into one object, because the schema has no list: the first value of each field counts. ` +
          "For one object per page, use a list of such objects in the schema, or read each page by itself (rows: per_page in a pipeline)"
      ]

const hasList = (schema: unknown): boolean =>
  Array.isArray(schema)
    ? schema.some(hasList)
    : typeof schema === "object" &&
      schema !== null &&
      (("type" in schema && [schema.type].flat().includes("array")) ||
        "items" in schema ||
        Object.values(schema).some(hasList))
