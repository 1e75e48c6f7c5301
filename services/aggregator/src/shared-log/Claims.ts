import { type Answer, Options } from '@firn/aggregation'
import { Hex, isFirnError } from '@firn/codec'
import type { Clock } from '@firn/runtime'
import { Acp118 } from '@firn/warp'
import { type Database, toJsonb } from './Database.ts'
import type { Row } from './Server.ts'

/** One request to one node, which at most one aggregator of the fleet sends at a time. Both parts are in hex. */
export interface Key {
  /** Hash of the request's body. */
  readonly request: string
  readonly node: string
}

/** An answer that aggregators share: the node's response or its error. */
export type SharedAnswer = Extract<Answer, { kind: 'response' | 'error' }>

/**
 * The result of a claim:
 * - `own`: this aggregator sends the request, and then reports its answer or releases the claim
 * - `held`: another aggregator, or another run of this one, has sent the request
 * - an answer that a node has given to another aggregator, as that aggregator reports it
 */
export type Claim = { readonly kind: 'own' } | { readonly kind: 'held' } | SharedAnswer

/**
 * The claims of all aggregators, in the database. A claim expires unless its holder renews it, so the requests of an
 * aggregator that ends are sent by another one. Without the database, every claim is granted.
 */
export interface Claims {
  /** Claims a request. Waits for the database for at most one prompt statement. */
  take(key: Key): Promise<Claim>
  /**
   * Waits for the answer to a request that another aggregator has claimed. Returns undefined when the claim has ended
   * without an answer, when the database is unavailable, or when the signal aborts.
   */
  wait(key: Key, signal: AbortSignal): Promise<SharedAnswer | undefined>
  /** Shares a node's answer. The answer may arrive after the claim has ended. */
  answer(key: Key, answer: SharedAnswer): void
  /** Ends a claim without an answer, so that the request can be sent again. */
  release(key: Key): void
  /** Stops renewing a claim whose answer may still arrive. It expires soon. */
  leave(key: Key): void
  /** Looks for answers and ended claims now. It is called for every notification. */
  look(): void
  close(): void
}

/** Options of {@link createClaims}. */
export interface ClaimsDependencies {
  readonly database: Database
  readonly clock: Clock
  /** Name of this process in the database; every process needs another one. */
  readonly holder: string
}

/** The channel on which aggregators announce answers and ended claims. */
export const CHANNEL = 'firn_aggregator'

/** Time after which a claim expires unless it is renewed, and the time between renewals, in milliseconds. */
const LEASE_MS = 2_000
const RENEW_MS = 600
/** Time between two looks for answers, in milliseconds. Notifications are faster, but may be lost. */
const POLL_MS = 150
/**
 * Milliseconds for which an answer replaces a request: with a signature, until the signature is verified and in the
 * message log; without, less than the delay of a retry, because the node may sign later.
 */
const REPLAY_SIGNATURE_MS = 30_000
const REPLAY_OTHER_MS = 0.8 * Options.defaults.minRetryDelayMs
/** Milliseconds after which an ended claim is deleted, and maximum number of claims deleted at once. */
const KEEP_MS = 60_000
const CLEAN_BATCH = 5_000

/** Maximum length of a process's name that is shown. */
const MAX_NAME = 64
/** Maximum length of a node's error text that is shared. Reports contain less. */
const MAX_TEXT = 1_000

const KEYS = `select decode(request, 'hex') as request, decode(node, 'hex') as node_id
  from jsonb_to_recordset($1::jsonb) as k(request text, node text)`

/** SQL condition: a request may be sent again. */
const isFree = (claim: string) => `case when ${claim}.answered_at is null
  then ${claim}.expires_at <= clock_timestamp()
  else ${claim}.answered_at < clock_timestamp() - case when (${claim}.answer->>'isSigned')::boolean
    then interval '${REPLAY_SIGNATURE_MS} ms' else interval '${REPLAY_OTHER_MS} ms' end end`

/**
 * Rows are locked in the order of their keys, so that two aggregators cannot block each other. A row that another
 * transaction is inserting is missing in the result; it counts as held.
 */
const TAKE = `with key as (${KEYS}), own as (
    insert into firn_aggregator.claim as c (request, node_id, holder, expires_at)
    select request, node_id, $2::text, clock_timestamp() + interval '${LEASE_MS} ms' from key order by 1, 2
    on conflict (request, node_id) do update
      set holder = excluded.holder, expires_at = excluded.expires_at, answered_at = null, answer = null
      where ${isFree('c')}
    returning request, node_id
  )
  select encode(request, 'hex') as request, encode(node_id, 'hex') as node, null::jsonb as answer, null as holder from own
  union all
  select encode(request, 'hex'), encode(node_id, 'hex'), answer, holder
  from firn_aggregator.claim join key using (request, node_id)
  where answered_at is not null and not ${isFree('claim')}
    and (request, node_id) not in (select request, node_id from own)`

/** The condition on `$2` never holds; it gives the statement the same parameters as the others. */
const LOOK = `select encode(key.request, 'hex') as request, encode(key.node_id, 'hex') as node, c.answer, c.holder
  from (${KEYS}) key left join firn_aggregator.claim c on c.request = key.request and c.node_id = key.node_id
  where c.request is null or c.answered_at is not null or ${isFree('c')} or $2::text is null`

/** A late error of a former holder says nothing about the request of the present one. */
const ANSWER = `with answer as (
    insert into firn_aggregator.claim as c (request, node_id, holder, expires_at, answered_at, answer)
    select decode(request, 'hex'), decode(node, 'hex'), $2::text, clock_timestamp(), clock_timestamp(), answer
    from jsonb_to_recordset($1::jsonb) as k(request text, node text, answer jsonb) order by 1, 2
    on conflict (request, node_id) do update
      set holder = excluded.holder, answered_at = excluded.answered_at, answer = excluded.answer
      where excluded.answer->>'kind' = 'response' or c.holder = excluded.holder
  ) select pg_notify('${CHANNEL}', '')`

const OPEN = `select c.request, c.node_id from firn_aggregator.claim c join (${KEYS}) key using (request, node_id)
  where c.holder = $2::text and c.answered_at is null order by 1, 2 for update of c`

const RENEW = `update firn_aggregator.claim c set expires_at = clock_timestamp() + interval '${LEASE_MS} ms'
  from (${OPEN}) open where c.request = open.request and c.node_id = open.node_id`

const RELEASE = `with released as (
    delete from firn_aggregator.claim c using (${OPEN}) open
    where c.request = open.request and c.node_id = open.node_id
  ) select pg_notify('${CHANNEL}', '')`

/** Deletes old claims. Claims that another aggregator is using or deleting are skipped. */
export const CLEAN = `delete from firn_aggregator.claim c using (
    select request, node_id from firn_aggregator.claim
    where expires_at < clock_timestamp() - interval '${KEEP_MS} ms'
    order by expires_at limit ${CLEAN_BATCH} for update skip locked
  ) old where c.request = old.request and c.node_id = old.node_id`

const nameOf = ({ request, node }: Key) => `${request} ${node}`

/** Creates the claims of one process. */
export function createClaims({ database, clock, holder }: ClaimsDependencies): Claims {
  /** Requests of this process that are not answered yet. */
  const owned = new Map<string, Key>()
  const waiters = new Map<
    string,
    { readonly key: Key; readonly tell: Set<(answer?: SharedAnswer) => void> }
  >()
  const stop = new AbortController()

  const tell = (name: string, answer?: SharedAnswer) => {
    const waiter = waiters.get(name)
    waiters.delete(name)
    for (const resolve of waiter?.tell ?? []) resolve(answer)
  }
  const rowsOf = async (statement: string, keys: readonly object[]) =>
    keys.length === 0 ? [] : database.run(statement, [toJsonb(keys), holder], 'promptMs')
  const quietly = (work: Promise<unknown>) => void work.catch(() => undefined)

  const takeAll = createBatch<{ key: Key; resolve: (claim: Claim) => void }>((batch) => {
    const grant = ({ key, resolve }: (typeof batch)[number]) => {
      const name = nameOf(key)
      // Two runs of this aggregator may claim the same request at the same time.
      if (owned.has(name)) return resolve({ kind: 'held' })
      owned.set(name, key)
      renewer.start()
      resolve({ kind: 'own' })
    }
    // A statement cannot insert a row twice.
    const keys = new Map(batch.map(({ key }) => [nameOf(key), key]))
    rowsOf(TAKE, [...keys.values()]).then(
      (rows) => {
        const found = new Map(rows.map((row) => [nameOf(toKey(row)), toAnswer(row, holder)]))
        for (const one of batch) {
          const name = nameOf(one.key)
          const answer = found.get(name)
          if (answer !== undefined) one.resolve(answer)
          else if (found.has(name)) grant(one)
          else one.resolve({ kind: 'held' })
        }
      },
      () => batch.forEach(grant),
    )
  })
  const answerAll = createBatch<Key & { readonly answer: unknown }>((batch) => {
    const rows = new Map(batch.map((row) => [nameOf(row), row]))
    quietly(rowsOf(ANSWER, [...rows.values()]))
  })
  const releaseAll = createBatch<Key>((batch) => quietly(rowsOf(RELEASE, batch)))

  const look = async () => {
    const keys = [...waiters.values()].map(({ key }) => key)
    const rows = await rowsOf(LOOK, keys).catch(() => undefined)
    // Without the database, this aggregator must send the requests itself.
    if (rows === undefined) for (const key of keys) tell(nameOf(key))
    else
      for (const row of rows)
        if (!owned.has(nameOf(toKey(row)))) tell(nameOf(toKey(row)), toAnswer(row, holder))
  }
  const poller = createLoop(clock, stop.signal, POLL_MS, () => waiters.size > 0, look)
  const renewer = createLoop(
    clock,
    stop.signal,
    RENEW_MS,
    () => owned.size > 0,
    async () => {
      await rowsOf(RENEW, [...owned.values()]).catch(() => undefined)
    },
  )
  const end = (key: Key) => owned.delete(nameOf(key))
  return {
    take: (key) => {
      if (owned.has(nameOf(key))) return Promise.resolve({ kind: 'held' })
      if (!database.isUp) return Promise.resolve({ kind: 'own' })
      return new Promise((resolve) => takeAll({ key, resolve }))
    },
    wait: (key, signal) =>
      new Promise((resolve) => {
        const name = nameOf(key)
        const waiter = waiters.get(name) ?? { key, tell: new Set() }
        const settle = (answer?: SharedAnswer) => {
          signal.removeEventListener('abort', onAbort)
          resolve(answer)
        }
        const onAbort = () => {
          waiter.tell.delete(settle)
          if (waiter.tell.size === 0 && waiters.get(name) === waiter) waiters.delete(name)
          settle()
        }
        if (signal.aborted) return resolve(undefined)
        signal.addEventListener('abort', onAbort, { once: true })
        waiters.set(name, waiter)
        waiter.tell.add(settle)
        poller.start()
      }),
    answer: (key, answer) => {
      end(key)
      tell(nameOf(key), answer)
      if (database.isUp) answerAll({ ...key, answer: toJson(answer) })
    },
    release: (key) => {
      if (!end(key)) return
      tell(nameOf(key))
      if (database.isUp) releaseAll(key)
    },
    leave: end,
    look: () => poller.hurry(),
    close: () => {
      stop.abort()
      poller.hurry()
      renewer.hurry()
      for (const name of [...waiters.keys()]) tell(name)
    },
  }
}

/** Returns a function that collects items and passes them on together in the next turn of the event loop. */
function createBatch<T>(run: (batch: readonly T[]) => void): (item: T) => void {
  let batch: T[] = []
  return (item) => {
    if (batch.push(item) > 1) return
    setImmediate(() => {
      const items = batch
      batch = []
      run(items)
    })
  }
}

/** A loop that runs only while there is work. */
interface Loop {
  start(): void
  /** Runs the work now, or again as soon as it ends. */
  hurry(): void
}

function createLoop(
  clock: Clock,
  signal: AbortSignal,
  ms: number,
  isNeeded: () => boolean,
  work: () => Promise<void>,
): Loop {
  let running = false
  let hasNews = false
  let wake = new AbortController()
  const run = async () => {
    while (isNeeded() && !signal.aborted) {
      if (!hasNews) await clock.sleep(ms, wake.signal).catch(() => undefined)
      hasNews = false
      wake = new AbortController()
      if (isNeeded() && !signal.aborted) await work()
    }
    running = false
  }
  return {
    start: () => {
      if (running) return
      running = true
      void run()
    },
    hurry: () => {
      hasNews = running
      wake.abort()
    },
  }
}

function toKey(row: Row): Key {
  return { request: String(row['request']), node: String(row['node']) }
}

function toJson(answer: SharedAnswer): unknown {
  if (answer.kind === 'error') return { ...answer, message: answer.message.slice(0, MAX_TEXT) }
  return { kind: 'response', bytes: Hex.encodeBare(answer.bytes), isSigned: isSigned(answer.bytes) }
}

/** Returns whether a response contains a signature. Nodes that have not accepted the message yet send an empty one. */
function isSigned(bytes: Uint8Array): boolean {
  try {
    return Acp118.decodeResponse(bytes).signature.length > 0
  } catch (error) {
    if (!isFirnError(error)) throw error
    return false
  }
}

/** Returns the answer in a row, and who reports it, unless it is the process named `self`. */
function toAnswer(row: Row, self: string): SharedAnswer | undefined {
  const holder = String(row['holder']).slice(0, MAX_NAME)
  const reported = holder === self ? {} : { reportedBy: holder }
  const answer = row['answer'] as { kind: string; bytes?: string; code?: number; message?: string } | null
  if (answer === null) return undefined
  if (answer.kind === 'response')
    return { kind: 'response', bytes: Hex.decodeBare(answer.bytes ?? ''), ...reported }
  return { kind: 'error', code: Number(answer.code), message: String(answer.message), ...reported }
}
