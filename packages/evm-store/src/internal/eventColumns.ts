import { createHash } from 'node:crypto'
import { Hex } from '@firn/codec'
import { EventAbi, EventDecoder } from '@firn/evm'
import { bool, bytea, type CopyColumn, int4, int8, numeric, type Table, text } from '@firn/sql/table'

/** An event to decode: an event of an ABI, emitted by given contracts. */
export interface EventSource {
  /** Name of the ABI, such as the name of its file. It distinguishes events of different ABIs. */
  readonly abi: string
  readonly event: EventAbi.EventAbi
  /** Contracts whose events are decoded; empty for all contracts. */
  readonly addresses: readonly Uint8Array[]
}

/** Maximum length of a table's name in PostgreSQL. */
const LONGEST = 63
const DIGITS = 8

function tableName({ abi, event }: EventSource, suffix: string): string {
  const name = ['event', slug(abi), slug(event.name), ...(suffix === '' ? [] : [suffix])].join('_')
  if (name.length <= LONGEST) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, DIGITS)
  return `${name.slice(0, LONGEST - DIGITS - 1)}_${hash}`
}

/**
 * Returns the names of an event's table, the shortest one first. Events that share one use the next one: with the first
 * digits of the topic, because overloaded events share a name, and with a hash of all that distinguishes events, because
 * names of ABIs can differ in characters that names of tables lack.
 */
export function tableNames(source: EventSource): readonly string[] {
  const topic = Hex.encodeBare(EventAbi.topic(source.event)).slice(0, DIGITS)
  const hash = createHash('sha256').update(identityOf(source)).digest('hex').slice(0, DIGITS)
  return ['', topic, `${topic}_${hash}`].map((suffix) => tableName(source, suffix))
}

/** Returns a text that differs for events of different ABIs, signatures or indexed parameters. */
export function identityOf({ abi, event }: EventSource): string {
  return JSON.stringify([abi, EventAbi.signature(event), event.inputs.map(({ indexed }) => indexed)])
}

const FIXED = { height: int8, log_index: int8, transaction_index: int4, address: bytea }
/** Columns that PostgreSQL adds to each table. */
const SYSTEM = ['cmax', 'cmin', 'ctid', 'tableoid', 'xmax', 'xmin']

/** Returns the names of the columns of an event's parameters. */
export function columnNames({ inputs }: EventAbi.EventAbi): readonly string[] {
  const taken = new Set([...Object.keys(FIXED), ...SYSTEM])
  return inputs.map(({ name }, i) => {
    let column = slug(name).slice(0, LONGEST - DIGITS) || `arg_${i}`
    while (taken.has(column)) column += `_${i}`
    taken.add(column)
    return column
  })
}

/** Returns the table of an event: the position and the contract of each event, and a column for each parameter. */
export function tableOf(event: EventAbi.EventAbi): Table<Readonly<Record<string, CopyColumn>>> {
  const names = columnNames(event)
  const own = event.inputs.map((input, i) => [names[i], columnOf(input)])
  return {
    columns: { ...FIXED, ...Object.fromEntries(own) },
    primaryKey: ['height', 'log_index'],
    indexes: ['(address, height, log_index)'],
  }
}

/**
 * Returns the statements that create the indexes of an event's indexed parameters. Tables of earlier versions have no such
 * indexes.
 */
export function indexStatements(table: string, event: EventAbi.EventAbi): readonly string[] {
  return columnNames(event).flatMap((column, i) => {
    if (event.inputs[i]?.indexed !== true) return []
    const hash = createHash('sha256')
      .update(`${table} ${column}`)
      .digest('hex')
      .slice(0, 2 * DIGITS)
    return [
      `create index if not exists "event_index_${hash}" on "${table}" ("${column}", "height", "log_index")`,
    ]
  })
}

function columnOf(input: EventAbi.EventInput): CopyColumn {
  const { type } = input
  if (input.indexed && EventDecoder.isHashed(input)) return bytea
  if (type === 'string') return STRING
  if (type === 'tuple' || EventAbi.arrayOf(type) !== undefined) return JSON_TEXT
  if (type === 'bool') return bool
  return type.includes('int') ? numeric : bytea
}

/** PostgreSQL stores no U+0000. */
const STRING: CopyColumn = { ...text, copy: (rows, value: string) => rows.text(value.replaceAll('\0', '')) }
const JSON_TEXT: CopyColumn = {
  type: 'json',
  isNullable: false,
  copy: (rows, value: EventDecoder.Value) => rows.text(JSON.stringify(toJson(value))),
}

/** Returns a value as JSON: integers and bytes as text. */
function toJson(value: EventDecoder.Value): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return Hex.encode(value)
  if (typeof value === 'string') return value.replaceAll('\0', '')
  return Array.isArray(value) ? value.map(toJson) : value
}

/** Returns a name in lowercase, with underscores between its words. */
function slug(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/\W+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase()
}
