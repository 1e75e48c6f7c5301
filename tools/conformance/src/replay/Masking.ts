import { NodeId } from '@firn/codec'
import type { Exchange } from './Exchange.ts'
import * as JsonText from './JsonText.ts'

/** What a masked member still has to be, on both sides: what varies is its value, not its form. */
export type Form = keyof typeof LITERALS | keyof typeof LISTS | 'utxoID' | 'shape' | 'part'

/** A member that varies: which it is, of which calls, what remains to be checked of it, and why it varies. */
export interface Mask {
  /** The method; a `*` at the end stands for any rest, so `health.*`. HTTP method and path where a body names none. */
  readonly method: string
  /** From the top of the body: `result.peers[].ip`, where `[]` is every element and `*` every member. */
  readonly path: string
  readonly form: Form
  /** Of the form `part`: the members that are left out. */
  readonly without?: readonly string[]
  readonly when?: keyof typeof CONDITIONS
  /** Only of the node with this port. */
  readonly port?: number
  readonly reason: string
}

/** What is known of the recorded network beside the exchange itself. */
export interface Facts {
  /** The block that made a UTXO, as a text that is equal for UTXOs of one block; undefined for no UTXO of the network. */
  readonly madeBy: (txID: string, outputIndex: number) => string | undefined
  /** The same by the UTXO's id. */
  readonly madeByID: (utxoID: string) => string | undefined
  /** True for every UTXO, as hex with or without checksum, that stands in a recorded answer. */
  readonly isRecorded: (utxo: string) => boolean
  /** True for the NodeIDs that recorded answers name as validators. */
  readonly isValidator: (nodeID: string) => boolean
}

type Elements = readonly JsonText.JsonText[]
type ListForm = (elements: Elements, facts: Facts) => Elements | undefined

/** Single values, by how they are written. */
const LITERALS = {
  time: /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[-+]\d\d:\d\d)"$/,
  /** Four decimals in a text. */
  fraction: /^"\d+\.\d{4}"$/,
  /** A decimal number in a text. */
  digits: /^"\d+"$/,
  number: /^\d+(\.\d+)?(e-?\d+)?$/,
  flag: /^(true|false)$/,
  duration: /^"(0s|[\d.hmsµn]+)"$/,
  address: /^"[\d.:[\]a-f]+:\d+"$/,
  text: /^"/,
} as const

const LISTS = {
  /** Elements in any order. */
  set: (elements) => sorted(elements, () => ''),
  /** NodeIDs of validators, ascending by their bytes, drawn at random. */
  sample: (elements, { isValidator }) => {
    const nodeIDs = elements.map((it) => textOf(it) ?? '')
    if (!nodeIDs.every(isValidator)) return undefined
    const isSorted = nodeIDs.every((it, index) => isInOrder(nodeIDs[index - 1], it))
    return isSorted ? elements.map(() => literal('"<NodeID>"')) : undefined
  },
  /** UTXOs, or references to some, in any order among those that one block made. */
  utxos: (elements, { madeBy }) => grouped(elements, madeBy),
  /** A part of the UTXOs that one block made: each must be a recorded one, the blocks and their order as recorded. */
  utxosOfPage: (elements, facts) => {
    const isKnown = elements.every((it) => facts.isRecorded(textOf(it) ?? ''))
    const isOnce = new Set(elements.map(JsonText.format)).size === elements.length
    if (!isKnown || !isOnce) return undefined
    return elements.map((it) => literal(`"<UTXO of ${blockOf(it, facts.madeBy)}>"`))
  },
} as const satisfies Readonly<Record<string, ListForm>>

const CONDITIONS = {
  'no nodeIDs are given': ({ argument }: Exchange) => nodeIDsIn(argument) === 0,
  'all are asked for': ({ argument }: Exchange) => !isOfPage(argument),
  'a page is asked for': ({ argument }: Exchange) => isOfPage(argument),
} as const

function nodeIDsIn(argument: JsonText.JsonText | undefined): number {
  const list = JsonText.member(argument, 'nodeIDs')
  return list?.kind === 'array' ? list.elements.length : 0
}

/** A limit or a start may cut the UTXOs that one block made. */
function isOfPage(argument: JsonText.JsonText | undefined): boolean {
  return ['limit', 'startIndex'].some((name) => JsonText.member(argument, name) !== undefined)
}

function literal(text: string): JsonText.JsonText {
  return { kind: 'literal', text }
}

function textOf(json: JsonText.JsonText | undefined): string | undefined {
  return json?.kind === 'literal' && json.text.startsWith('"') ? (JSON.parse(json.text) as string) : undefined
}

function isInOrder(before: string | undefined, after: string): boolean {
  return before === undefined || Buffer.compare(NodeId.parse(before), NodeId.parse(after)) <= 0
}

function sorted(elements: Elements, key: (element: JsonText.JsonText) => string): Elements {
  const keyed = elements.map((element) => ({ element, key: `${key(element)}${JsonText.format(element)}` }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ element }) => element)
}

/** The block that made a UTXO, written as bytes (version, txID, output index…) or as a reference to it. */
function blockOf(element: JsonText.JsonText, madeBy: Facts['madeBy']): string | undefined {
  const bytes = textOf(element)
  if (bytes !== undefined) {
    return madeBy(bytes.slice(6, 70), Number.parseInt(bytes.slice(70, 78), 16))
  }
  const txID = textOf(JsonText.member(element, 'txID'))
  const index = JsonText.member(element, 'outputIndex')
  return txID === undefined || index === undefined ? undefined : madeBy(txID, Number(JsonText.format(index)))
}

/** Runs of elements that one block made, each in an order of its own. */
function grouped(elements: Elements, madeBy: Facts['madeBy']): Elements | undefined {
  const runs: { block: string; elements: JsonText.JsonText[] }[] = []
  for (const element of elements) {
    const block = blockOf(element, madeBy)
    if (block === undefined) return undefined
    const last = runs.at(-1)
    if (last?.block === block) last.elements.push(element)
    else runs.push({ block, elements: [element] })
  }
  return runs.flatMap((run) => sorted(run.elements, () => ''))
}

/** Names and order of members stay, and the kinds of values. */
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

function masked(json: JsonText.JsonText, mask: Mask, facts: Facts): JsonText.JsonText | undefined {
  const { form, without = [] } = mask
  if (form === 'part') return partOf(json, without)
  if (form === 'shape') return shapeOf(json)
  if (form === 'utxoID') {
    const block = facts.madeByID(textOf(json) ?? '')
    return block === undefined ? undefined : literal(`"<UTXO of ${block}>"`)
  }
  if (Object.hasOwn(LISTS, form)) {
    if (json.kind !== 'array') return undefined
    const elements = (LISTS[form as keyof typeof LISTS] as ListForm)(json.elements, facts)
    return elements && { kind: 'array', elements }
  }
  const isOfForm = json.kind === 'literal' && LITERALS[form as keyof typeof LITERALS].test(json.text)
  return isOfForm ? literal(`"<${form}>"`) : undefined
}

/** `json` with what stands at `path` put through `change`; what `change` refuses stays. */
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

/** The steps of a path: `a.b[].c` has four. */
export function steps(path: string): string[] {
  return path.split('.').flatMap((part) => {
    const [name = '', ...brackets] = part.split('[]')
    return [...(name === '' ? [] : [name]), ...brackets.map(() => '[]')]
  })
}

/** True when a mask is of this exchange's method and its condition holds. */
export function isFor(mask: Mask, exchange: Exchange): boolean {
  const { method, port } = mask
  if (port !== undefined && port !== exchange.port) return false
  const isMethod = method.endsWith('*')
    ? exchange.method.startsWith(method.slice(0, -1))
    : exchange.method === method
  return isMethod && (mask.when === undefined || CONDITIONS[mask.when](exchange))
}

/** A body with masks put on, in their order: those of members inside a list before that of its order. */
export function apply(json: JsonText.JsonText, masks: readonly Mask[], facts: Facts): JsonText.JsonText {
  return masks.reduce(
    (all, mask) => changeAt(all, steps(mask.path), (it) => masked(it, mask, facts) ?? it),
    json,
  )
}
