import type { PublicKey } from '@firn/bls'
import { Bytes } from '@firn/codec'
import type { Proved } from './BatchCheck.ts'
import type { Outcome } from './Report.ts'
import type { Answer, ConnectionState } from './Transport.ts'

/** The reason why a node sent no valid signature. */
export interface Failure {
  readonly outcome: Extract<
    Outcome,
    'refused' | 'empty' | 'bad-signature' | 'timed-out' | 'not-sent' | 'disconnected' | 'not-connected'
  >
  readonly code?: number
  readonly text?: string
  /** As in {@link Answer}. */
  readonly reportedBy?: string | undefined
  /** Time of a refusal that is remembered from an earlier run. */
  readonly rememberedAt?: number
}

/** A signature that is not checked yet. */
export interface Candidate {
  readonly signature: Uint8Array
  /** As in {@link Answer}. */
  readonly reportedBy?: string | undefined
}

/** State of one node. Times are in milliseconds, as returned by the aggregator's `clock.now()`. */
export type NodeState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'unconnected'; readonly pending: boolean }
  /**
   * The request has been waiting in this side's queues since `at`. It is overdue if the node has too many other
   * requests in flight, so that the request may not be sent soon.
   */
  | { readonly kind: 'queued'; readonly at: number; readonly overdue: boolean }
  /** The request was sent at `at`. */
  | { readonly kind: 'asked'; readonly at: number; readonly overdue: boolean }
  /** The node sent these bytes, which are not checked yet. */
  | ({ readonly kind: 'candidate' } & Candidate)
  /** The node was silent or answered "not yet", and will be queried again. */
  | { readonly kind: 'silent' | 'not-yet' }
  | { readonly kind: 'failed' }

/** One of the nodes that share a validator's key. */
export interface Node {
  /** The node's id, 20 bytes. */
  readonly nodeId: Uint8Array
  readonly state: NodeState
  /** The latest failure, kept while the node is queried again. */
  readonly failure?: Failure
  /** Number of failures so far, which determines the delay of the next retry. */
  readonly failures: number
}

/** One validator of the canonical set and the state of its signature. All changes return a new entry. */
export interface Entry {
  readonly index: number
  readonly weight: bigint
  readonly publicKey: PublicKey.PublicKey
  readonly nodes: readonly Node[]
  readonly inactive: boolean
  readonly proved?: Proved
  readonly fromCache: boolean
  readonly requests: number
  readonly latencyMs?: number
}

/**
 * Progress toward a validator's signature, furthest first: verified; received but unverified; requested and on time;
 * requested and overdue (silent, or queued for a node that is); waiting for a retry after silence; waiting for a retry
 * after the answer "not yet"; not requested yet; connecting; lost (every node failed or is unreachable); inactive
 * (cannot sign).
 */
export type Phase =
  | 'signed'
  | 'candidate'
  | 'waiting'
  | 'overdue'
  | 'silent'
  | 'not-yet'
  | 'idle'
  | 'connecting'
  | 'lost'
  | 'inactive'

/**
 * Returns the phase of an entry: the best phase among the validator's nodes, because one node's signature is
 * enough.
 */
export function phaseOf(entry: Entry): Phase {
  if (entry.proved !== undefined) return 'signed'
  if (entry.inactive) return 'inactive'
  let best: NodePhase = 'lost'
  for (const node of entry.nodes) {
    const phase = phaseOfNode(node.state)
    if (BY_NEARNESS.indexOf(phase) < BY_NEARNESS.indexOf(best)) best = phase
  }
  return best
}

/** Returns the entry with a new state of one node and, if given, a further failure of the node. */
export function withNode(entry: Entry, place: number, state: NodeState, failure?: Failure): Entry {
  const nodes = entry.nodes.map((node, i) => {
    if (i !== place) return node
    if (failure === undefined) return { ...node, state }
    return { ...node, state, failure: moreTelling(node.failure, failure), failures: node.failures + 1 }
  })
  return { ...entry, nodes }
}

/**
 * Returns the failure to keep: an earlier refusal is more informative than a later time-out of the same node.
 */
function moreTelling(before: Failure | undefined, now: Failure): Failure {
  const isSilence =
    now.outcome === 'timed-out' || now.outcome === 'not-sent' || now.outcome === 'disconnected'
  return isSilence && isRefusal(before) ? before : now
}

/** Returns whether a node responded that it does not sign: with an error, or without a signature. */
export function isRefusal(failure: Failure | undefined): failure is Failure {
  return failure?.outcome === 'refused' || failure?.outcome === 'empty'
}

/** Returns the entry after a request to one node was queued at time `now`. */
export function queue(entry: Entry, place: number, now: number): Entry {
  return withNode(entry, place, { kind: 'queued', at: now, overdue: false })
}

/** Returns the entry after the queued request to one node was sent at time `now`. */
export function markSent(entry: Entry, place: number, now: number): Entry {
  const sent = { ...entry, requests: entry.requests + 1 }
  if (entry.nodes[place]?.state.kind !== 'queued') return sent
  return withNode(sent, place, { kind: 'asked', at: now, overdue: false })
}

/** Returns whether a request to any node of the validator was queued or sent. */
export function isAsked({ nodes, requests }: Entry): boolean {
  return requests > 0 || nodes.some(({ state }) => state.kind === 'queued')
}

/** Returns the entry updated with the transport's current connection state of one node. */
export function connection(entry: Entry, place: number, state: ConnectionState, mayWait: boolean): Entry {
  if (state.connected) return withNode(entry, place, { kind: 'idle' })
  const pending = mayWait && state.pending === true
  const node = entry.nodes[place]
  // A broken connection remains the reported reason, because “not connected” is only its consequence.
  if (node?.failure?.outcome === 'disconnected')
    return withNode(entry, place, { kind: 'unconnected', pending })
  const failure: Failure = { outcome: 'not-connected', text: state.reason }
  const nodes = entry.nodes.map((other, i) =>
    i === place ? { ...other, state: { kind: 'unconnected', pending } as const, failure } : other,
  )
  return { ...entry, nodes }
}

/** Returns the signature to verify next: the signature of the first node that has sent one, or undefined. */
export function candidateOf(entry: Entry): Candidate | undefined {
  for (const { state } of entry.nodes) if (state.kind === 'candidate') return state
  return undefined
}

/** Returns the entry with its verified signature. */
export function prove(entry: Entry, proved: Proved, fromCache = false): Entry {
  return { ...entry, proved, fromCache }
}

/** Returns the entry without its cached signature, which turned out to be invalid. */
export function disprove({ proved: _, ...entry }: Entry): Entry {
  return { ...entry, fromCache: false }
}

/**
 * Returns the entry without a signature that failed verification. Every node that sent the same bytes is
 * marked as failed.
 */
export function reject(entry: Entry, signature: Uint8Array, failure: Failure): Entry {
  return entry.nodes.reduce<Entry>((result, { state }, place) => {
    const same = state.kind === 'candidate' && Bytes.equals(state.signature, signature)
    return same ? withNode(result, place, { kind: 'failed' }, failure) : result
  }, entry)
}

/** Phases of a single node, in the order of {@link Phase}. */
const BY_NEARNESS = [
  'candidate',
  'waiting',
  'overdue',
  'silent',
  'not-yet',
  'idle',
  'connecting',
  'lost',
] as const
type NodePhase = (typeof BY_NEARNESS)[number]

function phaseOfNode(state: NodeState): NodePhase {
  switch (state.kind) {
    case 'queued':
    case 'asked':
      return state.overdue ? 'overdue' : 'waiting'
    case 'candidate':
    case 'silent':
    case 'not-yet':
    case 'idle':
      return state.kind
    case 'unconnected':
      return state.pending ? 'connecting' : 'lost'
    case 'failed':
      return 'lost'
  }
}
