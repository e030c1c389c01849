/**
 * The part of a pipeline file that `PipelineKeys` decodes. The contents of `source:`, `sinks:` and `vars:` are emptied,
 * because others decode them. Keys that are not supported are reported and left out.
 */

import * as FileReading from "../FileReading.ts"
import { pathInWords } from "../keys/explainIssue.ts"
import { keyInOtherWords } from "../keys/otherWords.ts"
import { unsupported } from "../PipelineKeys.ts"
import type * as YamlTree from "../YamlTree.ts"

export const ownKeys = (reading: FileReading.FileReading, root: YamlTree.YamlMap): YamlTree.YamlMap => {
  const supported = (node: YamlTree.YamlMap, path: ReadonlyArray<string>): YamlTree.YamlMap => ({
    ...node,
    entries: new Map(
      Array.from(node.entries).flatMap(([key, value]): ReadonlyArray<readonly [string, YamlTree.YamlNode]> => {
        const place = [...path, key]
        if (unsupported.has(pathInWords(place))) {
          const message = `\`${pathInWords(place)}\` is not supported by this version yet`
          FileReading.add(reading, { path: place, at: "key", message, hint: keyInOtherWords(key) ?? "remove it" })
          return []
        }
        if (path.length === 0 && (key === "source" || key === "sinks" || key === "vars")) return [[key, silent(value)]]
        return [[key, value._tag === "Map" && path.length === 0 ? supported(value, place) : value]]
      })
    )
  })
  return supported(root, [])
}

/** The same node with empty texts, so that `${...}` in them is not filled in a second time. */
const silent = (node: YamlTree.YamlNode): YamlTree.YamlNode => {
  switch (node._tag) {
    case "Map":
      return { ...node, entries: new Map(Array.from(node.entries, ([key, value]) => [key, silent(value)])) }
    case "List":
      return { ...node, items: node.items.map(silent) }
    case "Scalar":
      return typeof node.value === "string" ? { ...node, value: "" } : node
  }
}
