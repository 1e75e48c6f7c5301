import type { LogSelection } from '@firn/evm-store'
import type { IndexerError } from '../../common/IndexerError.ts'
import { createTrust } from '../../common/Trust.ts'
import type { Abilities } from './abilities.ts'
import { assemble, type BlockRequest, type Outcome } from './assemble.ts'
import { assembleLogs } from './assembleLogs.ts'
import { createBatchSize } from './BatchSize.ts'
import { createIdentity, type IdentityOptions } from './Identity.ts'
import type { Answer, Call, JsonRpc } from './JsonRpc.ts'
import type { Wait } from './Patience.ts'
import type { RequestsOptions } from './Requests.ts'
import * as Requests from './Requests.ts'

export type { Abilities } from './abilities.ts'
export type { BlockRequest, Outcome } from './assemble.ts'

/** Options of {@link createEvmUpstream}. */
export interface EvmUpstreamOptions extends RequestsOptions, Omit<IdentityOptions, 'requests'> {}

/** The parts of blocks that are fetched. */
export interface Contents {
  /** Whether blocks are fetched with traces. */
  readonly withTraces: boolean
  /** How long to wait for the traces; by default `growing`. Requests with `longest` do not make other requests wait. */
  readonly wait?: Wait | undefined
  /** The logs to fetch instead of transactions, receipts and traces; undefined to fetch whole blocks. */
  readonly logs?:
    | {
        readonly selection: LogSelection
        /** Returns the height up to which blocks are final. */
        readonly lastFinal: () => bigint
      }
    | undefined
}

/**
 * Connection to one node of an EVM chain. It adapts the request rate to the node's capacity, and pauses after
 * failures.
 */
export interface EvmUpstream {
  readonly name: string
  /**
   * Returns the node's capabilities. They are detected on first use, and again when the node has recovered from
   * repeated failures.
   * @throws IndexerError `INDEXER_CHAIN`, `INDEXER_RESET`, `INDEXER_REORGANISATION`, or the errors of `ask`
   */
  abilities(signal: AbortSignal): Promise<Abilities>
  /** Requires a comparison of the node's chain with the stored one before the node's next use. */
  recheck(): void
  /**
   * Sends calls, in as many requests as the node's limits require. An answer may be the error of a single
   * call.
   * @throws IndexerError if a request fails
   */
  ask(calls: readonly Call[], signal: AbortSignal): Promise<readonly Answer[]>
  /**
   * Returns each requested block, or the reason why it is incomplete.
   * @throws IndexerError if a request fails
   */
  blocks(
    requests: readonly BlockRequest[],
    contents: Contents,
    signal: AbortSignal,
  ): Promise<readonly Outcome[]>
  readonly subscribe: JsonRpc['subscribe']
  /** Returns the current maximum number of calls per request. */
  batchCalls(): number
  /** Returns the number of consecutive failures. */
  failures(): number
  /** Returns the time until the next request is allowed, in milliseconds. */
  waitMs(): number
  /** Returns the node's current problem; undefined while the node works. */
  problem(): IndexerError | undefined
  /** Records that one of the node's answers was rejected. If it was wrong, the node is trusted less; see {@link isLie}. */
  refuse(error: { readonly code: string; readonly message: string }): void
  /** Returns whether the node has rarely returned wrong data; see `Trust`. */
  isTrusted(): boolean
  /** Returns why the node is used last; undefined if it is trusted. */
  warning(): string | undefined
  /** Records the height of the newest block that the node has reported. */
  report(height: bigint): void
  /** Returns the height of the newest block that the node has reported; undefined if it has reported none. */
  reported(): bigint | undefined
  close(): void
}

/** Maximum number of blocks whose logs are requested at once. */
const MAX_RANGE = 2_000

/** Creates a connection to a node. It sends no request until it is used. */
export function createEvmUpstream(options: EvmUpstreamOptions): EvmUpstream {
  const { rpc, clock, log } = options
  const { name } = rpc
  const range = createBatchSize(MAX_RANGE, MAX_RANGE)
  const requests = Requests.create(options)
  const identity = createIdentity({ ...options, requests })
  const { abilities } = identity
  const trust = createTrust(name, clock.now)
  let newest: bigint | undefined
  return {
    name,
    abilities,
    recheck: identity.recheck,
    ask: (calls, signal) => Requests.ask(requests, calls, signal),
    async blocks(blocks, { withTraces, wait, logs }, signal) {
      const found = await abilities(signal)
      const ask = (calls: readonly Call[]) =>
        Requests.ask(requests, calls, signal, logs === undefined ? wait : undefined)
      if (logs === undefined) return assemble(ask, blocks, { abilities: found, withTraces, name })
      const needs = { selection: logs.selection, lastFinal: logs.lastFinal(), range, name }
      return assembleLogs(ask, blocks, needs)
    },
    subscribe: rpc.subscribe,
    batchCalls: () => requests.size.current(),
    failures: requests.turns.failures,
    waitMs: requests.turns.waitMs,
    problem: () => identity.problem() ?? requests.problem,
    refuse(error) {
      Requests.note(requests, error)
      if (!isLie(error)) return
      const facts = { ...requests.labels, code: error.code }
      log.warn(facts, `a node returned wrong or incomplete data: ${error.message}`)
      trust.lied(error.message)
    },
    report(height) {
      newest = height
    },
    reported: () => newest,
    isTrusted: trust.isTrusted,
    warning: trust.warning,
    close: () => rpc.close(),
  }
}

const LIES = ['EVM_MALFORMED', 'EVM_INCOHERENT', 'INDEXER_BLOCK']

/**
 * Returns whether an error means that a node's data contradicts itself, its neighbours or the chain. Missing, late and
 * refused answers are no lies.
 */
export function isLie({ code }: { readonly code: string }): boolean {
  return LIES.includes(code)
}
