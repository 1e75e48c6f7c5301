import { NodeId } from '@firn/codec'
import type { Exchange } from './Exchange.ts'
import * as JsonText from './JsonText.ts'

/** Form of a masked member. The recorded and the actual value may differ, but both must have this form. */
export type Form = keyof typeof LITERALS | keyof typeof LISTS | 'shape' | 'part'

/**
 * A member whose value varies: its path, the calls that return it, the part that is still compared, and the
 * reason.
 */
export interface Mask {
  /** The JSON-RPC method, or the HTTP method and the path if the body contains no method. */
  readonly method: string
  /**
   * Path from the top of the body. In `result.peers[].ip`, `[]` stands for every element; `*` stands for
   * every member.
   */
  readonly path: string
  readonly form: Form
  /** Members that are omitted, for the form `part`. */
  readonly without?: readonly string[]
  /** Port of the only node to which the mask applies. */
  readonly port?: number
  /** Returns whether the mask applies to an exchange. */
  readonly when?: (exchange: Exchange) => boolean
  /** Whether only some recordings need the mask. */
  readonly isOptional?: boolean
  readonly reason: string
}

/** Facts about the recorded network that a single exchange does not contain. */
export interface Facts {
  /** Returns whether the recorded responses list a NodeID as a validator. */
  readonly isValidator: (nodeId: string) => boolean
}

type Elements = readonly JsonText.JsonText[]
type ListForm = (elements: Elements, facts: Facts) => Elements | undefined

/** Forms of single values. */
const LITERALS = {
  time: /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[-+]\d\d:\d\d)"$/,
  /** A string that contains a number with four decimals. */
  fraction: /^"\d+\.\d{4}"$/,
  number: /^\d+(\.\d+)?(e-?\d+)?$/,
  text: /^"/,
  /** Status of an existing blockchain, whether or not the node runs it. */
  status: /^"(Created|Syncing|Validating)"$/,
} as const

const LISTS = {
  /** A list whose elements may be in any order. */
  set: (elements) => elements.toSorted((a, b) => (JsonText.format(a) < JsonText.format(b) ? -1 : 1)),
  /** NodeIDs of randomly sampled validators, in ascending byte order. */
  sample: (elements, { isValidator }) => {
    const nodeIds = elements.map((it) => JsonText.textOf(it) ?? '')
    if (!nodeIds.every(isValidator)) return undefined
    const isSorted = nodeIds.every((it, index) => isInOrder(nodeIds[index - 1], it))
    return isSorted ? elements.map(() => literal('"<NodeID>"')) : undefined
  },
} as const satisfies Readonly<Record<string, ListForm>>

function literal(text: string): JsonText.JsonText {
  return { kind: 'literal', text }
}

function isInOrder(before: string | undefined, after: string): boolean {
  return before === undefined || Buffer.compare(NodeId.parse(before), NodeId.parse(after)) <= 0
}

/** Replaces all values by their types. Keeps the names and the order of members. */
function shapeOf(json: JsonText.JsonText): JsonText.JsonText {
  if (json.kind === 'object') {
    const members = json.members.map(({ name, value }) => ({ name, value: shapeOf(value) }))
    return { kind: 'object', members }
  }
  if (json.kind === 'array') return literal('"<list>"')
  if (json.text.startsWith('"')) return literal('"<text>"')
  return literal(/^[-0-9]/.test(json.text) ? '"<number>"' : `"<${json.text === 'null' ? 'null' : 'flag'}>"`)
}

function partOf(json: JsonText.JsonText, without: readonly string[]): JsonText.JsonText | undefined {
  if (json.kind !== 'object') return undefined
  const members = json.members.filter(({ name }) => !without.includes(JSON.parse(name) as string))
  return { kind: 'object', members }
}

/** Returns the masked form of a value, or undefined if the value does not have the form of the mask. */
function masked(json: JsonText.JsonText, mask: Mask, facts: Facts): JsonText.JsonText | undefined {
  const { form, without = [] } = mask
  if (form === 'part') return partOf(json, without)
  if (form === 'shape') return shapeOf(json)
  if (Object.hasOwn(LISTS, form)) {
    if (json.kind !== 'array') return undefined
    const elements = (LISTS[form as keyof typeof LISTS] as ListForm)(json.elements, facts)
    return elements && { kind: 'array', elements }
  }
  const isOfForm = json.kind === 'literal' && LITERALS[form as keyof typeof LITERALS].test(json.text)
  return isOfForm ? literal(`"<${form}>"`) : undefined
}

/** Returns `json` with `change` applied to the values at `path`. */
function changeAt(
  json: JsonText.JsonText,
  path: readonly string[],
  change: (it: JsonText.JsonText) => JsonText.JsonText,
): JsonText.JsonText {
  const [step, ...rest] = path
  if (step === undefined) return change(json)
  if (step === '[]' && json.kind === 'array')
    return { kind: 'array', elements: json.elements.map((it) => changeAt(it, rest, change)) }
  if (step === '[]' || json.kind !== 'object') return json
  const isMeant = ({ name }: JsonText.Member) => step === '*' || name === JSON.stringify(step)
  const members = json.members.map((it) =>
    isMeant(it) ? { ...it, value: changeAt(it.value, rest, change) } : it,
  )
  return { kind: 'object', members }
}

/** Splits a path into steps, such as the four steps of `a.b[].c`. */
export function steps(path: string): string[] {
  return path.split('.').flatMap((part) => {
    const [name = '', ...brackets] = part.split('[]')
    return [...(name === '' ? [] : [name]), ...brackets.map(() => '[]')]
  })
}

/** Returns whether a mask applies to an exchange. */
export function isFor({ method, port, when }: Mask, exchange: Exchange): boolean {
  const isOfNode = port === undefined || port === exchange.port
  return method === exchange.method && isOfNode && (when === undefined || when(exchange))
}

/**
 * Applies masks to a body in order. A mask for members inside a list must precede the mask for the order of
 * the list.
 */
export function apply(json: JsonText.JsonText, masks: readonly Mask[], facts: Facts): JsonText.JsonText {
  return masks.reduce(
    (all, mask) => changeAt(all, steps(mask.path), (it) => masked(it, mask, facts) ?? it),
    json,
  )
}
