/**
 * Scores rows of features with the gradient-boosted trees that `bench/mainContent/train.py` has trained.
 *
 * The table is base64 of little-endian numbers: the counts of groups, trees, nodes and leaves (u32); the first node of each
 * tree and the first leaf of each tree (u32); the values of the leaves (f32); and for each node its threshold (f32), its
 * feature (u16), its left child and its right child (i16; negative: a leaf, from -1 for the first). A value up to the
 * threshold goes left. The trees of several groups alternate.
 *
 * Walking down each tree would cost the processor a mispredicted branch at many nodes. Instead, if a value is above the
 * threshold of a node, the leaves to the left of that node are ruled out. The nodes of each feature are visited in the order
 * of their thresholds. In the end, the first remaining leaf of each tree counts (Lucchese et al., QuickScorer, 2015).
 */
export class Trees {
  readonly groups: number
  /** The index in `values` of the first leaf of each tree. */
  private readonly firsts: Uint32Array
  private readonly values: Float32Array
  /** The index in `thresholds`, `trees` and `masks` of the first node of each feature, and the end. Sorted by threshold. */
  private readonly starts: Uint32Array
  private readonly thresholds: Float32Array
  private readonly trees: Uint16Array
  /** The leaves that remain if a value is above the threshold, as bits. */
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

  /** All leaves of each tree, as bits. */
  all(): Int32Array {
    return new Int32Array(this.firsts.length).fill(-1)
  }

  /** Rules out leaves by the features from `first` to before `until`. Their values begin at `rows[at]`. */
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

  /** The sum of the first remaining leaves of all trees in a group. */
  sum(leaves: Int32Array, group = 0): number {
    const { firsts, groups, values } = this
    let sum = 0
    for (let tree = group; tree < firsts.length; tree += groups) {
      const left = leaves[tree] ?? 0
      sum += values[(firsts[tree] ?? 0) + 31 - Math.clz32(left & -left)] ?? 0
    }
    return sum
  }

  /** The sum of each group for a row. */
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
  /** The leaves to the left of it, as bits: a tree has at most 32. */
  readonly left: number
}

const nodesOf = ({ features, firstNodes, lefts, rights, thresholds }: Read): Array<Node> => {
  const nodes: Array<Node> = []
  /** The leaves below a child, as bits. */
  const below = (tree: number, way: number): number => {
    if (way < 0) return 1 << (-1 - way)
    const node = (firstNodes[tree] ?? 0) + way
    const left = below(tree, lefts[node] ?? -1)
    const right = below(tree, rights[node] ?? -1)
    // A tree with only one leaf has a node with this leaf on both sides.
    if (left !== right) {
      nodes.push({ tree, feature: features[node] ?? 0, threshold: thresholds[node] ?? 0, left })
    }
    return left | right
  }
  for (let tree = 0; tree < firstNodes.length; tree++) below(tree, 0)
  return nodes
}
