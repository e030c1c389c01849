/**
 * Boosted trees as a table: what `bench/mainContent/train.py` has learned, and how a row of features is scored with it.
 *
 * The table is base64 of little-endian numbers: how many groups, trees and nodes there are; then for each node its feature
 * (u16), its threshold (f32; a value up to it goes left), where left and right lead (i16; below 0 a leaf, -1 the first);
 * for each tree where its nodes and its leaves begin (u32 each); and the leaves (f32). Trees of several groups take turns.
 *
 * A row is not walked down tree by tree, which is a guess at each node for the processor. A value that is above the
 * threshold of a node rules out the leaves to the left of that node: the nodes of each feature are gone through from the
 * lowest threshold on, and the first leaf of each tree that is left is the one (Lucchese and others: QuickScorer, 2015).
 */
export class Trees {
  readonly groups: number
  /** For each tree its first leaf in `values`. */
  private readonly firsts: Uint32Array
  private readonly values: Float32Array
  /** For each feature its first node in `thresholds`, `trees` and `masks`, which are sorted by threshold; and the end. */
  private readonly starts: Uint32Array
  private readonly thresholds: Float32Array
  private readonly trees: Uint16Array
  /** The leaves that stay where a value is above the threshold, as bits. */
  private readonly masks: Int32Array

  constructor(table: string) {
    const read = readTable(table)
    const nodes = nodesOf(read).sort((a, b) => a.feature - b.feature || a.threshold - b.threshold)
    const features = (nodes.at(-1)?.feature ?? -1) + 1
    this.groups = read.groups
    this.firsts = read.firstLeaves
    this.values = read.values
    this.thresholds = Float32Array.from(nodes, ({ threshold }) => threshold)
    this.trees = Uint16Array.from(nodes, ({ tree }) => tree)
    this.masks = Int32Array.from(nodes, ({ left }) => ~left)
    this.starts = new Uint32Array(features + 1)
    for (const { feature } of nodes) this.starts[feature + 1] = (this.starts[feature + 1] ?? 0) + 1
    for (let i = 1; i <= features; i++) this.starts[i] = (this.starts[i] ?? 0) + (this.starts[i - 1] ?? 0)
  }

  /** The number of features in a row, up to the last one that a tree uses. */
  get width(): number {
    return this.starts.length - 1
  }

  /** The leaves of each tree that no feature has ruled out. */
  all(): Int32Array {
    return new Int32Array(this.firsts.length).fill(-1)
  }

  /** Rules leaves out by the features from `first` on, whose values stand from `at` on; `until` is the first feature not to. */
  narrow(leaves: Int32Array, rows: Float64Array, at: number, first: number, until: number): void {
    const { masks, starts, thresholds, trees } = this
    const end = Math.min(until, starts.length - 1)
    for (let feature = first; feature < end; feature++) {
      const value = rows[at + feature - first] ?? 0
      const last = starts[feature + 1] ?? 0
      for (let node = starts[feature] ?? 0; node < last && value > (thresholds[node] ?? 0); node++) {
        const tree = trees[node] ?? 0
        leaves[tree] = (leaves[tree] ?? 0) & (masks[node] ?? 0)
      }
    }
  }

  /** The sum over the trees of a group: of each the first leaf that is left. */
  sum(leaves: Int32Array, group = 0): number {
    const { firsts, groups, values } = this
    let sum = 0
    for (let tree = group; tree < firsts.length; tree += groups) {
      const left = leaves[tree] ?? 0
      sum += values[(firsts[tree] ?? 0) + 31 - Math.clz32(left & -left)] ?? 0
    }
    return sum
  }

  /** What the trees of each group say of a row. */
  score(row: Float64Array): Float64Array {
    const leaves = this.all()
    this.narrow(leaves, row, 0, 0, this.width)
    return Float64Array.from({ length: this.groups }, (_, group) => this.sum(leaves, group))
  }
}

export const probabilityOf = (score: number): number => 1 / (1 + Math.exp(-score))

interface Read {
  readonly groups: number
  readonly firstNodes: Uint32Array
  readonly firstLeaves: Uint32Array
  readonly values: Float32Array
  readonly thresholds: Float32Array
  readonly features: Uint16Array
  readonly lefts: Int16Array
  readonly rights: Int16Array
}

const readTable = (table: string): Read => {
  const bytes = Buffer.from(table, "base64")
  const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const [groups = 1, trees = 0, nodes = 0, leaves = 0] = new Uint32Array(data, 0, 4)
  let at = 16
  const take = (size: number): number => {
    const from = at
    at += size
    return from
  }
  return {
    groups,
    firstNodes: new Uint32Array(data, take(4 * trees), trees),
    firstLeaves: new Uint32Array(data, take(4 * trees), trees),
    values: new Float32Array(data, take(4 * leaves), leaves),
    thresholds: new Float32Array(data, take(4 * nodes), nodes),
    features: new Uint16Array(data, take(2 * nodes), nodes),
    lefts: new Int16Array(data, take(2 * nodes), nodes),
    rights: new Int16Array(data, take(2 * nodes), nodes)
  }
}

interface Node {
  readonly tree: number
  readonly feature: number
  readonly threshold: number
  /** The leaves that it leads to on the left, as bits: a tree has 32 at most. */
  readonly left: number
}

const nodesOf = ({ features, firstNodes, lefts, rights, thresholds }: Read): Array<Node> => {
  const nodes: Array<Node> = []
  /** The leaves below a way, as bits. */
  const below = (tree: number, way: number): number => {
    if (way < 0) return 1 << (-1 - way)
    const node = (firstNodes[tree] ?? 0) + way
    const left = below(tree, lefts[node] ?? -1)
    const right = below(tree, rights[node] ?? -1)
    // A tree that is one leaf has a node that leads there both ways.
    if (left !== right) {
      nodes.push({ tree, feature: features[node] ?? 0, threshold: thresholds[node] ?? 0, left })
    }
    return left | right
  }
  for (let tree = 0; tree < firstNodes.length; tree++) below(tree, 0)
  return nodes
}
