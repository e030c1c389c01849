/**
 * Finds mistakes in the arguments of a call, before the tool does anything.
 *
 * Ignoring an unknown argument would do harm: an agent that passes `dryRun` to a run believes that nothing is loaded. A tool
 * that passes all arguments to the service does not check their names, because the service refuses unknown ones.
 */
import type { Arguments, McpTool } from "../McpTool.ts"
import { isEmpty, isFields } from "../toolArguments.ts"

type Taken = Pick<McpTool, "isPassedOn" | "name" | "properties">

/** Returns a message for the agent; undefined: the arguments are right. */
export const misfit = ({ isPassedOn, name, properties }: Taken, given: Arguments): string | undefined => {
  const said = Object.entries(given).filter(([, value]) => !isEmpty(value))
  const unknown = isPassedOn === true ? [] : said.map(([key]) => key).filter((key) => !Object.hasOwn(properties, key))
  if (unknown.length > 0) {
    return `${name} does not know ${unknown.map((key) => JSON.stringify(key)).join(", ")}, and nothing was done. What to do: call it with no other arguments than ${Object.keys(properties).join(", ")}.`
  }
  const flat = said.filter(([key, value]) => isObject(properties, key) && !isFields(value)).map(([key]) => key)
  return flat.length === 0
    ? undefined
    : `${flat.join(", ")} of ${name} must be an object, not a text or a list, and nothing was done. What to do: give it as JSON that is not in quotes.`
}

const isObject = (properties: Taken["properties"], key: string): boolean => {
  const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
  return schema !== undefined && "type" in schema && schema.type === "object"
}
