import { allowancesOf, type Caller } from '../endpoint/Caller.ts'
import { DataApiError } from '../endpoint/DataApiError.ts'

/** The open streams of a server, and the places for them. */
export interface OpenStreams {
  readonly isClosed: boolean
  /**
   * Takes a place of a kind for a caller, until the returned function is called. If all places of the kind are taken, the
   * caller with the most of them loses one to a caller with fewer.
   * @param places number of places of the kind; by default as many as for all kinds
   * @param listener is aborted with the reason when the stream loses its place
   * @throws DataApiError `DATA_RATE_LIMIT` if the caller has too many open streams, `DATA_UNAVAILABLE` if there is no place
   */
  open(kind: string, caller: Caller | undefined, listener: AbortController, places?: number): () => void
  /** Ends all streams, because the service is shutting down. */
  close(): void
}

/** Maximum number of open streams of a kind. Each of them keeps a connection open. */
export const MOST_STREAMS = 1_000

interface Open {
  readonly kind: string
  /** Names of the caller, the narrowest first. */
  readonly names: readonly string[]
  readonly listener: AbortController
}

/** Creates places for streams. `most` is the number of places of each kind. */
export function createOpenStreams(most = MOST_STREAMS): OpenStreams {
  const byKind = new Map<string, Set<Open>>()
  const byName = new Map<string, Set<Open>>()
  let isClosed = false
  const enter = (one: Open) => {
    add(byKind, one.kind, one)
    for (const name of one.names) add(byName, name, one)
  }
  const leave = (one: Open) => {
    remove(byKind, one.kind, one)
    for (const name of one.names) remove(byName, name, one)
  }
  return {
    get isClosed() {
      return isClosed
    },
    open(kind, caller, listener, places = most) {
      const allowances = caller === undefined ? [] : allowancesOf(caller)
      for (const [name, { streams = Number.POSITIVE_INFINITY }] of allowances) {
        const { size } = byName.get(name) ?? { size: 0 }
        if (size >= streams) throw tooMany(size, streams, caller?.advice)
      }
      const one = { kind, names: allowances.map(([name]) => name), listener }
      const others = byKind.get(kind)
      if (others !== undefined && others.size >= places) {
        const loser = findLoser(others, one)
        if (loser === undefined)
          throw unavailable(`too many event listeners (${others.size}); try again later`)
        leave(loser)
        loser.listener.abort(unavailable('all places are taken, and you have the most; connect again later'))
      }
      enter(one)
      if (isClosed) listener.abort(shuttingDown())
      return () => leave(one)
    },
    close() {
      isClosed = true
      for (const streams of byKind.values())
        for (const { listener } of streams) listener.abort(shuttingDown())
    },
  }
}

/**
 * Returns the newest stream of the caller with the most; undefined if the newcomer would have as many. Networks are compared
 * first, and callers within them second.
 */
function findLoser(others: ReadonlySet<Open>, newcomer: Open): Open | undefined {
  const network = group(others, ({ names }) => names.at(-1), newcomer)
  const isOwn = network.most.length === network.own
  if (!isOwn && network.most.length <= network.own + 1) return undefined
  const caller = group(network.most, ({ names }) => names[0], newcomer)
  if (isOwn && caller.most.length <= caller.own + 1) return undefined
  return caller.most.at(-1)
}

/** Returns the largest group of streams, and the number of those in the group of the newcomer. */
function group(streams: Iterable<Open>, nameOf: (one: Open) => string | undefined, newcomer: Open) {
  const groups = Map.groupBy(streams, nameOf)
  const own = groups.get(nameOf(newcomer))?.length ?? 0
  const most = [...groups.values()].reduce((one, other) => (other.length > one.length ? other : one), [])
  return { most, own }
}

function add(map: Map<string, Set<Open>>, name: string, one: Open): void {
  const all = map.get(name) ?? new Set()
  map.set(name, all.add(one))
}

function remove(map: Map<string, Set<Open>>, name: string, one: Open): void {
  const all = map.get(name)
  all?.delete(one)
  if (all?.size === 0) map.delete(name)
}

function tooMany(size: number, most: number, advice = 'close one first'): DataApiError {
  const message = `you have ${size} open streams at this process, and may have ${most}; close one first, or ${advice}`
  return new DataApiError('DATA_RATE_LIMIT', message, { details: { headers: { 'retry-after': '10' } } })
}

const unavailable = (message: string) => new DataApiError('DATA_UNAVAILABLE', message)
const shuttingDown = () => unavailable('the service is shutting down; connect again')
