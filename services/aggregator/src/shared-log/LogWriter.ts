import type { Clock } from '@firn/runtime'
import { LRUCache } from 'lru-cache'
import { Counter, Gauge, type Registry } from 'prom-client'
import { type Database, isRejected, toJsonb } from './Database.ts'

/** A signed message as it is stored. Byte strings are in hex without 0x, numbers in decimal. */
export interface SignedRow {
  readonly message_id: string
  readonly subnet_id: string
  readonly p_chain_height: string
  readonly quorum_percentage: number
  readonly signed_message: string
  readonly signed_weight: string
  readonly needed_weight: string
  readonly total_weight: string
  /** The report as JSON; null for a signed message that was handed in. */
  readonly report: unknown
}

/** A verified signature of a message, in hex without 0x. */
export interface SignatureRow {
  readonly message_id: string
  readonly public_key: string
  readonly signature: string
}

/** An unsigned message, in hex without 0x. */
export interface MessageRow {
  readonly message_id: string
  readonly source_chain: string
  readonly unsigned_message: string
}

/**
 * Writes messages, verified signatures and signed messages to the database, in batches and in the background. While the
 * database is unavailable, it keeps a bounded number of them for later.
 */
export interface LogWriter {
  /** Makes a message known, so that its signatures can be stored. Nothing is written until one is added. */
  know(message: MessageRow): void
  addSignature(row: SignatureRow): void
  addSigned(row: SignedRow): void
  /** Resolves when everything that was added has been written, or has failed to be. */
  flush(): Promise<void>
}

/** Options of {@link createLogWriter}. */
export interface LogWriterDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly register: Registry
}

/** Delay in milliseconds for which signatures are collected before they are written together. */
const COLLECT_MS = 20
/** Maximum number of signatures, and of signed messages with their reports, in one statement. */
const BATCH = 2_000
const MAX_REPORTS = 16
/** Maximum number of signatures and signed messages that wait to be written. */
const MAX_WAITING = 20_000
/** Maximum number and bytes of messages that are known. */
const MAX_KNOWN = 8_192
const MAX_KNOWN_BYTES = 64 << 20
/**
 * Maximum number of signed messages that are stored for one message. Those that others hand in leave room for the
 * aggregators' own.
 */
const MAX_SIGNED = 256
const MAX_HANDED_IN = 64

/**
 * Stores a batch in one statement. Rows are inserted in order, so that two aggregators that store the same rows cannot
 * block each other. A key has only one signature of a message, so a different one in the table is wrong and is replaced.
 */
export const STORE = `with new_message as (
    insert into firn_aggregator.message (message_id, source_chain, unsigned_message)
    select decode(message_id, 'hex'), decode(source_chain, 'hex'), decode(unsigned_message, 'hex')
    from jsonb_to_recordset($1::jsonb) as r(message_id text, source_chain text, unsigned_message text)
    order by 1 on conflict do nothing
  ), new_signature as (
    insert into firn_aggregator.signature as old (message_id, public_key, signature)
    select decode(message_id, 'hex'), decode(public_key, 'hex'), decode(signature, 'hex')
    from jsonb_to_recordset($2::jsonb) as r(message_id text, public_key text, signature text)
    order by 1, 2 on conflict (message_id, public_key) do update set signature = excluded.signature
    where old.signature <> excluded.signature
  )
  insert into firn_aggregator.signed_message as old (message_id, subnet_id, p_chain_height, quorum_percentage,
    signed_message, signed_weight, needed_weight, total_weight, report)
  select decode(message_id, 'hex'), decode(subnet_id, 'hex'), p_chain_height, quorum_percentage,
    decode(signed_message, 'hex'), signed_weight, needed_weight, total_weight, report
  from jsonb_to_recordset($3::jsonb) as r(message_id text, subnet_id text, p_chain_height bigint,
    quorum_percentage smallint, signed_message text, signed_weight numeric, needed_weight numeric,
    total_weight numeric, report jsonb)
  where (select count(*) from firn_aggregator.signed_message s where s.message_id = decode(r.message_id, 'hex'))
    < case when report is null then ${MAX_HANDED_IN} else ${MAX_SIGNED} end
  order by 1, 2, 3
  on conflict (message_id, subnet_id, p_chain_height) do update set quorum_percentage = excluded.quorum_percentage,
    signed_message = excluded.signed_message, signed_weight = excluded.signed_weight,
    needed_weight = excluded.needed_weight, total_weight = excluded.total_weight, report = excluded.report
  where excluded.signed_weight > old.signed_weight or (old.report is null and excluded.report is not null)`

/** Creates a writer with nothing to write. */
export function createLogWriter(dependencies: LogWriterDependencies): LogWriter {
  const { database, clock } = dependencies
  const known = new LRUCache<string, MessageRow>({
    max: MAX_KNOWN,
    maxSize: MAX_KNOWN_BYTES,
    sizeCalculation: ({ unsigned_message: text }) => text.length + 256,
  })
  /** Rows by key, so that a statement contains no row twice. */
  const signatures = new Map<string, SignatureRow>()
  const signed = new Map<string, SignedRow>()
  const waiting = () => signatures.size + signed.size
  const dropped = createMetrics(dependencies.register, waiting)
  let flight: Promise<void> | undefined

  const writeBatch = async () => {
    const batch = [take(signatures, BATCH), take(signed, MAX_REPORTS)] as const
    const rows = batch.map((entries) =>
      entries.flatMap(([, row]) => (known.has(row.message_id) ? [row] : [])),
    )
    const ids = new Set(rows.flat().map(({ message_id: id }) => id))
    const messages = [...ids].flatMap((id) => known.get(id) ?? [])
    await database.run(STORE, [messages, ...rows].map(toJsonb)).catch((error: Error) => {
      // The same rows would be rejected again, and would keep all others from being written.
      if (!isRejected(error.cause)) throw error
      for (const _row of rows.flat()) dropped()
    })
    for (const [key, row] of batch[0]) if (signatures.get(key) === row) signatures.delete(key)
    for (const [key, row] of batch[1]) if (signed.get(key) === row) signed.delete(key)
  }
  const write = async () => {
    while (waiting() > 0 && database.isUp) await writeBatch()
  }
  const start = () => {
    flight ??= clock
      .sleep(COLLECT_MS)
      .then(write)
      // What was not written is written when the database is available again.
      .catch(() => undefined)
      .finally(() => {
        flight = undefined
        if (waiting() > 0 && database.isUp) void start()
      })
    return flight
  }
  const add = <T extends { readonly message_id: string }>(rows: Map<string, T>, key: string, row: T) => {
    if (!known.has(row.message_id) || waiting() >= MAX_WAITING) return dropped()
    rows.set(key, row)
    void start()
  }
  database.onChange(() => {
    if (database.isUp && waiting() > 0) void start()
  })
  return {
    know: (message) => void known.set(message.message_id, message),
    addSignature: (row) => add(signatures, `${row.message_id} ${row.public_key}`, row),
    addSigned: (row) => add(signed, `${row.message_id} ${row.subnet_id} ${row.p_chain_height}`, row),
    flush: async () => {
      while (waiting() > 0 && database.isUp) await start()
    },
  }
}

function take<T>(rows: ReadonlyMap<string, T>, count: number): [string, T][] {
  const taken: [string, T][] = []
  for (const entry of rows) if (taken.push(entry) >= count) break
  return taken
}

function createMetrics(register: Registry, waiting: () => number): () => void {
  const registers = [register]
  new Gauge({
    name: 'signature_aggregator_message_log_waiting',
    help: 'Number of signatures and signed messages that wait to be written to the message log',
    registers,
    collect() {
      this.set(waiting())
    },
  })
  const dropped = new Counter({
    name: 'signature_aggregator_message_log_dropped_total',
    help: 'Number of signatures and signed messages that were not written, because too many were waiting',
    registers,
  })
  return () => dropped.inc()
}
