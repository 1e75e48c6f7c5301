import { Hex, isFirnError } from '@firn/codec'
import type { Block } from '@firn/evm'
import { isObject } from '@firn/rpc'
import { type Clock, pause } from '@firn/runtime'
import { IndexerError } from '../IndexerError.ts'
import { type BlockRequest, type EvmUpstream, isForeign } from './EvmUpstream.ts'
import * as Calls from './internal/calls.ts'
import type { Answer, Call } from './JsonRpc.ts'

/** Options of {@link createEvmUpstreams}. */
export interface EvmUpstreamsOptions {
  /** Nodes in order of preference; at least one. */
  readonly members: readonly EvmUpstream[]
  readonly clock: Clock
  readonly random: () => number
  /**
   * Time in milliseconds for which a node whose answer was rejected is used only if no other node works;
   * default 2,000.
   */
  readonly cooldownMs?: number
}

/** Nodes of one chain. If one node fails or returns wrong data, another node is used. */
export interface EvmUpstreams {
  readonly members: readonly EvmUpstream[]
  /**
   * Waits until a node has answered, and returns whether nodes serve traces of all blocks to fetch, including
   * the first one. `isKnown` is true if all nodes have answered.
   * @throws IndexerError `INDEXER_CHAIN`, `INDEXER_RESET` or `INDEXER_REORGANISATION` if every node has a
   * different chain than the stored one
   */
  open(signal: AbortSignal): Promise<{ readonly hasTraces: boolean; readonly isKnown: boolean }>
  /**
   * Sets whether blocks are fetched with traces. Must be called once, before the first request for blocks.
   */
  setTraces(withTraces: boolean): void
  /**
   * Returns complete blocks. Each block comes from one node. The result ends before the first unavailable
   * block, so it may be empty. `preferred` is tried first. Throws only the signal's reason.
   */
  blocks(
    requests: readonly BlockRequest[],
    signal: AbortSignal,
    preferred?: EvmUpstream,
  ): Promise<readonly Block[]>
  /**
   * Returns the hashes of the blocks at the given heights. Two answers must agree, and they come from
   * different nodes if there are at least two nodes. A hash is undefined if the answers differ or no block
   * exists at the height.
   * @throws IndexerError if no node answers
   */
  canonical(heights: readonly bigint[], signal: AbortSignal): Promise<readonly (Uint8Array | undefined)[]>
  /**
   * Returns the answers of the first node that answers. Nodes are tried in turn, starting with index `turn`.
   * @throws IndexerError if none answers
   */
  ask(calls: readonly Call[], signal: AbortSignal, turn?: number): Promise<readonly Answer[]>
  /** Returns the number of blocks to fetch at once, which follows from the node's batch limit. */
  groupBlocks(): number
  /**
   * Returns the reason if every node has a different chain than the stored one and no node can be used;
   * undefined otherwise.
   */
  foreign(): IndexerError | undefined
  /** Requires a comparison of every node's chain with the stored one before the node's next use. */
  recheck(): void
  /** Returns descriptions of the nodes' problems. */
  problems(): readonly string[]
  close(): void
}

/**
 * Creates a group of nodes. It sends no request until it is used.
 * @throws IndexerError `INDEXER_CONFIGURATION`
 */
export function createEvmUpstreams(options: EvmUpstreamsOptions): EvmUpstreams {
  const { members, clock, random, cooldownMs = 2_000 } = options
  if (members.length === 0)
    throw new IndexerError(
      'INDEXER_CONFIGURATION',
      'expected at least one node for the chain, got an empty list',
    )
  const coolUntil = new Map<EvmUpstream, number>()
  const refused = new Map<EvmUpstream, string>()
  let withTraces = false
  const restMs = (member: EvmUpstream) =>
    Math.max(member.waitMs(), (coolUntil.get(member) ?? 0) - clock.now(), 0)
  const inOrder = (preferred?: EvmUpstream, last?: EvmUpstream) => {
    const rank = (it: EvmUpstream) => (it === preferred ? -1 : it === last ? 1 : 0)
    return [...members].sort((a, b) => {
      const rest = restMs(a) - restMs(b)
      return rest !== 0 ? rest : rank(a) - rank(b)
    })
  }
  const cool = (member: EvmUpstream, error: unknown) => {
    coolUntil.set(member, clock.now() + cooldownMs)
    if (isFirnError(error)) refused.set(member, error.message)
  }
  /** Tries one node after another until `attempt` accepts the result. */
  const through = async (
    order: readonly EvmUpstream[],
    signal: AbortSignal,
    attempt: (member: EvmUpstream) => Promise<boolean>,
  ): Promise<unknown> => {
    let failure: unknown
    for (const member of order) {
      try {
        if (await attempt(member)) return undefined
      } catch (error) {
        if (signal.aborted || !isFirnError(error)) throw error
        failure ??= error
        cool(member, error)
      }
    }
    return failure
  }
  const ask: EvmUpstreams['ask'] = async (calls, signal, turn = 0) => {
    let answers: readonly Answer[] | undefined
    const order = inOrder()
    const rotated = [...order.slice(turn % order.length), ...order.slice(0, turn % order.length)]
    const failure = await through(rotated, signal, async (member) => {
      await member.abilities(signal)
      answers = await member.ask(calls, signal)
      return true
    })
    if (answers === undefined) throw failure
    return answers
  }
  /** Returns the hashes that one node reports. The node `last` is tried last. */
  const hashesOf = async (heights: readonly bigint[], signal: AbortSignal, last?: EvmUpstream) => {
    let by: EvmUpstream | undefined
    let hashes: readonly (string | undefined)[] = []
    const failure = await through(inOrder(undefined, last), signal, async (member) => {
      await member.abilities(signal)
      const answers = await member.ask(heights.map(Calls.header), signal)
      const broken = answers.find(({ error }) => error !== undefined)?.error
      // Some nodes return an error for heights above their head, which does not affect the other heights.
      if (answers.every(({ error }) => error !== undefined) && broken !== undefined) throw broken
      hashes = answers.map((answer, i) => hashAt(answer, heights[i] as bigint))
      by = member
      return true
    })
    if (by === undefined) throw failure
    return { by, hashes }
  }
  return {
    members,
    async open(signal) {
      for (let failures = 1; ; failures += 1) {
        const found = await Promise.allSettled(members.map((member) => member.abilities(signal)))
        signal.throwIfAborted()
        const able = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
        if (able.length > 0) {
          const hasTraces = able.some(({ tracesBy, tracesOld }) => tracesBy !== undefined && tracesOld)
          return { hasTraces, isKnown: able.length === members.length }
        }
        const errors = found.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
        if (errors.every(isForeign)) throw errors[0]
        if (!errors.every(isFirnError)) throw errors.find((error) => !isFirnError(error))
        await pause(failures, { clock, random }, signal)
      }
    },
    setTraces(value) {
      withTraces = value
    },
    async blocks(requests, signal, preferred) {
      const found = new Array<Block | undefined>(requests.length).fill(undefined)
      await through(inOrder(preferred), signal, async (member) => {
        const { tracesBy } = await member.abilities(signal)
        if (withTraces && tracesBy === undefined) return false
        const open = requests.flatMap((_one, i) => (found[i] === undefined ? [i] : []))
        const outcomes = await member.blocks(
          open.map((i) => requests[i] as BlockRequest),
          withTraces,
          signal,
        )
        let failure: unknown
        outcomes.forEach(({ block, error }, k) => {
          if (block !== undefined) found[open[k] as number] = block
          else {
            member.refuse(error)
            failure ??= error
          }
        })
        if (failure === undefined) refused.delete(member)
        else cool(member, failure)
        return failure === undefined
      })
      const end = found.indexOf(undefined)
      return (end < 0 ? found : found.slice(0, end)) as Block[]
    },
    async canonical(heights, signal) {
      const first = await hashesOf(heights, signal)
      const second = await hashesOf(heights, signal, first.by)
      return first.hashes.map((hash, i) =>
        hash !== undefined && hash === second.hashes[i] ? Hex.decode(hash) : undefined,
      )
    },
    ask,
    groupBlocks: () => Math.max(Math.floor((inOrder()[0]?.batchCalls() ?? 1) / 2), 1),
    foreign() {
      const problems = members.map((member) => member.problem())
      return problems.every(isForeign) ? problems[0] : undefined
    },
    recheck() {
      for (const member of members) member.recheck()
    },
    problems() {
      const words = members.map((member) => member.problem()?.message ?? refused.get(member))
      const known = words.flatMap((text) => (text === undefined ? [] : [text]))
      // The chain is healthy while at least one node works.
      return known.length < members.length ? [] : known
    },
    close() {
      for (const member of members) member.close()
    },
  }
}

/** Returns the hash of a header if the hash is valid and the height matches; undefined otherwise. */
function hashAt({ result }: Answer, height: bigint): string | undefined {
  if (!isObject(result) || result['number'] !== Calls.quantity(height)) return undefined
  const hash = String(result['hash']).toLowerCase()
  return /^0x[0-9a-f]{64}$/.test(hash) ? hash : undefined
}
