import { Hex } from '@firn/codec'
import type { Database, Limits } from './Database.ts'
import type { Row } from './Server.ts'

/** A stored signature. */
export interface StoredSignature {
  readonly publicKey: Uint8Array
  readonly signature: Uint8Array
}

/** A stored message. `storedAt` is in ISO 8601. */
export interface StoredMessage {
  readonly messageId: Uint8Array
  readonly sourceChain: Uint8Array
  readonly unsignedMessage: Uint8Array
  readonly storedAt: string
  readonly signatures: number
  readonly signedMessages: readonly StoredSignedMessage[]
}

/** A stored signed message. Weights and heights are decimal strings. */
export interface StoredSignedMessage {
  readonly subnetId: Uint8Array
  readonly height: string
  readonly quorumPercentage: number
  readonly signedMessage: Uint8Array
  readonly signedWeight: string
  readonly neededWeight: string
  readonly totalWeight: string
  readonly storedAt: string
  /** The report as JSON; absent if it was not requested, null for a signed message that was handed in. */
  readonly report?: unknown
}

/** The place of a message in the listing: microseconds since 1970 as a decimal string, and the message id. */
export interface Place {
  readonly time: string
  readonly messageId: Uint8Array
}

/** Which messages to list; absent bounds are open. Times are in milliseconds since 1970, and all bounds are inclusive. */
export interface Filter {
  readonly sourceChain?: Uint8Array | undefined
  readonly fromHeight?: bigint | undefined
  readonly toHeight?: bigint | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Only messages after this place, which are older. */
  readonly after?: Place | undefined
}

/** Reads the message log. All functions throw AggregatorError `AGGREGATOR_DATABASE`. */
export interface LogReader {
  /** Returns the signatures of a message that are stored. */
  signatures(messageId: Uint8Array, limit?: keyof Limits): Promise<readonly StoredSignature[]>
  /** Returns a message, or undefined if it is not stored. */
  find(messageId: Uint8Array, withReports: boolean): Promise<StoredMessage | undefined>
  /** Returns at most `limit` messages, newest first, and fewer if they are large. */
  list(filter: Filter, limit: number): Promise<Page>
}

/** Messages in the order of the listing. `next` is the place after which the next page starts; absent on the last page. */
export interface Page {
  readonly messages: readonly StoredMessage[]
  readonly next?: Place
}

/**
 * Maximum bytes of the messages of a page, and of the signed messages that are returned for one message. The first
 * one is always returned.
 */
const MAX_PAGE_BYTES = 16 * 1_048_576
const MAX_SIGNED_BYTES = 8 * 1_048_576

/** Maximum number of signatures that are read for one message. */
const MAX_SIGNATURES = 8_192

const time = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const SIGNATURES = `select public_key, signature from firn_aggregator.signature
  where message_id = $1 order by public_key limit ${MAX_SIGNATURES}`

const COLUMNS = `m.message_id, m.source_chain, m.unsigned_message, ${time('m.stored_at')} as stored_at,
  (extract(epoch from m.stored_at) * 1000000)::bigint::text as place,
  (select count(*)::integer from firn_aggregator.signature s where s.message_id = m.message_id) as signatures`

/** Numbers are read as text, so that all drivers return them alike. */
const signedMessages = (
  withReports: boolean,
) => `select message_id, subnet_id, p_chain_height::text as height, quorum_percentage, signed_message,
    signed_weight::text, needed_weight::text, total_weight::text, ${time('stored_at')} as stored_at${withReports ? ', report' : ''}
  from (select *, sum(octet_length(signed_message)) over newest as bytes, row_number() over newest as number
    from firn_aggregator.signed_message
    where message_id in (select decode(id, 'hex') from jsonb_array_elements_text($1::jsonb) as ids(id))
    window newest as (partition by message_id order by p_chain_height desc, subnet_id)) as signed
  where number = 1 or bytes <= ${MAX_SIGNED_BYTES}
  order by message_id, p_chain_height desc, subnet_id`

const instant = (parameter: string) => `timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond'`

/** The bytes that a message adds to a page. */
const BYTES = `octet_length(m.unsigned_message) + least(${MAX_SIGNED_BYTES}, coalesce(
  (select sum(octet_length(s.signed_message)) from firn_aggregator.signed_message s where s.message_id = m.message_id),
  0))`

/** Reads one message more than the limit, because its presence tells whether there is a next page. */
const LIST = `select * from (select *, sum(bytes) over (order by number) as sum, count(*) over () as found from (
  select ${COLUMNS}, ${BYTES} as bytes,
    row_number() over (order by m.stored_at desc, m.message_id desc) as number
  from firn_aggregator.message m
  where ($1::text is null or m.source_chain = decode($1, 'hex'))
    and ($2::bigint is null or m.stored_at >= ${instant('$2')})
    and ($3::bigint is null or m.stored_at < ${instant('$3')})
    and ($4::bigint is null or (m.stored_at, m.message_id) < (${instant('$4')}, decode($5, 'hex')))
    and (($6::bigint is null and $7::bigint is null) or exists (select from firn_aggregator.signed_message s
      where s.message_id = m.message_id and ($6::bigint is null or s.p_chain_height >= $6)
        and ($7::bigint is null or s.p_chain_height <= $7)))
  order by m.stored_at desc, m.message_id desc limit $8::integer + 1) as matching) as summed
  where number = 1 or (number <= $8::integer and sum <= ${MAX_PAGE_BYTES})
  order by number`

/** Creates the queries of the message log. */
export function createLogReader(database: Database): LogReader {
  const withSigned = async (rows: readonly Row[], withReports: boolean) => {
    const ids = JSON.stringify(rows.map((row) => hex(row['message_id'])))
    const signed = rows.length === 0 ? [] : await database.run(signedMessages(withReports), [ids])
    return rows.map((row) => toMessage(row, signed))
  }
  return {
    signatures: async (messageId, limit) => {
      const rows = await database.run(SIGNATURES, [messageId], limit)
      return rows.map((row) => ({ publicKey: bytes(row['public_key']), signature: bytes(row['signature']) }))
    },
    find: async (messageId, withReports) => {
      const rows = await database.run(
        `select ${COLUMNS} from firn_aggregator.message m where message_id = $1`,
        [messageId],
      )
      return (await withSigned(rows, withReports))[0]
    },
    list: async ({ sourceChain, from, to, after, fromHeight, toHeight }, limit) => {
      const rows = await database.run(LIST, [
        sourceChain === undefined ? null : hex(sourceChain),
        from === undefined ? null : String(from * 1_000),
        // The bound is a millisecond, which includes all of its microseconds.
        to === undefined ? null : String((to + 1) * 1_000),
        after?.time ?? null,
        after === undefined ? null : hex(after.messageId),
        fromHeight?.toString() ?? null,
        toHeight?.toString() ?? null,
        limit,
      ])
      const messages = await withSigned(rows, false)
      const last = rows.at(-1)
      if (last === undefined || Number(last['found']) === rows.length) return { messages }
      return { messages, next: { time: String(last['place']), messageId: bytes(last['message_id']) } }
    },
  }
}

function toMessage(row: Row, signed: readonly Row[]): StoredMessage {
  const id = hex(row['message_id'])
  return {
    messageId: bytes(row['message_id']),
    sourceChain: bytes(row['source_chain']),
    unsignedMessage: bytes(row['unsigned_message']),
    storedAt: String(row['stored_at']),
    signatures: Number(row['signatures']),
    signedMessages: signed.filter((one) => hex(one['message_id']) === id).map(toSigned),
  }
}

function toSigned(row: Row): StoredSignedMessage {
  return {
    subnetId: bytes(row['subnet_id']),
    height: String(row['height']),
    quorumPercentage: Number(row['quorum_percentage']),
    signedMessage: bytes(row['signed_message']),
    signedWeight: String(row['signed_weight']),
    neededWeight: String(row['needed_weight']),
    totalWeight: String(row['total_weight']),
    storedAt: String(row['stored_at']),
    ...(row['report'] === undefined ? {} : { report: row['report'] }),
  }
}

/** Both drivers return `bytea` as a Uint8Array, but one of them as a view of a shared buffer. */
function bytes(value: unknown): Uint8Array {
  return Uint8Array.from(value as Uint8Array)
}

function hex(value: unknown): string {
  return Hex.encodeBare(value as Uint8Array)
}
