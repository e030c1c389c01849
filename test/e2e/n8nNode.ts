/**
 * The requests of an n8n node, made of its own description as n8n makes them: defaults of fields, expressions, steps before sending.
 *
 * n8n itself is a server; what it sends for such a node is all in the description of the node's package.
 */

interface Routing {
  readonly request?: {
    readonly method?: string
    readonly url?: string
    readonly body?: string | Readonly<Record<string, unknown>>
    readonly qs?: Readonly<Record<string, unknown>>
  }
  readonly send?: {
    readonly preSend?: ReadonlyArray<PreSend>
    readonly property?: string
    readonly type?: string
    readonly value?: string
  }
}
type Request = { method: string; url: string; body: Record<string, unknown>; qs: Record<string, unknown> }
type PreSend = (this: object, request: Request) => Promise<Request>

interface Property {
  readonly name: string
  readonly type: string
  readonly default?: unknown
  readonly value?: unknown
  readonly values?: ReadonlyArray<Property>
  readonly options?: ReadonlyArray<Property>
  readonly displayOptions?: Readonly<Record<"show" | "hide", Conditions | undefined>>
  readonly routing?: Routing
}
type Conditions = Readonly<Record<string, ReadonlyArray<unknown>>>

export interface Node {
  readonly description: {
    readonly requestDefaults: { readonly body: Readonly<Record<string, unknown>> }
    readonly properties: ReadonlyArray<Property>
  }
}

/** What the node sends for an operation, with these fields filled in by the user and all others as they are by default. */
export const requestOf = async (
  { description }: Node,
  resource: string,
  operation: string,
  filled: Readonly<Record<string, unknown>> = {}
): Promise<Request> => {
  const parameters: Record<string, unknown> = { resource, operation, ...filled }
  const isShown = ({ displayOptions }: Property) =>
    Object.entries(displayOptions?.show ?? {}).every(([name, values]) => values.includes(parameters[name])) &&
    !Object.entries(displayOptions?.hide ?? {}).some(([name, values]) => values.includes(parameters[name]))
  for (const property of description.properties) {
    if (isShown(property) && !(property.name in parameters)) parameters[property.name] = property.default
  }
  const request: Request = { method: "GET", url: "", body: { ...description.requestDefaults.body }, qs: {} }
  const steps: Array<PreSend> = []
  const apply = (routing: Routing | undefined, value: unknown) => {
    const evaluated = (part: string | Readonly<Record<string, unknown>> | undefined): object => {
      if (typeof part === "string") {
        const whole = evaluate(part, value, parameters)
        return typeof whole === "object" && whole !== null ? whole : {}
      }
      return Object.fromEntries(
        Object.entries(part ?? {})
          .map(([name, expression]) => [name, evaluate(expression, value, parameters)] as const)
          .filter(([, result]) => result !== undefined)
      )
    }
    const { body, method, qs, url } = routing?.request ?? {}
    if (method !== undefined) request.method = method
    if (url !== undefined) request.url = String(evaluate(url, value, parameters))
    Object.assign(request.body, evaluated(body))
    Object.assign(request.qs, evaluated(qs))
    const { preSend, property, type, value: sent } = routing?.send ?? {}
    if (property !== undefined) {
      const target = type === "query" ? request.qs : request.body
      target[property] = sent === undefined ? value : evaluate(sent, value, parameters)
    }
    steps.push(...(preSend ?? []))
  }
  const visit = (property: Property, value: unknown) => {
    apply(property.routing, value)
    if (property.type === "options") apply(property.options?.find((option) => option.value === value)?.routing, value)
    if (typeof value !== "object" || value === null) return
    for (const [name, part] of Object.entries(value)) {
      const option = property.options?.find((one) => one.name === name)
      if (option === undefined) continue
      if (property.type === "collection") visit(option, part)
      if (property.type === "fixedCollection" && typeof part === "object" && part !== null && !Array.isArray(part)) {
        for (const inner of option.values ?? []) if (inner.name in part) visit(inner, Reflect.get(part, inner.name))
      }
    }
  }
  for (const property of description.properties) if (isShown(property)) visit(property, parameters[property.name])
  let sent = request
  const self = { getNodeParameter: (name: string, otherwise: unknown) => parameters[name] ?? otherwise }
  for (const step of steps) sent = await step.call(self, sent)
  return sent
}

/** An expression of n8n: `={{ code }}` has the value of its code, `=text {{ code }}` is a text. */
const evaluate = (expression: unknown, $value: unknown, $parameter: object): unknown => {
  if (typeof expression !== "string" || !expression.startsWith("=")) return expression
  const text = expression.slice(1)
  const compiled = (code: string): unknown =>
    // oxlint-disable-next-line typescript/no-implied-eval -- the code of the package under test, as n8n runs it
    new Function("$value", "$parameter", `return (${code})`)($value, $parameter)
  // What reads a field of nothing is nothing there.
  const run = (code: string): unknown => {
    try {
      return compiled(code)
    } catch (cause) {
      if (cause instanceof TypeError) return undefined
      throw cause
    }
  }
  const whole = /^\{\{([\s\S]*)\}\}$/.exec(text)
  if (whole !== null) return run(whole[1] ?? "")
  return text.replaceAll(/\{\{([\s\S]*?)\}\}/g, (_, code: string) => String(run(code)))
}
